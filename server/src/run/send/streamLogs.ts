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

/**
 * Lets a sink read the logs of a range piece by piece. A piece that is refused for its size is asked for again in smaller
 * ones; any other failure is that of the cell.
 *
 * @returns An answer without logs, or the failure.
 */
export async function streamLogs(
  filter: RangeFilter,
  range: BlockRange,
  sizer: LogSizer,
  logCell: LogCell,
  sink: LogSink,
): Promise<Outcome> {
  const { queue, cell } = logCell;
  const ask = (request: RawRequest): Promise<Outcome> => queue.sendOne(cell, request);
  let failure: Outcome | undefined;
  const read = async (from: bigint): Promise<LogPiece | undefined> => {
    failure = undefined; // of an earlier one, which was a sample
    const left = range.to - from;
    let [size, timeouts] = [smaller(left, sizer.next(left)), 0];
    for (;;) {
      const to = from + size;
      const outcome = await askAgain(() => ask(filter.over(from, to)));
      const piece = outcome.kind === "answered" ? readPiece({ from, to }, outcome) : undefined;
      if (piece) sizer.answered(size, piece.logs.length, piece.bytes);
      if (piece) return piece;
      timeouts = isTimeout(outcome) ? timeouts + 1 : 0;
      if (!isTooManyBlocks(outcome) || size === 0n || timeouts > maxTimeouts) {
        failure = outcome.kind === "answered" ? notLogs(outcome.exchange) : outcome;
        return undefined;
      }
      size = smaller(left, sizer.refused(size, outcome) ?? sizer.next(left));
    }
  };
  const taken = await sink.take({
    ...{ range, key: filter.key, host: queue.resolved.endpoint.host, read, ask },
    allow: (cost) => allowCost(cost, logCell),
    hashOf: (block) => hashOf(block, logCell),
  });
  return takenOutcome(taken, logCell, failure);
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
  { done, notes, fault }: TakenLogs,
  { queue: { resolved, routes }, request }: LogCell,
  failure?: Outcome,
): Outcome {
  const { name, host } = resolved.endpoint;
  const parts = { requests: 0, notes, ...(done !== undefined && { done }) };
  if (failure) return { ...failure, exchange: { ...failure.exchange, parts } };
  const exchange = {
    ...{ id: request.id ?? null, endpoint: name, host, request: request.text, status: 200, headers: {} },
    ...{ startedAt: routes.clock.date(), durationMs: 0, bytes: 0, batch: 1, attempts: 1, parts },
  };
  if (!fault) return { kind: "answered", result: { value: [], text: "[]" }, exchange };
  return { kind: "unreachable", reason: "unsendable", message: fault.what, hint: fault.todo, exchange };
}
