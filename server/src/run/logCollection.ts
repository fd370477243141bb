import { quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonValue, printJson } from "../base/json.ts";
import type { LogPiece } from "../rpc/logMemory.ts";
import type { Answered, Outcome } from "../rpc/outcome.ts";
import type { BlockRange } from "../rpc/range.ts";
import type { LogSizes, TooBig } from "./logSizes.ts";

/** Logs on their way: what has come, in order, and how far it is. */
export interface LogCollection {
  readonly pieces: readonly LogPiece[];
  /** In them. */
  readonly logs: number;
  readonly requests: number;
  /** Pieces that had come before. */
  readonly kept: number;
  /** Pieces that are still to come, about. */
  readonly left: number;
  /** Logs outside of the blocks that were asked for; they are left out, since those blocks are asked for by themselves. */
  readonly strays: number;
  /** Pieces that were answered with `null`. */
  readonly nulls: number;
  /** What ended it early; `enough` if another reading may go on, `too-much` if that would be more than can be held. */
  readonly failure: Outcome | "enough" | "too-much" | undefined;
}

interface LogCollectionOptions {
  readonly sizes: LogSizes;
  /** Had come before; in order. */
  readonly kept: readonly LogPiece[];
  /** Of the bodies of this reading together, and with those that had come before. */
  readonly maxBytes: number;
  readonly maxKeptBytes: number;
  ask(range: BlockRange): Promise<Outcome>;
  /** After each piece. */
  told(gathering: LogCollection): void;
}

/** Silent pieces in a row after which it is not the number of blocks that keeps the endpoint from answering. */
const mostSilences = 2;
/** Requests under way at once. */
const atOnce = 4;

/**
 * Asks for the logs of a range piece by piece, the lowest blocks first and several at a time. A piece that is refused
 * for its size is asked for again in smaller ones; any other failure ends it, when what is under way has come.
 */
export async function collectLogs(range: BlockRange, options: LogCollectionOptions): Promise<LogCollection> {
  const { sizes, maxBytes, maxKeptBytes } = options;
  const pieces = [...options.kept];
  const gaps = gapsBetween(range, pieces);
  const going = new Set<Promise<void>>();
  let [requests, strays, nulls, silences] = [0, 0, 0, 0];
  const keptBytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
  let bytes = 0;
  let logs = logsIn(pieces);
  let failure: LogCollection["failure"] = keptBytes >= maxKeptBytes && gaps.length > 0 ? "too-much" : undefined;
  const state = (): LogCollection => ({
    pieces,
    logs,
    requests,
    kept: options.kept.length,
    left: going.size + piecesIn(gaps, sizes),
    strays,
    nulls,
    failure,
  });
  const take = (piece: BlockRange, outcome: Outcome): void => {
    silences = isSilence(outcome) ? silences + 1 : 0;
    if (isTooBig(outcome) && piece.to > piece.from && silences <= mostSilences) {
      giveBack(gaps, piece, sizes.refused(piece.to - piece.from, outcome));
      return;
    }
    const read = outcome.kind === "answered" ? readPiece(piece, outcome) : undefined;
    if (!read) {
      failure ??= outcome;
      giveBack(gaps, piece, undefined); // still to come, in another run
      return;
    }
    strays += read.strays;
    nulls += read.isNull ? 1 : 0;
    bytes += read.piece.bytes;
    logs += read.piece.logs.length;
    insert(pieces, read.piece);
    sizes.answered(piece.to - piece.from, read.piece.logs.length, read.piece.bytes);
    const isLast = gaps.length === 0 && going.size <= 1;
    if (!isLast && keptBytes + bytes > maxKeptBytes) failure ??= "too-much";
    if (!isLast && bytes > maxBytes) failure ??= "enough";
  };
  const start = (piece: BlockRange): void => {
    requests++;
    const one = options.ask(piece).then((outcome) => {
      take(piece, outcome);
      going.delete(one);
      options.told(state());
    });
    going.add(one);
  };
  for (;;) {
    for (
      let piece = next(gaps, sizes, going.size);
      piece && failure === undefined;
      piece = next(gaps, sizes, going.size)
    ) {
      cut(gaps, piece);
      start(piece);
    }
    if (going.size === 0) return state();
    await Promise.race(going);
  }
}

/** Whether fewer blocks at once may well be answered. What a plan or a key does not cover never is. */
export function isTooBig(outcome: Outcome): outcome is TooBig {
  if (outcome.kind === "unreachable") return outcome.reason === "too-large" || isSilence(outcome);
  if (outcome.kind === "answered") return false;
  return outcome.reason === "range-limit" || outcome.reason === "result-limit" || outcome.reason === "timeout";
}

/** The endpoint stayed silent until the time was over. */
export function isSilence(outcome: Outcome): boolean {
  return outcome.kind === "unreachable" && outcome.reason === "timeout";
}

/** The next piece, where one more may go out now. */
function next(gaps: readonly BlockRange[], sizes: LogSizes, going: number): BlockRange | undefined {
  const [gap] = gaps;
  if (!gap) return undefined;
  const all = gaps.reduce((sum, { from, to }) => sum + (to - from) + 1n, -1n);
  const size = sizes.next(all);
  if (going >= (sizes.isSure(size) ? atOnce : 1)) return undefined;
  return { from: gap.from, to: gap.to - gap.from > size ? gap.from + size : gap.to };
}

function gapsBetween({ from, to }: BlockRange, pieces: readonly BlockRange[]): BlockRange[] {
  const gaps: BlockRange[] = [];
  let start = from;
  for (const piece of pieces) {
    if (piece.from > start) gaps.push({ from: start, to: piece.from - 1n });
    start = piece.to + 1n;
  }
  if (start <= to) gaps.push({ from: start, to });
  return gaps;
}

/** Takes a piece out of the first gap, where it begins. */
function cut(gaps: BlockRange[], { to }: BlockRange): void {
  const [gap] = gaps;
  if (gap && gap.to > to) gaps[0] = { from: to + 1n, to: gap.to };
  else gaps.shift();
}

/** Pieces that were cut from one gap become one again, unless one is to be cut further. */
function giveBack(gaps: BlockRange[], piece: BlockRange, first: bigint | undefined): void {
  const after = gaps.findIndex(({ from }) => from > piece.to);
  const at = after === -1 ? gaps.length : after;
  if (first !== undefined) {
    const end = piece.from + first;
    gaps.splice(at, 0, { from: piece.from, to: end }, { from: end + 1n, to: piece.to });
    return;
  }
  const [before, behind] = [gaps[at - 1], gaps[at]];
  const joinsBefore = before !== undefined && before.to + 1n === piece.from;
  const joinsBehind = behind !== undefined && piece.to + 1n === behind.from;
  const whole = { from: joinsBefore ? before.from : piece.from, to: joinsBehind ? behind.to : piece.to };
  gaps.splice(joinsBefore ? at - 1 : at, (joinsBefore ? 1 : 0) + (joinsBehind ? 1 : 0), whole);
}

/** Most pieces come about in order, so the place is near the end. */
function insert(pieces: LogPiece[], piece: LogPiece): void {
  let at = pieces.length;
  while (at > 0 && (pieces[at - 1]?.from ?? 0n) > piece.from) at--;
  pieces.splice(at, 0, piece);
}

function piecesIn(gaps: readonly BlockRange[], sizes: LogSizes): number {
  let count = 0n;
  for (const { from, to } of gaps) count += (to - from) / (sizes.next(to - from) + 1n) + 1n;
  return Number(count);
}

function logsIn(pieces: readonly LogPiece[]): number {
  return pieces.reduce((sum, { logs }) => sum + logs.length, 0);
}

/** @returns `undefined` where the answer is no list of logs. */
export function readPiece(
  range: BlockRange & { readonly isOpen?: boolean },
  { result, exchange: { bytes } }: Answered,
): { readonly piece: LogPiece; readonly strays: number; readonly isNull: boolean } | undefined {
  const { value } = result;
  if (value !== null && !isArray(value)) return undefined;
  const all = value ?? [];
  const logs = all.filter((log) => isIn(log, range));
  const strays = all.length - logs.length;
  const text = (): string => (value === null ? "[]" : strays > 0 ? printJson(logs) : result.text);
  return {
    piece: {
      from: range.from,
      to: range.to,
      logs,
      bytes,
      get text() {
        return text();
      },
    },
    strays,
    isNull: value === null,
  };
}

/** A log without a number is taken as it comes: pre-confirmed ones may have none. */
function isIn(log: JsonValue, { from, to, isOpen }: BlockRange & { readonly isOpen?: boolean }): boolean {
  const block = isObject(log) ? quantity(log.blockNumber) : undefined;
  return block === undefined || (block >= from && (isOpen === true || block <= to));
}
