import type { Explanation } from "../../base/error.ts";
import type { JsonValue } from "../../base/json.ts";
import { concatenated } from "../../base/lazyList.ts";
import type { Moment } from "../../base/ports.ts";
import { listed, plural } from "../../base/text.ts";
import { formatBytes, grouped } from "../../base/units.ts";
import { blocksIn } from "../../catalog/tags.ts";
import { explainAnswer } from "../../rpc/faultMessages.ts";
import type { LogPiece } from "../../rpc/logMemory.ts";
import { isTooManyBlocks } from "../../rpc/logSizer.ts";
import type { Exchange, Incomplete, Outcome, RawJson } from "../../rpc/outcome.ts";
import type { BlockRange } from "../../rpc/range.ts";
import { type LogCell, maxKeptBytes } from "./keptLogs.ts";
import { gapsBetween, type LogCollection } from "./splitLogRange.ts";

/** The parts that an answer is put together from. */
interface LogParts {
  readonly start: Moment;
  readonly collection: LogCollection;
  /** The pre-confirmed logs. */
  readonly pending: LogPiece | undefined;
  /** Requests beside those of the collection. */
  readonly otherRequests: number;
  readonly plan: BlockRange;
  readonly notes: readonly string[];
  readonly logCell: LogCell;
}

/** Returns the complete answer. */
export function answeredLogs(parts: LogParts, notes: readonly string[]): Outcome {
  const { collection, pending, logCell } = parts;
  const { host } = logCell.queue.resolved.endpoint;
  const pieces = pending ? [...collection.pieces, pending] : collection.pieces;
  const largest = collection.pieces.reduce((size, { from, to }) => Math.max(size, Number(blocksIn(to - from))), 1);
  const requests = collection.requests + parts.otherRequests;
  const how = `Read in ${plural(pieces.length, "part")} of up to ${plural(largest, "block")}, with ${plural(requests, "request")}, since ${host} does not send all of it at once.`;
  const exchange = exchangeOf(parts, [how, ...notesOn(parts), ...notes]);
  return { kind: "answered", result: joined(pieces), exchange };
}

/** Returns the logs so far as if they were the answer. */
export function partialLogs(parts: LogParts): Outcome {
  return { kind: "answered", result: joined([...parts.collection.pieces]), exchange: exchangeOf(parts, []) };
}

/** Returns the failure that ended the reading, with the logs that arrived. */
export function failedLogs(parts: LogParts): Outcome {
  const { failure, pieces } = parts.collection;
  const incomplete = incompleteOf(parts);
  const notes = [...notesOn(parts)];
  const next = failure === "too-much" ? "" : ": run the cell again to continue"; // it would not
  if (pieces.length > 0) notes.push(`${progressText(parts.collection)} arrived. ${howKept}${next}.`);
  if (incomplete?.blocks) {
    const { asked, missing } = incomplete.blocks;
    notes.push(`These are the logs of the ${blocksText([asked])}, without the ${blocksText(missing)}.`);
  }
  if (typeof failure === "object" && isTooManyBlocks(failure)) {
    const what = pieces.length > 0 ? "A single block is too large." : "Not even a single block was answered.";
    notes.push(`${what} Narrow the filter by address and topics.`);
  }
  const exchange = exchangeOf(parts, notes, incomplete);
  if (typeof failure !== "object") {
    const { what, todo } = explainEnd(failure, parts);
    return { kind: "unreachable", reason: "too-large", message: what, hint: todo, exchange };
  }
  if (failure.kind === "answered") return { ...notLogs(failure.exchange), exchange };
  return { ...failure, exchange: { ...exchange, status: failure.exchange.status, headers: failure.exchange.headers } };
}

/** On the command line they are gone with the process. */
const howKept = "They are kept while the editor or a watched run is open";

const howSaved =
  'Save them to a file (Save All… at the table, `"save"` beside the request, or `--save` on the command line)';

function explainEnd(failure: "enough" | "too-much" | undefined, { logCell }: LogParts): Explanation {
  if (failure === "too-much") {
    const what = `The logs are larger than ${formatBytes(maxKeptBytes(logCell))} in total, which is the most that is kept for one cell.`;
    return { what, todo: `${howSaved}, ask for fewer blocks, or narrow the filter by address and topics.` };
  }
  return {
    what: `The logs are larger than ${formatBytes(logCell.queue.routes.maxBytes)} in total, so reading stopped.`,
    todo: `${howSaved}, or ask for fewer blocks.`,
  };
}

/** Ranges that are named. */
const maxNamed = 5;

/** @example blocksText([{ from: 7n, to: 7n }, { from: 1000n, to: 1999n }]) //=> "blocks 7 and 1,000 to 1,999" */
function blocksText(ranges: readonly BlockRange[]): string {
  const named = ranges
    .slice(0, maxNamed)
    .map(({ from, to }) => (from === to ? grouped(from) : `${grouped(from)} to ${grouped(to)}`));
  const others = ranges.length - named.length;
  const isOne = ranges.length === 1 && ranges.every(({ from, to }) => from === to);
  return `${isOne ? "block" : "blocks"} ${listed([...named, ...(others > 0 ? [plural(others, "more range")] : [])])}`;
}

/** Returns the outcome for an answer that is not a list of logs. */
export function notLogs(exchange: Exchange): Outcome {
  const { what, todo } = explainAnswer("not-json-rpc", exchange.host, "something other than a list of logs");
  return { kind: "unreachable", reason: "not-json-rpc", message: what, hint: todo, exchange };
}

/** @returns `undefined` if nothing arrived. */
function incompleteOf({ collection: { pieces }, plan: { from, to } }: LogParts): Incomplete | undefined {
  if (pieces.length === 0) return undefined;
  const asked = { from, to };
  return { result: joined([...pieces]), blocks: { asked, missing: gapsBetween(asked, pieces) } };
}

export function progressText({ pieces, left }: LogCollection): string {
  const logs = pieces.reduce((sum, piece) => sum + piece.logs.length, 0);
  return `${grouped(pieces.length)} of ${plural(pieces.length + left, "range")}, ${plural(logs, "log")}`;
}

function notesOn({ collection, pending, notes, logCell }: LogParts): readonly string[] {
  const { host } = logCell.queue.resolved.endpoint;
  const { pieces, kept } = collection;
  const strays = pieces.reduce((sum, piece) => sum + piece.strays, pending?.strays ?? 0);
  const nulls = pieces.filter(({ isNull }) => isNull).length;
  return [
    ...(kept > 0 ? [`${plural(kept, "part")} arrived in the previous run.`] : []),
    ...notes,
    ...(strays > 0
      ? [`${host} also sent ${plural(strays, "log")} of blocks that it was not asked for; each log appears once.`]
      : []),
    ...(nulls > 0 ? [`${host} answered ${plural(nulls, "part")} with null, which counts as no logs.`] : []),
  ];
}

/** Copies nothing before it is needed: there may be many logs. */
function joined(pieces: readonly LogPiece[]): RawJson {
  let value: readonly JsonValue[] | undefined;
  return {
    get value() {
      value ??= concatenated(pieces.map(({ logs }) => logs));
      return value;
    },
    get text() {
      const texts: string[] = [];
      let length = 0;
      for (const { logs, text } of pieces) {
        if (logs.length === 0) continue;
        length += text.length;
        if (length > maxTextLength) break;
        texts.push(text.slice(text.indexOf("[") + 1, text.lastIndexOf("]")));
      }
      return `[${texts.join(",")}]`;
    },
  };
}

/** UTF-16 code units; a string can be a little longer. The value has all logs. */
const maxTextLength = 500_000_000;

function exchangeOf(parts: LogParts, notes: readonly string[], soFar?: Incomplete): Exchange {
  const { logCell, collection, pending, otherRequests, start } = parts;
  const { queue } = logCell;
  const { name, host } = queue.resolved.endpoint;
  return {
    endpoint: name,
    host,
    status: 200,
    headers: {},
    startedAt: start.date,
    durationMs: queue.routes.clock.now() - start.now,
    bytes: collection.pieces.reduce((sum, { bytes }) => sum + bytes, pending?.bytes ?? 0),
    batch: 1,
    attempts: 1,
    parts: { requests: collection.requests + otherRequests, notes, ...(soFar && { soFar }) },
  };
}
