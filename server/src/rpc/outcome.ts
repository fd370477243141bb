import type { JsonValue } from "../base/json.ts";
import type { FaultReason } from "../base/ports.ts";
import type { BlockRange } from "./range.ts";

/** A JSON-RPC id. Ids match by value and type: `1` and `"1"` are two ids. */
export type Id = string | number | bigint | null;

/** The outcome of one request. Reverts, limits and dead hosts are outcomes, never errors. */
export type Outcome = Answered | Refused | Unreachable;

export interface Answered {
  readonly kind: "answered";
  readonly result: RawJson;
  readonly exchange: Exchange;
}

/** The endpoint answered with a refusal: a JSON-RPC error, or an HTTP status without one. */
export interface Refused {
  readonly kind: "refused";
  readonly reason: RefusalReason;
  /** The JSON-RPC code; `undefined` if there is only an HTTP status. */
  readonly code: number | undefined;
  /** The method that was sent, which may have been asked in place of another one; absent if nothing was. */
  readonly method?: string;
  /** The endpoint's message, as written. Hostile text: pass it through `visible` before showing it. */
  readonly message: string;
  readonly data: JsonValue | undefined;
  /** Revert data, wherever the endpoint put it; `"0x"` for a revert without a reason, `undefined` if there is none. */
  readonly revertData: string | undefined;
  /** A range of blocks that the endpoint suggested, and the largest toBlock − fromBlock that it stated. */
  readonly range: { readonly from: bigint; readonly to: bigint } | undefined;
  readonly rangeLimit: bigint | undefined;
  readonly exchange: Exchange;
}

/** The request has no complete answer. */
export interface Unreachable {
  readonly kind: "unreachable";
  readonly reason: FaultReason | "not-json" | "wrong-id" | "missing-in-batch" | "not-json-rpc";
  /** A sentence on what happened, which names the host and never the URL. */
  readonly message: string;
  /** A sentence on what to do. */
  readonly hint: string;
  readonly exchange: Exchange;
}

/**
 * The reason for a refusal, whatever the endpoint's dialect.
 * Read from message, then data, HTTP status, code. `too-large` is the request, `result-limit` the result.
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
  /** A recording answers, and does not have the request. */
  | "not-recorded"
  | "other";

/** A JSON result, with its own text kept beside the value. */
export interface RawJson {
  /** Integers keep their precision. */
  readonly value: JsonValue;
  /** The slice of the body, made at the first access. */
  readonly text: string;
}

/** The data sent and received for one request. */
export interface Exchange {
  readonly endpoint: string;
  /** Host and port, never the URL. */
  readonly host: string;
  /** `undefined` if no status line came. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** Time of the answer, in milliseconds since 1970, if a recording contains it. */
  readonly endedAt?: number;
  /** Bytes of the body with the answer; 0 if there was none. */
  readonly bytes: number;
  /** Requests in the same body; 1 for a single one. */
  readonly batch: number;
  /** Attempts made, the last one included. */
  readonly attempts: number;
  /** Present if the answer was put together from parts. */
  readonly parts?: Parts;
  /** The request may change something, was sent, and has no answer: it may have been executed. */
  readonly uncertain?: true;
}

/** How an answer was put together from several, or how far a failed one got. */
interface Parts {
  /** Including refused ones. */
  readonly requests: number;
  /** Notes on what was done, and what may be wrong: a sentence each, safe to show. */
  readonly notes: readonly string[];
  /** Says that the answer went elsewhere, as a sentence. */
  readonly done?: string;
  /** What a file has of it. */
  readonly saved?: SavedLogs;
  /** The part that arrived before it ended early. */
  readonly soFar?: Incomplete;
}

/** Logs that are in a file. */
export interface SavedLogs {
  /** Safe to show. */
  readonly path: string;
  readonly rows: number;
  /** The blocks of which it has all; absent if there are none. */
  readonly blocks?: BlockRange;
}

/** The part of an answer that arrived. */
export interface Incomplete {
  readonly result: RawJson;
  /** For logs: the blocks that were asked for, and those of them that are missing, in order. */
  readonly blocks?: { readonly asked: BlockRange; readonly missing: readonly BlockRange[] };
}

/** Returns when the answer was there, in milliseconds since 1970. */
export function answerTime({ startedAt, durationMs, endedAt }: Exchange): number {
  return endedAt ?? startedAt + durationMs;
}

/** Returns the result of an answered request. */
export function resultOf(outcome: Outcome | undefined): JsonValue | undefined {
  return outcome?.kind === "answered" ? outcome.result.value : undefined;
}

/** Returns whether an endpoint says that it does not support the method, now or later. */
export function isRefusedForGood(outcome: Outcome | undefined): outcome is Refused {
  if (outcome?.kind !== "refused") return false;
  return outcome.reason === "not-allowed" || outcome.reason === "unknown-method" || outcome.exchange.status === 403;
}

/** Reasons that can mean an unsupported method: endpoints use different words and codes for it. */
const maybeUnserved: ReadonlySet<RefusalReason> = new Set([
  "unknown-method",
  "not-recorded",
  "not-allowed",
  "plan-limit",
  "bad-request",
  "bad-params",
  "other",
]);

/** Returns whether the method may be unsupported, so that another method is worth trying. */
export function seemsUnserved(outcome: Outcome | undefined): outcome is Refused {
  if (outcome?.kind !== "refused") return false;
  return maybeUnserved.has(outcome.reason) || outcome.exchange.status === 403;
}
