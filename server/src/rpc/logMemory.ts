import type { JsonValue } from "../base/json.ts";
import type { BlockRange } from "./range.ts";

/** What reading logs taught about an endpoint, and the logs of readings that did not come to their end. */
export interface LogMemory {
  limits: LogLimits;
  /** By the parameters of the request without its range, the oldest first. */
  readonly unfinished: Map<string, UnfinishedLogs>;
}

export interface LogLimits {
  /** Greatest toBlock − fromBlock that it takes. */
  readonly range?: bigint;
  /** Logs that it sends at most at once, as it says. */
  readonly results?: number;
  /** toBlock − fromBlock of requests whose answers were small enough to be received, if larger ones were not. */
  readonly fits?: bigint;
}

export interface UnfinishedLogs {
  /** In order, without an overlap. */
  readonly pieces: readonly LogPiece[];
  /** A block at or after the last of them; where it has another hash now, they may be wrong. */
  readonly anchor: { readonly block: bigint; readonly hash: string } | undefined;
}

/** The logs of some blocks, in the order of the answer. */
export interface LogPiece extends BlockRange {
  readonly logs: readonly JsonValue[];
  /** Of the logs as the endpoint wrote them, in brackets. */
  readonly text: string;
  /** Of the body that carried them. */
  readonly bytes: number;
}
