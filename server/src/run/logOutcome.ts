import type { Explanation } from "../base/explanation.ts";
import type { JsonValue } from "../base/json.ts";
import type { Clock, Moment } from "../base/ports.ts";
import { plural } from "../base/text.ts";
import { formatBytes, grouped } from "../base/units.ts";
import { explainAnswer } from "../rpc/faultMessages.ts";
import type { LogPiece } from "../rpc/logMemory.ts";
import type { Exchange, Incomplete, Outcome, RawJson } from "../rpc/outcome.ts";
import type { BlockRange } from "../rpc/range.ts";
import type { RawRequest } from "../rpc/wire.ts";
import { maxKeptRanges } from "./keptLogs.ts";
import { isTooBig, type LogCollection, type readPiece } from "./logCollection.ts";

/** Everything that an answer, or the part of one, is made of. */
export interface Whole {
  readonly start: Moment;
  readonly request: RawRequest;
  readonly gathering: LogCollection;
  /** The pre-confirmed logs. */
  readonly tail: NonNullable<ReturnType<typeof readPiece>> | undefined;
  /** Requests beside those of the gathering. */
  readonly made: number;
  readonly plan: BlockRange;
  readonly notes: readonly string[];
  readonly host: {
    readonly clock: Clock;
    readonly endpoint: string;
    /** Host and port. */
    readonly host: string;
    readonly maxBytes: number;
  };
}

/** An answer that is complete. */
export function answered(whole: Whole, notes: readonly string[]): Outcome {
  const { gathering, tail } = whole;
  const all = [...gathering.pieces, ...(tail ? [tail.piece] : [])];
  return { kind: "answered", result: joined(all), exchange: exchangeOf(whole, [...notesOn(whole, true), ...notes]) };
}

/** The part that has come, from its beginning without a gap, as if it were the answer. */
export function soFar(whole: Whole): Outcome {
  return { kind: "answered", result: joined(prefixOf(whole)), exchange: exchangeOf(whole, []) };
}

/** The failure that ended it, with the part that has come. */
export function failed(whole: Whole): Outcome {
  const { failure, pieces } = whole.gathering;
  const come = pieces.length > 0 ? [`${progressText(whole.gathering)} had come. ${kept}`] : [];
  const incomplete = incompleteOf(whole);
  const notes = [...notesOn(whole, false), ...come, ...missingNotes(incomplete), ...loneBlock(failure)];
  const exchange = exchangeOf(whole, notes, incomplete);
  if (failure === undefined || typeof failure === "string") {
    const { what, todo } = explainEnd(failure, whole);
    return { kind: "unreachable", reason: "too-large", message: what, hint: todo, exchange };
  }
  if (failure.kind === "answered") return { ...noList(failure.exchange), exchange };
  return { ...failure, exchange: { ...exchange, status: failure.exchange.status, headers: failure.exchange.headers } };
}

/** The command line forgets them with its process. */
const kept = "They are kept for as long as the editor, or --watch, runs: running the cell again goes on from there.";

function explainEnd(failure: "enough" | "too-much" | undefined, { host }: Whole): Explanation {
  if (failure === "too-much") {
    const what = `The logs are larger than ${formatBytes(maxKeptRanges(host))} together, more than is kept of one cell.`;
    return { what, todo: "Ask for fewer blocks, in several cells, or narrow the filter by address and topics." };
  }
  return {
    what: `The logs are larger than ${formatBytes(host.maxBytes)} together, so reading them stopped.`,
    todo: "Ask for fewer blocks, or raise `rpcNotebook.maxResponseSize`.",
  };
}

function missingNotes(incomplete: Incomplete | undefined): readonly string[] {
  if (!incomplete?.blocks) return [];
  const { complete, missing } = incomplete.blocks;
  return [`This is the part of the blocks ${rangeText(complete)}. Missing are the blocks ${rangeText(missing)}.`];
}

function rangeText({ from, to }: BlockRange): string {
  return `${grouped(from)} to ${grouped(to)}`;
}

function loneBlock(failure: LogCollection["failure"]): readonly string[] {
  const isOne = typeof failure === "object" && isTooBig(failure);
  return isOne ? ["Not even one block alone is answered: narrow the filter by address and topics."] : [];
}

export function noList(exchange: Exchange): Outcome {
  const { what, todo } = explainAnswer("not-json-rpc", exchange.host, "something else than a list of logs");
  return { kind: "unreachable", reason: "not-json-rpc", message: what, hint: todo, exchange };
}

/** @returns `undefined` if not even the first blocks have come. */
function incompleteOf(whole: Whole): Incomplete | undefined {
  const prefix = prefixOf(whole);
  const { plan } = whole;
  const end = prefix.at(-1)?.to;
  if (end === undefined) return undefined;
  const blocks = { complete: { from: plan.from, to: end }, missing: { from: end + 1n, to: plan.to } };
  return { result: joined(prefix), blocks };
}

/** The pieces from the beginning, up to the first gap. */
function prefixOf({ gathering: { pieces }, plan }: Whole): readonly LogPiece[] {
  let next = plan.from;
  const end = pieces.findIndex((piece) => {
    if (piece.from !== next) return true;
    next = piece.to + 1n;
    return false;
  });
  return end === -1 ? [...pieces] : pieces.slice(0, end);
}

export function progressText({ pieces, logs, left }: LogCollection): string {
  const all = plural(pieces.length + left, "range");
  return `${grouped(pieces.length)} of ${all}, ${plural(logs, "log")}`;
}

/** Says how the answer came about. */
function notesOn({ gathering, tail, made, notes, host }: Whole, isWhole: boolean): readonly string[] {
  const { pieces, requests, kept, strays, nulls } = gathering;
  const largest = pieces.reduce((size, { from, to }) => Math.max(size, Number(to - from) + 1), 1);
  const how = `Read in ${plural(pieces.length + (tail ? 1 : 0), "part")} of up to ${plural(largest, "block")}, with ${plural(requests + made, "request")}, since ${host.host} does not send all of it at once.`;
  const before = kept > 0 ? [`${plural(kept, "part")} of it had come in the run before.`] : [];
  const odd = [
    ...(strays + (tail?.strays ?? 0) > 0
      ? [
          `${host.host} also sent ${plural(strays + (tail?.strays ?? 0), "log")} of blocks that were not asked for then; each is here once.`,
        ]
      : []),
    ...(nulls > 0 ? [`${host.host} answered ${plural(nulls, "part")} with null, which is taken for no logs.`] : []),
  ];
  return [...(isWhole ? [how] : []), ...before, ...notes, ...odd];
}

/** Nothing is copied before it is asked for: the logs may be many. */
function joined(pieces: readonly LogPiece[]): RawJson {
  let value: readonly JsonValue[] | undefined;
  return {
    get value() {
      value ??= pieces.flatMap(({ logs }) => logs);
      return value;
    },
    get text() {
      const texts: string[] = [];
      let length = 0;
      for (const piece of pieces) {
        if (piece.logs.length === 0) continue;
        const { text } = piece;
        length += text.length;
        if (length > longestText) break;
        texts.push(text.slice(text.indexOf("[") + 1, text.lastIndexOf("]")));
      }
      return `[${texts.join(",")}]`;
    },
  };
}

/** UTF-16 code units; a string can be a little longer. The value has all logs. */
const longestText = 500_000_000;

function exchangeOf(
  { request: { id, text }, gathering, tail, made, host, start }: Whole,
  notes: readonly string[],
  incomplete?: Incomplete,
): Exchange {
  return {
    id: id ?? null,
    endpoint: host.endpoint,
    host: host.host,
    request: text,
    status: 200,
    headers: {},
    startedAt: start.date,
    durationMs: host.clock.now() - start.now,
    bytes: gathering.pieces.reduce((sum, { bytes }) => sum + bytes, tail?.piece.bytes ?? 0),
    batch: 1,
    attempts: 1,
    parts: { requests: gathering.requests + made, notes, ...(incomplete && { soFar: incomplete }) },
  };
}
