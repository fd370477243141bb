import type { JsonValue } from "../base/json.ts";
import type { FaultReason } from "../base/ports.ts";
import type { BlockRange } from "./range.ts";

/** A JSON-RPC id. Ids match by value and type: `1` and `"1"` are two ids. */
export type Id = string | number | bigint | null;

/** What became of one request. A revert, a limit, a dead host are all outcomes, never errors. */
export type Outcome = Answered | Refused | Unreachable;

export interface Answered {
  readonly kind: "answered";
  readonly result: RawJson;
  readonly exchange: Exchange;
}

/** An answer came, and it says no: a JSON-RPC error, or an HTTP status without one. */
export interface Refused {
  readonly kind: "refused";
  readonly reason: RefusalReason;
  /** The JSON-RPC code; `undefined` where the refusal is one of HTTP alone. */
  readonly code: number | undefined;
  /** As the endpoint wrote it. Hostile text: pass it through `visible` before showing it. */
  readonly message: string;
  readonly data: JsonValue | undefined;
  /** Revert data, wherever the endpoint had put it; `"0x"` for a revert without a reason, `undefined` where it gave none. */
  readonly revertData: string | undefined;
  /** A range of blocks that the endpoint said would work, and the greatest toBlock − fromBlock that it stated. */
  readonly range: { readonly from: bigint; readonly to: bigint } | undefined;
  readonly rangeLimit: bigint | undefined;
  readonly exchange: Exchange;
}

/** No whole answer to this request. */
export interface Unreachable {
  readonly kind: "unreachable";
  readonly reason: FaultReason | "not-json" | "wrong-id" | "missing-in-batch" | "not-json-rpc";
  /** What happened, in a sentence that names the host and never the URL. */
  readonly message: string;
  /** What to do, in a sentence. */
  readonly hint: string;
  readonly exchange: Exchange;
}

/**
 * Why an endpoint refuses, whatever its dialect.
 * Told by message, then data, HTTP status, code; `too-large` is the request, `result-limit` what it asks for.
 */
export type RefusalReason =
  | "revert"
  | "vm-error"
  | "range-limit"
  | "result-limit"
  | "rate-limit"
  | "quota"
  | "not-allowed"
  | "unauthorized"
  | "unknown-method"
  | "missing-state"
  | "unknown-block"
  | "bad-params"
  | "bad-request"
  | "too-large"
  | "batch-limit"
  | "plan-limit"
  | "timeout"
  | "tx-rejected"
  | "simulation"
  | "internal"
  | "other";

/** A JSON result, with its own text kept beside the value. */
export interface RawJson {
  /** Integers of any size survive in it. */
  readonly value: JsonValue;
  /** The slice of the body, made when first asked for. */
  readonly text: string;
}

/** What went over the wire for one request. */
export interface Exchange {
  readonly id: Id;
  readonly endpoint: string;
  /** Host and port, never the URL. */
  readonly host: string;
  /** The request as sent, without its neighbours in a batch. */
  readonly request: string;
  /** Absent where no status line came. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** Bytes of the body that carried it; 0 where none came. */
  readonly bytes: number;
  /** Requests that travelled in the same body; 1 when alone. */
  readonly batch: number;
  /** Attempts made, the last one included. */
  readonly attempts: number;
  /** Where the answer had to be asked for in parts. */
  readonly parts?: Parts;
  /** The request may change something, was sent, and no answer tells what became of it: it may have been executed. */
  readonly uncertain?: true;
}

/** How an answer was put together from the answers to several requests; of one that failed, how far it came. */
interface Parts {
  /** Those that were refused included. */
  readonly requests: number;
  /** What was done, and what may be amiss: a sentence each, safe to show. */
  readonly notes: readonly string[];
  /** What had come when it ended early. */
  readonly soFar?: Incomplete;
}

/** The part of an answer that came, of which the rest did not. */
export interface Incomplete {
  readonly result: RawJson;
  /** For logs: the blocks that it is complete for, and those that are missing. */
  readonly blocks?: { readonly complete: BlockRange; readonly missing: BlockRange };
}
