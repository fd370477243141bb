import type { Mask } from "../base/mask.ts";
import type { Transport } from "../base/ports.ts";
import { type MaskedRecording, maskRecording } from "../recording/maskRecording.ts";
import { openRecorder } from "../recording/recorder.ts";
import { noSockets, openSocketPool, type SocketPool } from "../rpc/socketPool.ts";
import type { Host } from "../workspace/host.ts";

/** Records runs, and keeps the last recording of each document until the document is closed. */
export class RunRecordings {
  readonly #host: Host;
  readonly #mask: Mask;
  readonly #last = new Map<string, MaskedRecording>();

  constructor(host: Host, mask: Mask) {
    this.#host = host;
    this.#mask = mask;
  }

  /** Opens the ports of a run that is recorded. `end` keeps what was recorded. */
  begin(uri: string): {
    readonly transport: Transport;
    readonly sockets: SocketPool;
    end(signal: AbortSignal): Promise<void>;
  } {
    const { clock, version } = this.#host;
    const recorder = openRecorder(this.#host);
    const tool = version === undefined ? "rpc-notebook" : `rpc-notebook ${version}`;
    return {
      transport: recorder.transport,
      sockets: openSocketPool(recorder.sockets ?? noSockets, clock),
      end: async (signal) => {
        if (recorder.ambiguous().length > 0) this.#last.delete(uri);
        else this.#last.set(uri, maskRecording(await recorder.finish(tool, signal), this.#mask));
      },
    };
  }
  of(uri: string): MaskedRecording | undefined {
    return this.#last.get(uri);
  }
  forget(uri: string): void {
    this.#last.delete(uri);
  }
}
