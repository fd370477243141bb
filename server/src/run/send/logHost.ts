import type { Clock } from "../../base/ports.ts";
import type { LogProgress } from "../../gate/endpointQueue.ts";
import type { Outcome } from "../../rpc/outcome.ts";
import type { EndpointMemory } from "../../rpc/send.ts";
import type { RawRequest } from "../../rpc/wire.ts";

/** The parts of a run that reading logs depends on. */
export interface LogHost {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly endpoint: string;
  /** Host and port. */
  readonly host: string;
  /** The largest toBlock − fromBlock, as configured. */
  readonly logRange: bigint | undefined;
  /** Bytes of one answer, and of all that one run puts together. */
  readonly maxBytes: number;
  readonly memory: EndpointMemory;
  /** Sends one request alone, with the usual retries. Never rejects. */
  send(request: RawRequest): Promise<Outcome>;
  /**
   * Returns the number of the block that a tag names; `undefined` if it is unknown.
   *
   * @param isFresh - As of now, not as of the beginning of the run.
   */
  headOf(tag: string, isFresh: boolean): Promise<bigint | undefined>;
  /** Returns `undefined` if the hash is unknown. */
  hashOf(block: bigint): Promise<string | undefined>;
  onProgress(progress: LogProgress): void;
}
