import type { Explanation } from "../../base/error.ts";
import type { LogSink, TakenLogs } from "../../gate/endpointQueue.ts";
import { type Cost, costText } from "../../gate/questions.ts";
import { type LogPiece, readPiece } from "../../rpc/logMemory.ts";
import { isTimeout, isTooManyBlocks, type LogSizer, smaller } from "../../rpc/logSizer.ts";
import type { Outcome } from "../../rpc/outcome.ts";
import type { BlockRange } from "../../rpc/range.ts";
import type { RawRequest } from "../../rpc/wire.ts";
import { hashOf, type LogCell } from "./keptLogs.ts";
import { notLogs } from "./logOutcome.ts";
import { askAgain, maxTimeouts } from "./splitLogRange.ts";

/** A request that can be made for any blocks. */
export interface RangeFilter {
  /** The parameters without the range: equal for two requests that differ in their blocks only. */
  readonly key: string;
  /** Makes the same request for other blocks; everything else stays as it was written. */
  over(from: bigint, to: bigint | "pending"): RawRequest;
}

/** Bytes of an answer about several blocks: it is in memory until its logs are written. */
export const maxAnswerBytes = 32_000_000;

/** Requests in flight beside the one that is wanted, and the bytes that they may bring together. */
const [maxAhead, maxAheadBytes] = [3, 16_000_000];

/**
 * Lets a sink read the logs of a range piece by piece, while requests for the next pieces are on their way. A piece that
 * is refused for its size is asked for again in smaller ones; any other failure is that of the cell.
 *
 * @returns An answer without logs, or the failure.
 */
export async function streamLogs(
  { filter, missing, ...range }: StreamedRange,
  sizer: LogSizer,
  logCell: LogCell,
  sink: LogSink,
): Promise<Outcome> {
  const { queue, cell } = logCell;
  const { maxBytes } = queue.routes;
  const reader = new PieceReader(range, sizer, ({ from, to }) => {
    const most = from === to ? maxBytes : Math.min(maxBytes, maxAnswerBytes); // a block cannot be read in parts
    return askAgain(() => queue.sendOne(cell, filter.over(from, to), most));
  });
  const ask = async (request: RawRequest): Promise<Outcome> => {
    const outcome = await queue.sendOne(cell, request);
    reader.failure = outcome.kind === "unreachable" ? outcome : undefined;
    return outcome;
  };
  const taken = await sink.take({
    ...{ range, key: filter.key, host: queue.resolved.endpoint.host, ask },
    read: (from) => reader.read(from),
    allow: (cost) => allowCost(cost, logCell),
    hashOf: (block) => hashOf(block, logCell),
  });
  await reader.ended();
  const { done, notes, ...rest } = taken;
  if (!missing || done === undefined) return takenOutcome(taken, logCell, reader.failure);
  const fault = { what: missing.what, todo: `${done} ${missing.todo}` };
  return takenOutcome({ ...rest, notes, fault }, logCell, reader.failure);
}

/** The logs of blocks that exist. */
interface StreamedRange extends BlockRange {
  readonly filter: RangeFilter;
  /** Why they are not all that were asked for. */
  readonly missing: Explanation | undefined;
}

interface AskedBlocks extends BlockRange {
  readonly outcome: Promise<Outcome>;
}

/** Reads the blocks that are wanted, and asks for those that follow before they are. */
class PieceReader {
  readonly #range: BlockRange;
  readonly #sizer: LogSizer;
  readonly #ask: (blocks: BlockRange) => Promise<Outcome>;
  /** In order, with gaps where an answer was refused. */
  #ahead: AskedBlocks[] = [];
  /** The block after the last piece. If another one is wanted, the chain may have changed. */
  #next: bigint | undefined;
  #lastBytes = 0;
  /** Of the last answer that was wanted. */
  failure: Outcome | undefined;

  constructor(range: BlockRange, sizer: LogSizer, ask: (blocks: BlockRange) => Promise<Outcome>) {
    this.#range = range;
    this.#sizer = sizer;
    this.#ask = ask;
  }

  async read(from: bigint): Promise<LogPiece | undefined> {
    this.failure = undefined;
    if (from !== this.#next) {
      await this.ended();
      this.#ahead = [];
    }
    let asked = this.#ahead[0]?.from === from ? this.#ahead.shift() : undefined;
    const end = asked?.to ?? (this.#ahead[0] ? this.#ahead[0].from - 1n : this.#range.to);
    asked ??= this.#start(from, end);
    if (from === this.#next) this.#askAhead(asked.to);
    for (let timeouts = 0; ; ) {
      const outcome = await asked.outcome;
      const [size, piece] = [asked.to - from, outcome.kind === "answered" ? readPiece(asked, outcome) : undefined];
      if (piece) {
        this.#sizer.answered(size, piece.logs.length, piece.bytes);
        [this.#next, this.#lastBytes] = [piece.to + 1n, piece.bytes];
        return piece;
      }
      timeouts = isTimeout(outcome) ? timeouts + 1 : 0;
      if (!isTooManyBlocks(outcome) || size === 0n || timeouts > maxTimeouts) {
        this.failure = outcome.kind === "answered" ? notLogs(outcome.exchange) : outcome;
        return undefined;
      }
      asked = this.#start(from, end, this.#sizer.refused(size, outcome));
    }
  }
  #start(from: bigint, end: bigint, size?: bigint): AskedBlocks {
    const left = end - from;
    const to = from + smaller(left, size ?? this.#sizer.next(left));
    return { from, to, outcome: this.#ask({ from, to }) };
  }
  #askAhead(wanted: bigint): void {
    for (let last = this.#ahead.at(-1)?.to ?? wanted; last < this.#range.to; ) {
      const count = this.#ahead.length;
      const isSafe = this.#sizer.isSafe(this.#sizer.next(this.#range.to - last - 1n));
      if (!isSafe || count === maxAhead || (count > 0 && this.#lastBytes * (count + 1) > maxAheadBytes)) return;
      const next = this.#start(last + 1n, this.#range.to);
      this.#ahead.push(next);
      last = next.to;
    }
  }
  /** Waits for the requests that are still on their way. */
  async ended(): Promise<void> {
    await Promise.all(this.#ahead.map(({ outcome }) => outcome));
  }
}

async function allowCost(cost: Cost, { queue, cell }: LogCell): Promise<Explanation | undefined> {
  const { resolved, routes, progress, signal } = queue;
  const asks = (): void => progress.onQuestion(`approve ${costText(cost)}`, [cell]);
  if (await routes.approvals.allowCost(resolved, cost, signal, asks)) return undefined;
  const todo = routes.approvals.byOptions ? "Add --yes to allow it." : "Run it again to be asked again.";
  return { what: `Reading the logs takes ${costText(cost)}, by a sample, and was not allowed.`, todo };
}

/** The outcome of a request whose logs went elsewhere: an answer without logs, or a failure. */
export function takenOutcome(
  { done, notes, fault, saved }: TakenLogs,
  { queue: { resolved, routes } }: LogCell,
  failure?: Outcome,
): Outcome {
  const { name, host } = resolved.endpoint;
  const parts = { requests: 0, notes, ...(done !== undefined && { done }), ...(saved && { saved }) };
  if (failure) return { ...failure, exchange: { ...failure.exchange, parts } };
  const exchange = {
    ...{ endpoint: name, host, status: 200, headers: {}, startedAt: routes.clock.date(), durationMs: 0 },
    ...{ bytes: 0, batch: 1, attempts: 1, parts },
  };
  if (!fault) return { kind: "answered", result: { value: [], text: "[]" }, exchange };
  return { kind: "unreachable", reason: "unsendable", message: fault.what, hint: fault.todo, exchange };
}
