import { toQuantity } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { formatBytes, grouped } from "../base/units.ts";
import { type BlockQuestion, findHead } from "./head.ts";
import { readPiece } from "./logMemory.ts";
import { isTooManyBlocks, LogSizer, smaller } from "./logSizer.ts";
import type { Outcome } from "./outcome.ts";
import { seemsUnserved } from "./outcome.ts";
import type { BlockRange } from "./range.ts";

/** Sends one request over the connection that was just opened again. */
export type AskEndpoint = (method: string, params: JsonValue) => Promise<Outcome>;

/** The logs that a stream missed, as far as the endpoint sends them. */
export interface BackfilledLogs {
  readonly logs: readonly JsonValue[];
  /** Says why some logs are missing, in a sentence. */
  readonly missed: string | undefined;
  /** The connection ended again. */
  readonly lost: boolean;
  /** Blocks whose logs came in a message that was too large, which ended the connection. */
  readonly tooLarge?: BlockRange;
}

export interface BackfillOptions {
  readonly filter: JsonObject;
  readonly from: bigint;
  /** Also read the block that is being built. */
  readonly pending: boolean;
  /** The largest toBlock − fromBlock to start with. */
  readonly range: bigint;
  /** Bytes of one message. */
  readonly maxBytes: number;
  /** Ranges whose logs were too large in earlier attempts. */
  readonly tooLarge: readonly BlockRange[];
}

/** The longest gap that is read again: hours of a fast chain. */
const maxBlocks = 200_000n;
const maxLogs = 100_000;

/** Reads the logs of a gap again, in pieces that the endpoint accepts. */
export async function backfill(ask: AskEndpoint, options: BackfillOptions): Promise<BackfilledLogs> {
  const { filter, from, range, maxBytes, tooLarge } = options;
  const head = await headOf(ask);
  if (typeof head !== "bigint") return { logs: [], ...head };
  if (head - from > maxBlocks)
    return {
      logs: [],
      missed: `${grouped(head - from)} blocks have passed, and at most ${grouped(maxBlocks)} are read again.`,
      lost: false,
    };
  const sizer = new LogSizer(range, {}, maxBytes);
  const logs: JsonValue[] = [];
  const incomplete = (missed: string | undefined): BackfilledLogs => ({ logs, missed, lost: false });
  let withPending = options.pending;
  let note: string | undefined;
  let part: bigint | undefined;
  for (let start = smaller(from, head); start <= head; ) {
    const size = sizeAt(start, part ?? sizer.next(head - start), tooLarge);
    if (size === undefined) {
      note = `The logs of block ${grouped(start)} have more than ${formatBytes(maxBytes)}, so they were not read again.`;
      start++;
      continue;
    }
    const to = start + size;
    const isLast = to === head;
    const toBlock = isLast ? (withPending ? "pending" : "latest") : toQuantity(to);
    const outcome = await ask("eth_getLogs", [{ ...filter, fromBlock: toQuantity(start), toBlock }]);
    if (outcome.kind === "unreachable") {
      const cause = outcome.reason === "too-large" ? { tooLarge: { from: start, to } } : {};
      return { logs: [], missed: outcome.message, lost: true, ...cause };
    }
    if (outcome.kind === "refused") {
      if (isTooManyBlocks(outcome) && size > 0n) part = sizer.refused(size, outcome);
      else if (isLast && withPending) {
        withPending = false;
        note = "Pre-confirmed logs of that time are missing.";
      } else return incomplete(`The blocks in between could not be read again: ${outcome.message}`);
      continue;
    }
    const piece = readPiece({ from, to, isOpen: true }, outcome);
    if (!piece) return incomplete("For the blocks in between, the endpoint did not send a list of logs.");
    for (const log of piece.logs) logs.push(log);
    if (logs.length > maxLogs) return incomplete(`Only the first ${grouped(logs.length)} logs were read again.`);
    part = undefined;
    sizer.answered(size, piece.logs.length, piece.bytes);
    start = to + 1n;
  }
  return incomplete(note);
}

/** Returns a size smaller than those that were too large; `undefined` if a single block is too large. */
function sizeAt(start: bigint, size: bigint, tooLarge: readonly BlockRange[]): bigint | undefined {
  let fitting = size;
  for (const { from, to } of tooLarge) {
    if (start < from || start > to) continue;
    if (from === to) return undefined;
    if ((to - from) / 8n < fitting) fitting = (to - from) / 8n;
  }
  return fitting;
}

/** @returns The number of the newest block, or why it is unknown. */
export async function headOf(
  ask: AskEndpoint,
): Promise<bigint | { readonly missed: string | undefined; readonly lost: boolean }> {
  const asks = (questions: readonly BlockQuestion[]) =>
    Promise.all(questions.map(({ method, params }) => ask(method, params)));
  const { facts, outcome } = await findHead(asks, {});
  if (facts) return facts.number;
  if (outcome === undefined || outcome.kind === "answered" || seemsUnserved(outcome))
    return { missed: "The endpoint does not send the number of its newest block.", lost: false };
  return { missed: outcome.message, lost: outcome.kind === "unreachable" };
}
