import { quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonValue, printJson } from "../base/json.ts";
import { itemTexts } from "../base/lazyList.ts";
import { memberTexts } from "../base/memberTexts.ts";
import type { Answered } from "./outcome.ts";
import type { BlockRange } from "./range.ts";

/** Limits that an endpoint showed when logs were read, and the logs of readings that were not finished. */
export interface LogMemory {
  limits: LogLimits;
  /** By the parameters of the request without its range, the oldest first. */
  readonly unfinished: Map<string, UnfinishedLogs>;
}

export interface LogLimits {
  /** The largest toBlock − fromBlock that the endpoint answers. */
  readonly range?: bigint;
  /** The largest number of logs that one answer holds, as the endpoint states it. */
  readonly results?: number;
  /** toBlock − fromBlock of requests whose answers could be received, if larger ones could not. */
  readonly fits?: bigint;
}

export interface UnfinishedLogs {
  /** In order, without an overlap. */
  readonly pieces: readonly LogPiece[];
  /** A block at or after the last of them. If its hash has changed, the logs may be wrong. */
  readonly anchor: { readonly block: bigint; readonly hash: string } | undefined;
}

/** The logs of some blocks, in the order of the answer. */
export interface LogPiece extends BlockRange {
  readonly logs: readonly JsonValue[];
  /** The logs as the endpoint wrote them, in brackets. */
  readonly text: string;
  /** The size of the body that carried them. */
  readonly bytes: number;
  /** Logs of other blocks in the same answer. They are left out: those blocks have a request of their own. */
  readonly strays: number;
  /** The endpoint answered with `null`. */
  readonly isNull: boolean;
}

/**
 * Reads the answer to an `eth_getLogs` request.
 *
 * @param range - If it is open, logs of later blocks belong to it too.
 * @returns `undefined` if the answer is not a list of logs.
 */
export function readPiece(
  range: BlockRange & { readonly isOpen?: boolean },
  { result, exchange: { bytes } }: Answered,
): LogPiece | undefined {
  const { value } = result;
  if (value !== null && !isArray(value)) return undefined;
  const all = value ?? [];
  const strays = straysIn(all, range);
  const logs = strays === 0 ? all : all.filter((log) => isIn(log, range));
  return {
    from: range.from,
    to: range.to,
    logs,
    bytes,
    strays,
    isNull: value === null,
    get text() {
      if (value === null) return "[]";
      return strays > 0 ? printJson(logs) : result.text;
    },
  };
}

/** Counts the logs of other blocks. Nothing is made for those of a long list. */
function straysIn(logs: readonly JsonValue[], range: Parameters<typeof isIn>[1]): number {
  const textAt = itemTexts(logs);
  let strays = 0;
  let last: { readonly block: string | undefined; readonly isIn: boolean } | undefined;
  for (let index = 0; index < logs.length; index++) {
    const block = textAt && memberTexts(textAt(index), ["blockNumber"])[0];
    if (!last || last.block !== block || !textAt) last = { block, isIn: isIn(logs[index] ?? null, range) };
    if (!last.isIn) strays++;
  }
  return strays;
}

/** A log without a number counts as one of the range: pre-confirmed logs may have none. */
function isIn(log: JsonValue, { from, to, isOpen }: BlockRange & { readonly isOpen?: boolean }): boolean {
  const block = isObject(log) ? quantity(log.blockNumber) : undefined;
  return block === undefined || (block >= from && (isOpen === true || block <= to));
}
