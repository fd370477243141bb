import { shortQuantity, toQuantity } from "../../base/hex.ts";
import { isArray, isObject, type JsonValue, parseJson } from "../../base/json.ts";
import { memberSpans } from "../../base/jsonScan.ts";
import { slice } from "../../base/span.ts";
import { replaced } from "../../base/text.ts";
import { grouped } from "../../base/units.ts";
import type { LogSink } from "../../gate/endpointQueue.ts";
import { headNow, headOnce } from "../../gate/heads.ts";
import { type LogPiece, readPiece } from "../../rpc/logMemory.ts";
import { isTimeout, isTooManyBlocks, LogSizer } from "../../rpc/logSizer.ts";
import type { Outcome } from "../../rpc/outcome.ts";
import type { BlockRange } from "../../rpc/range.ts";
import type { RawRequest } from "../../rpc/wire.ts";
import {
  anchorAt,
  forget,
  hasKept,
  keep,
  keptLogs,
  type LogCell,
  logMemoryOf,
  maxKeptBytes,
  reorgNotes,
} from "./keptLogs.ts";
import { answeredLogs, failedLogs, notLogs, partialLogs, progressText } from "./logOutcome.ts";
import { collectLogs, type LogCollection } from "./splitLogRange.ts";
import { maxAnswerBytes, type RangeFilter, streamLogs, takenOutcome } from "./streamLogs.ts";

/**
 * Reads the logs of any range. The request is sent as it is unless the endpoint is known to accept fewer blocks. If the
 * endpoint refuses, the range is read in parts and put together: complete, in order, without duplicates. After a failure or
 * a cancellation the endpoint's memory keeps what arrived, and the same request continues there.
 *
 * @param sent - The outcome of the request as it is written, if it was sent already.
 */
export async function requestLogs(logCell: LogCell, sent?: Outcome): Promise<Outcome> {
  const { queue, cell, request } = logCell;
  const filter = logFilter(request);
  const sink = queue.progress.logSinkOf(cell, request);
  if (sink) return readInto(sink, filter, logCell);
  if (!filter) return sent ?? queue.sendOne(cell, request);
  const memory = logMemoryOf(logCell);
  const { logRange } = queue.resolved.endpoint;
  const limit = logRange ?? memory.limits.range;
  const sizer = new LogSizer(logRange, memory.limits, queue.routes.maxBytes);
  const mayNeedParts = !sent && (limit !== undefined || memory.unfinished.has(filter.key));
  let plan = mayNeedParts ? await planOf(filter, logCell) : undefined;
  let first = sent;
  if (!plan || !(hasKept(memory, filter.key, plan) || (limit !== undefined && plan.to - plan.from > limit))) {
    first ??= await queue.sendOne(cell, request);
    if (!isTooManyBlocks(first)) return first;
    plan ??= await planOf(filter, logCell);
    if (!plan || plan.to <= plan.from || (isTimeout(first) && !plan.isHeadKnown)) return first;
    sizer.refused(plan.to - plan.from, first);
  }
  return readInParts({ filter, plan, sizer, logCell, isSecond: first !== undefined });
}

/** Lets a sink take the logs, also those of a range that the endpoint would answer at once. */
async function readInto(sink: LogSink, filter: LogFilter | undefined, logCell: LogCell): Promise<Outcome> {
  const { resolved, routes } = logCell.queue;
  const memory = logMemoryOf(logCell);
  const plan = filter && (await planOf(filter, logCell));
  if (!filter || !plan || plan.withPending) {
    const todo = "End the range with a block that exists, such as `latest`, and begin it with a number or a variable.";
    const what = "The request is not about a range of blocks that can be read in parts.";
    const head = await headOnce(logCell.queue, logCell.cell, "latest");
    const isUnknown = typeof head === "object" && head.kind === "unknown-head";
    return takenOutcome({ notes: [], fault: isUnknown ? head.because : { what, todo } }, logCell);
  }
  const maxBytes = Math.min(routes.maxBytes, maxAnswerBytes);
  const sizer = new LogSizer(resolved.endpoint.logRange, memory.limits, maxBytes);
  const missing = await missingBlock(filter, logCell);
  if (missing?.isAll) return takenOutcome({ notes: [], fault: missing }, logCell);
  const outcome = await streamLogs({ ...plan, missing, filter }, sizer, logCell, sink);
  memory.limits = { ...memory.limits, ...sizer.limits };
  return outcome;
}

/** Says that the last block of a range does not exist, and whether none of it does. */
async function missingBlock({ from, to }: LogFilter, logCell: LogCell) {
  const head = typeof to === "bigint" ? await headOf("latest", logCell, false) : undefined;
  if (head === undefined || typeof to !== "bigint" || to <= head) return undefined;
  return {
    what: `Block ${grouped(to)} does not exist yet: the newest block is ${grouped(head)}.`,
    todo: "Run it again when it does, or end the range with `latest`.",
    isAll: typeof from === "bigint" && from > head,
  };
}

/** The blocks to read. The numbers are fixed, however the head moves. */
interface Plan extends BlockRange {
  /** Also the pre-confirmed logs after `to`. */
  readonly withPending: boolean;
  /** The endpoint has answered with its head, so it is alive. */
  readonly isHeadKnown: boolean;
  readonly notes: readonly string[];
}

/** @returns `undefined` if the range is unknown, or is a single block. */
async function planOf({ from, to }: LogFilter, logCell: LogCell): Promise<Plan | undefined> {
  if (from === "latest" || from === "pending" || to === "earliest") return undefined;
  const numberOf = async (block: bigint | string): Promise<bigint | undefined> => {
    if (typeof block === "bigint") return block;
    return block === "earliest" ? 0n : headOf(block, logCell, false);
  };
  const start = await numberOf(from);
  const head = await headOf("latest", logCell, to === "pending");
  const last = to === "latest" || to === "pending" ? head : await numberOf(to);
  if (start === undefined || last === undefined || start > last) return undefined;
  const plan = { from: start, to: last, withPending: false, isHeadKnown: head !== undefined, notes: [] };
  if (to === "pending") return start < last ? { ...plan, to: last - 1n, withPending: true } : undefined;
  if (head === undefined || last <= head || start > head) return plan;
  const notes = [`Block ${grouped(last)} does not exist yet: the logs end with ${grouped(head)}, the newest block.`];
  return { ...plan, to: head, notes };
}

/**
 * Returns the number of the block that a tag names; `undefined` if it is unknown.
 *
 * @param isFresh - As of now, not as of the beginning of the run.
 */
async function headOf(tag: string, { queue, cell }: LogCell, isFresh: boolean): Promise<bigint | undefined> {
  const head = await (isFresh ? headNow : headOnce)(queue, cell, tag);
  return typeof head === "bigint" ? head : undefined;
}

interface RangeReading {
  readonly filter: LogFilter;
  readonly plan: Plan;
  readonly sizer: LogSizer;
  readonly logCell: LogCell;
  /** The request was sent as it is written, and refused. */
  readonly isSecond: boolean;
}

async function readInParts({ filter, plan, sizer, logCell, isSecond }: RangeReading): Promise<Outcome> {
  const { queue, cell, request } = logCell;
  const { clock, maxBytes } = queue.routes;
  const memory = logMemoryOf(logCell);
  const start = { date: clock.date(), now: clock.now() };
  const [anchor, kept] = await Promise.all([anchorAt(plan.to, logCell), keptLogs(memory, filter.key, plan, logCell)]);
  // Pending logs are read first, so that a moving head cannot come between them and the rest.
  const pending = plan.withPending ? await pendingPiece(filter, plan, logCell) : undefined;
  if (pending && "kind" in pending) return pending;
  const otherRequests = (isSecond ? 1 : 0) + (pending ? 1 : 0);
  const notes = [...plan.notes, ...kept.notes];
  const parts = (collection: LogCollection) => ({ start, collection, pending, otherRequests, plan, notes, logCell });
  const collection = await collectLogs(plan, {
    sizer,
    kept: kept.pieces,
    maxBytes,
    maxKeptBytes: maxKeptBytes(logCell),
    ask: ({ from, to }) => queue.sendOne(cell, filter.over(from, to)),
    onProgress(current) {
      const soFar = () => [{ request, outcome: partialLogs(parts(current)) }];
      queue.progress.onPart(cell, { text: progressText(current), soFar });
    },
  });
  memory.limits = { ...memory.limits, ...sizer.limits };
  if (collection.failure !== undefined) {
    keep(memory, filter.key, { pieces: collection.pieces, anchor }, logCell);
    return failedLogs(parts(collection));
  }
  forget(memory, filter.key, plan);
  return answeredLogs(parts(collection), anchor ? await reorgNotes(anchor, logCell) : []);
}

/** Begins with a block that certainly exists: endpoints refuse a range that begins after the head. */
async function pendingPiece(filter: LogFilter, plan: Plan, { queue, cell }: LogCell): Promise<LogPiece | Outcome> {
  const from = plan.to + 1n;
  const outcome = await queue.sendOne(cell, filter.over(from, "pending"));
  if (outcome.kind !== "answered") return outcome;
  return readPiece({ from, to: from, isOpen: true }, outcome) ?? notLogs(outcome.exchange);
}

/** An `eth_getLogs` request whose range can be read in parts. */
export interface LogFilter extends RangeFilter {
  /** A number, or a block tag. */
  readonly from: bigint | string;
  readonly to: bigint | string;
}

const tags = new Set(["earliest", "finalized", "safe", "latest", "pending"]);

/** @returns `undefined` if there is no range: another method, a `blockHash`, malformed parameters. */
function logFilter(request: RawRequest): LogFilter | undefined {
  if (request.method !== "eth_getLogs") return undefined;
  const [span] = memberSpans(request.text, "params");
  if (!span) return undefined;
  const params = slice(request.text, span);
  const list = parseJson(params);
  const filter = isArray(list) ? list[0] : undefined;
  if (!isObject(filter) || (filter.blockHash !== undefined && filter.blockHash !== null)) return undefined;
  const [from, to] = [blockOf(filter.fromBlock), blockOf(filter.toBlock)];
  if (from === undefined || to === undefined) return undefined;
  const isEmpty = Object.keys(filter).length === 0;
  return {
    from,
    to,
    key: withEnds(params, { fromBlock: "", toBlock: "" }, isEmpty),
    over: (first, last) => {
      const ends = { fromBlock: toQuantity(first), toBlock: last === "pending" ? last : toQuantity(last) };
      const text = replaced(request.text, [{ span, insert: withEnds(params, ends, isEmpty) }]);
      return { id: request.id, method: request.method, text };
    },
  };
}

function blockOf(value: JsonValue | undefined): bigint | string | undefined {
  if (value === undefined || value === null) return "latest";
  if (typeof value === "string" && tags.has(value)) return value;
  const number = shortQuantity(value);
  return number !== undefined && number >= 0n ? number : undefined;
}

/** Replaces the ends of the range in the text of the parameters. Missing ends are added in front. */
function withEnds(params: string, ends: Readonly<Record<string, string>>, isEmpty: boolean): string {
  const edits: Parameters<typeof replaced>[1][number][] = [];
  const missing: string[] = [];
  for (const [name, value] of Object.entries(ends)) {
    const [span] = memberSpans(params, name);
    if (span) edits.push({ span, insert: JSON.stringify(value) });
    else missing.push(`"${name}":"${value}"`);
  }
  const start = params.indexOf("{") + 1;
  if (missing.length > 0) edits.push({ span: { start, end: start }, insert: missing.join(",") + (isEmpty ? "" : ",") });
  return replaced(
    params,
    edits.sort((a, b) => a.span.start - b.span.start),
  );
}
