import type { LogSink } from "../../gate/endpointQueue.ts";
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

/**
 * Reads the logs of a range piece by piece, the lowest blocks first, and lets a sink take each. No more than one piece is
 * held. A piece that is refused for its size is asked for again in smaller ones; any other failure ends the reading.
 *
 * @returns An answer without logs, or the failure.
 */
export async function readInOrder(
  filter: RangeFilter,
  plan: BlockRange,
  sizer: LogSizer,
  logCell: LogCell,
  sink: LogSink,
): Promise<Outcome> {
  let requests = 0;
  let timeouts = 0;
  /** The size of the next request, if only the refused blocks are to be split. */
  let split: bigint | undefined;
  const { queue, cell } = logCell;
  const { host } = queue.resolved.endpoint;
  const ask = (request: RawRequest): Promise<Outcome> => queue.sendOne(cell, request);
  const reading = { range: plan, key: filter.key, host, hashOf: (block: bigint) => hashOf(block, logCell), ask };
  let from = await sink.begin(reading);
  while (from !== undefined && from <= plan.to) {
    const start: bigint = from;
    const left = plan.to - start;
    const size: bigint = smaller(left, split ?? sizer.next(left));
    const to = start + size;
    requests++;
    const outcome = await askAgain(
      () => ask(filter.over(start, to)),
      () => requests++,
    );
    const piece: LogPiece | undefined =
      outcome.kind === "answered" ? readPiece({ from: start, to }, outcome) : undefined;
    if (piece) {
      sizer.answered(size, piece.logs.length, piece.bytes);
      [split, timeouts] = [undefined, 0];
      from = await sink.take(piece);
      continue;
    }
    if (outcome.kind === "answered") return notLogs(outcome.exchange);
    timeouts = isTimeout(outcome) ? timeouts + 1 : 0;
    if (!isTooManyBlocks(outcome) || size === 0n || timeouts > maxTimeouts) return outcome;
    split = sizer.refused(size, outcome);
  }
  return streamedLogs(requests, logCell);
}

/** An answer whose logs went elsewhere. */
export function streamedLogs(requests: number, { queue: { resolved, routes }, request }: LogCell): Outcome {
  const { name, host } = resolved.endpoint;
  const exchange = {
    ...{ id: request.id ?? null, endpoint: name, host, request: request.text, status: 200, headers: {} },
    ...{
      startedAt: routes.clock.date(),
      durationMs: 0,
      bytes: 0,
      batch: 1,
      attempts: 1,
      parts: { requests, notes: [] },
    },
  };
  return { kind: "answered", result: { value: [], text: "[]" }, exchange };
}
