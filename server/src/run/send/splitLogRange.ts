import { blocksIn } from "../../catalog/tags.ts";
import type { LogPiece } from "../../rpc/logMemory.ts";
import { readPiece } from "../../rpc/logMemory.ts";
import { isTimeout, isTooManyBlocks, type LogSizer } from "../../rpc/logSizer.ts";
import type { Outcome } from "../../rpc/outcome.ts";
import type { BlockRange } from "../../rpc/range.ts";

/** The logs of a range that have arrived, and how much is still missing. */
export interface LogCollection {
  /** In order. */
  readonly pieces: readonly LogPiece[];
  readonly requests: number;
  /** Pieces that an earlier run had read. */
  readonly kept: number;
  /** An estimate of the pieces that are still missing. */
  readonly left: number;
  /** The reason why reading ended early: a failed request, `enough` if the next run can continue, `too-much` if it cannot. */
  readonly failure: Outcome | "enough" | "too-much" | undefined;
}

interface LogCollectionOptions {
  readonly sizer: LogSizer;
  /** Pieces that an earlier run had read, in order. */
  readonly kept: readonly LogPiece[];
  /** Bytes of the bodies of this reading together. */
  readonly maxBytes: number;
  /** The same, with those of earlier runs. */
  readonly maxKeptBytes: number;
  ask(range: BlockRange): Promise<Outcome>;
  /** Called after each answer. */
  onProgress(collection: LogCollection): void;
}

/** Pieces in a row without an answer, after which the number of blocks is not the cause. */
export const maxTimeouts = 2;
const maxParallelRequests = 4;
/** Single blocks that are refused for their size, after which the filter is the cause. */
const maxTooLarge = 10;
/** Attempts at a piece that a node fails at by itself. */
const maxAttempts = 3;

/**
 * Reads the logs of a range in pieces, the lowest blocks first and several at a time. A piece that is refused for its size
 * is read again in smaller ones, and left out if it is a single block. Any other failure ends the reading after the requests
 * in flight.
 */
export async function collectLogs(range: BlockRange, options: LogCollectionOptions): Promise<LogCollection> {
  return new LogCollector(range, options).run();
}

class LogCollector implements LogCollection {
  readonly #options: LogCollectionOptions;
  readonly pieces: LogPiece[];
  requests = 0;
  failure: LogCollection["failure"];
  /** Ranges that no request in flight covers, in order. */
  readonly #missing: BlockRange[];
  readonly #inFlight = new Set<Promise<void>>();
  /** Refusals of single blocks. */
  readonly #tooLarge: Outcome[] = [];
  #timeouts = 0;
  #bytes = 0;

  constructor(range: BlockRange, options: LogCollectionOptions) {
    this.#options = options;
    this.pieces = [...options.kept];
    this.#missing = gapsBetween(range, this.pieces);
    if (this.#keptBytes >= options.maxKeptBytes && this.#missing.length > 0) this.failure = "too-much";
  }

  get kept(): number {
    return this.#options.kept.length;
  }
  get left(): number {
    const { sizer } = this.#options;
    const pieces = this.#missing.map(({ from, to }) => (to - from) / (sizer.next(to - from) + 1n) + 1n);
    return this.#inFlight.size + Number(pieces.reduce((sum, count) => sum + count, 0n));
  }
  get #keptBytes(): number {
    return this.#options.kept.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  async run(): Promise<LogCollection> {
    for (;;) {
      for (let range = this.#next(); range; range = this.#next()) this.#start(range);
      if (this.#inFlight.size === 0) return this.#ended();
      await Promise.race(this.#inFlight);
    }
  }
  #ended(): LogCollection {
    const [tooLarge] = this.#tooLarge;
    if (this.#missing.length === 0) this.failure = tooLarge; // whatever its size, all else is there
    return this;
  }
  /** Takes the next range to ask for, if one more request may be sent now. */
  #next(): BlockRange | undefined {
    const [gap] = this.#missing;
    if (!gap || this.failure !== undefined) return undefined;
    const left = this.#missing.reduce((sum, { from, to }) => sum + blocksIn(to - from), -1n);
    const size = this.#options.sizer.next(left);
    if (this.#inFlight.size >= (this.#options.sizer.isSafe(size) ? maxParallelRequests : 1)) return undefined;
    if (gap.to - gap.from <= size) return this.#missing.shift();
    const to = gap.from + size;
    this.#missing[0] = { from: to + 1n, to: gap.to };
    return { from: gap.from, to };
  }
  #start(range: BlockRange): void {
    this.requests++;
    const ask = (): Promise<Outcome> => this.#options.ask(range);
    const request = askAgain(ask, () => this.requests++).then((outcome) => {
      this.#take(range, outcome);
      this.#inFlight.delete(request);
      this.#options.onProgress(this);
    });
    this.#inFlight.add(request);
  }
  #take(range: BlockRange, outcome: Outcome): void {
    const { sizer, maxBytes, maxKeptBytes } = this.#options;
    const size = range.to - range.from;
    this.#timeouts = isTimeout(outcome) ? this.#timeouts + 1 : 0;
    const piece = outcome.kind === "answered" ? readPiece(range, outcome) : undefined;
    if (!piece) {
      const isSplit = isTooManyBlocks(outcome) && size > 0n && this.#timeouts <= maxTimeouts;
      const isTooLarge = isTooManyBlocks(outcome) && size === 0n && !isTimeout(outcome);
      if (isTooLarge && this.#tooLarge.push(outcome) < maxTooLarge) return;
      if (!isSplit) this.failure ??= outcome;
      const first = isSplit ? sizer.refused(size, outcome) : undefined;
      if (first === undefined) insert(this.#missing, range);
      else {
        insert(this.#missing, { from: range.from, to: range.from + first });
        insert(this.#missing, { from: range.from + first + 1n, to: range.to });
      }
      return;
    }
    insert(this.pieces, piece);
    sizer.answered(size, piece.logs.length, piece.bytes);
    this.#bytes += piece.bytes;
    if (this.#missing.length === 0 && this.#inFlight.size <= 1) return; // this was the last piece
    if (this.#keptBytes + this.#bytes > maxKeptBytes) this.failure ??= "too-much";
    if (this.#bytes > maxBytes) this.failure ??= "enough";
  }
}

/** Asks again for what a node failed at by itself, or what was cut off: of many pieces, one is now and then. */
export async function askAgain(ask: () => Promise<Outcome>, again?: () => void): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await ask();
    if (attempt === maxAttempts || !(isInternalError(outcome) || isCutOff(outcome))) return outcome;
    again?.();
  }
}

function isCutOff(outcome: Outcome): boolean {
  return outcome.kind === "unreachable" && outcome.reason === "truncated";
}

function isInternalError(outcome: Outcome): boolean {
  const message = outcome.kind === "refused" ? outcome.message : "";
  return /^\W*internal (?:json-rpc |server )?error\W*$/i.test(message);
}

/** Returns what of a range is in none of the pieces, which are in order. */
export function gapsBetween({ from, to }: BlockRange, pieces: readonly BlockRange[]): BlockRange[] {
  const gaps: BlockRange[] = [];
  let start = from;
  for (const piece of pieces) {
    if (piece.from > start) gaps.push({ from: start, to: piece.from - 1n });
    start = piece.to + 1n;
  }
  if (start <= to) gaps.push({ from: start, to });
  return gaps;
}

/** Inserts a range in order. Most come nearly in order, so the place is near the end. */
function insert<T extends BlockRange>(ranges: T[], range: T): void {
  const before = ranges.findLastIndex(({ from }) => from < range.from);
  ranges.splice(before + 1, 0, range);
}
