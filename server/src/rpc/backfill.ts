import { quantity } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { isArray, isObject } from "../base/json.ts";
import { type BlockQuestion, findHead, seemsUnserved } from "./head.ts";
import type { Outcome } from "./outcome.ts";
import type { BlockRange } from "./range.ts";

/** Asks one thing over the connection that has just been opened anew. */
export type AskEndpoint = (method: string, params: JsonValue) => Promise<Outcome>;

/** Logs that a stream missed, as far as the endpoint can tell. */
export interface BackfilledLogs {
  readonly logs: readonly JsonValue[];
  /** Why not all of it could be read again, in a sentence; the connection may have ended again. */
  readonly missed: string | undefined;
  readonly lost: boolean;
  /** Blocks of which the logs came in a message that is too large, which ended the connection. */
  readonly tooLarge?: BlockRange;
}

export interface BackfillOptions {
  readonly filter: JsonObject;
  readonly from: bigint;
  /** Up to the block that is being built. */
  readonly pending: boolean;
  /** The greatest toBlock − fromBlock to begin with. */
  readonly range: bigint;
  /** Ranges of which the logs are too large to be received, as earlier attempts found. */
  readonly tooLarge: readonly BlockRange[];
}

/** Blocks beyond which a gap is not read again: hours of a fast chain. */
const maxBlocks = 200_000n;
/** Logs beyond which it is not read on. */
const maxLogs = 100_000;

/** Reads the blocks of a gap again, in pieces that the endpoint takes. */
export async function backfill(
  ask: AskEndpoint,
  { filter, from, pending, range, tooLarge }: BackfillOptions,
): Promise<BackfilledLogs> {
  const head = await headOf(ask);
  if (typeof head !== "bigint") return { logs: [], ...head };
  if (head - from > maxBlocks) {
    const missed = `${head - from} blocks went by, which are too many to read again.`;
    return { logs: [], missed, lost: false };
  }
  const logs: JsonValue[] = [];
  let step = range;
  let isPending = pending;
  let note: string | undefined;
  for (let at = from < head ? from : head; at <= head; ) {
    const size = fitting(at, step, tooLarge);
    if (size === undefined) {
      note = `The logs of block ${at} are too large to be read again.`;
      at++;
      continue;
    }
    const last: boolean = at + size >= head;
    const to: bigint = last ? head : at + size;
    const toBlock = last ? (isPending ? "pending" : "latest") : hex(to);
    const outcome = await ask("eth_getLogs", [{ ...filter, fromBlock: hex(at), toBlock }]);
    if (outcome.kind === "unreachable") {
      const found = outcome.reason === "too-large" ? { tooLarge: { from: at, to } } : {};
      return { logs: [], missed: outcome.message, lost: true, ...found };
    }
    if (outcome.kind === "refused") {
      const smaller = smallerStep(outcome, to - at);
      if (smaller !== undefined) step = smaller;
      else if (last && isPending) {
        isPending = false;
        note = "What was pre-confirmed meanwhile is not among it.";
      } else return { logs, missed: `The blocks in between could not be read again: ${outcome.message}`, lost: false };
      continue;
    }
    const found = outcome.result.value;
    if (!isArray(found))
      return { logs, missed: "The blocks in between were answered with no list of logs.", lost: false };
    for (const log of found) if (isAtLeast(log, from)) logs.push(log);
    if (logs.length > maxLogs) return { logs, missed: "There are too many logs to read them all again.", lost: false };
    at = to + 1n;
  }
  return { logs, missed: note, lost: false };
}

/** The size of a piece that is smaller than those that were too large; `undefined` if a block by itself is. */
function fitting(at: bigint, step: bigint, tooLarge: readonly BlockRange[]): bigint | undefined {
  let size = step;
  for (const { from, to } of tooLarge) {
    if (at < from || at > to) continue;
    if (from === to) return undefined;
    if ((to - from) / 8n < size) size = (to - from) / 8n;
  }
  return size;
}

/** @returns The number of the newest block, or why it is not known. */
export async function headOf(
  ask: AskEndpoint,
): Promise<bigint | { readonly missed: string | undefined; readonly lost: boolean }> {
  const asks = (questions: readonly BlockQuestion[]) =>
    Promise.all(questions.map(({ method, params }) => ask(method, params)));
  const { facts, outcome } = await findHead(asks, {});
  if (facts) return facts.number;
  if (outcome === undefined || outcome.kind === "answered" || seemsUnserved(outcome))
    return { missed: "The endpoint does not tell its newest block.", lost: false };
  return { missed: outcome.message, lost: outcome.kind === "unreachable" };
}

function smallerStep({ reason, rangeLimit }: Extract<Outcome, { kind: "refused" }>, span: bigint): bigint | undefined {
  if ((reason !== "range-limit" && reason !== "result-limit" && reason !== "timeout") || span < 1n) return undefined;
  const half = span / 2n;
  return rangeLimit !== undefined && rangeLimit < span ? rangeLimit : half;
}

function isAtLeast(log: JsonValue, from: bigint): boolean {
  const block = isObject(log) ? quantity(log.blockNumber) : undefined;
  return block === undefined || block >= from;
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}
