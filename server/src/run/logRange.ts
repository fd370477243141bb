import type { JsonValue } from "../base/json.ts";
import type { Clock } from "../base/ports.ts";
import { plural } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import type { LogMemory, LogPiece, UnfinishedLogs } from "../rpc/logMemory.ts";
import type { Exchange, Outcome, RawJson } from "../rpc/outcome.ts";
import type { BlockRange } from "../rpc/range.ts";
import type { EndpointMemory } from "../rpc/send.ts";
import type { WireRequest } from "../rpc/wire.ts";
import { explainAnswer, explainFault } from "../rpc/words.ts";
import { type LogFilter, logFilter } from "./logFilter.ts";
import { type Gathering, gather, isTooBig, logsIn, readPiece } from "./logPieces.ts";
import { type LogSizes, logSizes } from "./logSizes.ts";

/** Logs that are still coming. */
export interface LogProgress {
  /** "37 of 500 ranges, 12,345 logs" */
  readonly text: string;
  /** An outcome with what has come so far, from its beginning without a gap; made when it is asked for. */
  soFar(): Outcome;
}

/** What reading logs needs of the run. */
export interface LogHost {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly endpoint: string;
  /** Host and port. */
  readonly host: string;
  /** Greatest toBlock − fromBlock, as configured. */
  readonly logRange: bigint | undefined;
  /** Milliseconds for one exchange; bytes of all that is put together. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly memory: EndpointMemory;
  /** One request alone, retried as policy has it. Never rejects. */
  send(request: WireRequest): Promise<Outcome>;
  /**
   * The number of the block that a tag names; `undefined` where it is not known.
   *
   * @param isFresh - As of now, not as of the beginning of the run.
   */
  headOf(tag: string, isFresh: boolean): Promise<bigint | undefined>;
  /** `undefined` where it is not known. */
  hashOf(block: bigint): Promise<string | undefined>;
  told(progress: LogProgress): void;
}

/**
 * Asks for the logs of any range. As long as nothing speaks against it the request goes out as it is. Where the
 * endpoint is known to take fewer blocks, or refuses that many, it is asked in parts, and the answer is as if it had
 * been one: complete, in order, nothing twice. What had come before a failure or a cancellation stays in the
 * endpoint's memory, and the same request goes on from there.
 *
 * @param come - What came of it as it is written, where it has been out already.
 */
export async function requestLogs(request: WireRequest, host: LogHost, come?: Outcome): Promise<Outcome> {
  const filter = logFilter(request);
  if (!filter) return come ?? host.send(request);
  host.memory.logs ??= { limits: {}, unfinished: new Map() };
  const memory = host.memory.logs;
  const sizes = logSizes(host.logRange, memory.limits);
  const limit = host.logRange ?? memory.limits.range;
  const isStarted = memory.unfinished.has(filter.key);

  let plan = !come && (limit !== undefined || isStarted) ? await planOf(filter, host) : undefined;
  let first: Outcome | undefined;
  if (come || !plan || !(isStarted || (limit !== undefined && plan.to - plan.from > limit))) {
    first = come ?? (await host.send(request));
    if (!isTooBig(first)) return first;
    plan ??= await planOf(filter, host);
    if (!plan || plan.to <= plan.from) return first;
    sizes.refused(plan.to - plan.from, first);
  }
  return inParts(request, filter, plan, { sizes, memory, host, startedAt: host.clock.now(), before: first ? 1 : 0 });
}

/** The blocks to read, in numbers from now on, however the head moves. */
interface Plan extends BlockRange {
  /** Also what comes after `to`, up to the pre-confirmed logs. */
  readonly withPending: boolean;
  readonly notes: readonly string[];
}

/** @returns `undefined` where the range cannot be told, or holds nothing that could be split. */
async function planOf({ from, to }: LogFilter, host: LogHost): Promise<Plan | undefined> {
  if (from === "latest" || from === "pending" || to === "earliest") return undefined;
  const start = typeof from === "bigint" ? from : await numberOf(from, host);
  const head = await host.headOf("latest", to === "pending");
  const last = typeof to === "bigint" ? to : to === "latest" || to === "pending" ? head : await numberOf(to, host);
  if (start === undefined || last === undefined || start > last) return undefined;
  if (to === "pending") return start < last ? { from: start, to: last - 1n, withPending: true, notes: [] } : undefined;
  if (head === undefined || last <= head || start > head)
    return { from: start, to: last, withPending: false, notes: [] };
  const notes = [`Block ${grouped(last)} is not there yet: the logs end with ${grouped(head)}, the newest one.`];
  return { from: start, to: head, withPending: false, notes };
}

async function numberOf(tag: string, host: LogHost): Promise<bigint | undefined> {
  return tag === "earliest" ? 0n : host.headOf(tag, false);
}

interface Reading {
  readonly sizes: LogSizes;
  readonly memory: LogMemory;
  readonly host: LogHost;
  readonly startedAt: number;
  /** Requests before it, which were refused. */
  readonly before: number;
}

async function inParts(request: WireRequest, filter: LogFilter, plan: Plan, reading: Reading): Promise<Outcome> {
  const { host, sizes, memory } = reading;
  const [anchor, unfinished] = await Promise.all([anchorAt(plan.to, host), stillRight(memory, filter, host)]);
  const kept = (unfinished.value?.pieces ?? []).filter((piece) => piece.from >= plan.from && piece.to <= plan.to);
  const notes = [...plan.notes, ...unfinished.notes];

  // Asked for first, so that a moving head cannot come between it and the rest; a refusal then costs nothing more.
  const tail = plan.withPending ? await pendingPiece(filter, plan, host) : undefined;
  if (tail && "kind" in tail) return tail;
  const made = reading.before + (tail ? 1 : 0);
  const whole = (gathering: Gathering): Whole => ({ gathering, tail, made, plan, notes });

  const gathered = await gather(plan, {
    sizes,
    kept,
    maxBytes: host.maxBytes,
    ask: ({ from, to }) => host.send(filter.over(from, to)),
    told: (gathering) =>
      host.told({
        text: progressText(gathering),
        soFar: () => answered(request, prefixOf(gathering, plan), whole(gathering), reading, []),
      }),
  });
  memory.limits = { ...memory.limits, ...sizes.limits };
  memory.unfinished.delete(filter.key);
  if (gathered.failure !== undefined) {
    keep(memory, filter.key, { pieces: gathered.pieces, anchor }, host.maxBytes);
    return failed(request, whole(gathered), reading, notesOn(whole(gathered), host, false));
  }
  const reorg = anchor ? await reorgNotes(anchor, host) : [];
  const all = [...gathered.pieces, ...(tail ? [tail.piece] : [])];
  return answered(request, all, whole(gathered), reading, [...notesOn(whole(gathered), host, true), ...reorg]);
}

/** Everything that an answer, or what there is of one, is made of. */
interface Whole {
  readonly gathering: Gathering;
  readonly tail: NonNullable<ReturnType<typeof readPiece>> | undefined;
  /** Requests beside those of the gathering. */
  readonly made: number;
  readonly plan: Plan;
  readonly notes: readonly string[];
}

type Anchor = UnfinishedLogs["anchor"];

async function anchorAt(block: bigint, host: LogHost): Promise<Anchor> {
  const hash = await host.hashOf(block);
  return hash === undefined ? undefined : { block, hash };
}

async function reorgNotes({ block, hash }: NonNullable<Anchor>, host: LogHost): Promise<readonly string[]> {
  const now = host.signal.aborted ? undefined : await host.hashOf(block);
  if (now === undefined || now === hash) return [];
  return [
    `Block ${grouped(block)} was replaced by another one while the logs were read (a reorganisation of the chain): the last of them may be wrong. Run the cell again.`,
  ];
}

/** What was kept of the same question, unless the chain has changed since. */
async function stillRight(
  memory: LogMemory,
  { key }: LogFilter,
  host: LogHost,
): Promise<{ readonly value: UnfinishedLogs | undefined; readonly notes: readonly string[] }> {
  const value = memory.unfinished.get(key);
  if (!value || value.pieces.length === 0) return { value: undefined, notes: [] };
  const { anchor } = value;
  const now = anchor && (await host.hashOf(anchor.block));
  if (!anchor || now === anchor.hash) return { value, notes: [] };
  const notes = ["The chain has changed since the run before, so its logs were read again."];
  return { value: undefined, notes };
}

/** Begins with a block that is there for certain: one beyond the head would be refused. */
async function pendingPiece(filter: LogFilter, plan: Plan, host: LogHost): Promise<Whole["tail"] | Outcome> {
  const from = plan.to + 1n;
  const outcome = await host.send(filter.over(from, "pending"));
  if (outcome.kind !== "answered") return outcome;
  return readPiece({ from, to: from, isOpen: true }, outcome) ?? noList(outcome.exchange);
}

function noList(exchange: Exchange): Outcome {
  const { what, todo } = explainAnswer("not-json-rpc", exchange.host, "something else than a list of logs");
  return { kind: "unreachable", reason: "not-json-rpc", message: what, hint: todo, exchange };
}

/** The pieces from the beginning, up to the first gap. */
function prefixOf({ pieces }: Gathering, { from }: Plan): readonly LogPiece[] {
  let due = from;
  const end = pieces.findIndex((piece) => {
    if (piece.from !== due) return true;
    due = piece.to + 1n;
    return false;
  });
  return end === -1 ? [...pieces] : pieces.slice(0, end);
}

function progressText({ pieces, logs, left }: Gathering): string {
  const all = plural(pieces.length + left, "range");
  return `${grouped(pieces.length)} of ${all}, ${plural(logs, "log")}`;
}

/** Says how the answer came about. */
function notesOn({ gathering, tail, made, notes }: Whole, { host }: LogHost, isWhole: boolean): readonly string[] {
  const { pieces, requests, kept, strays, nulls } = gathering;
  const largest = pieces.reduce((size, { from, to }) => Math.max(size, Number(to - from) + 1), 1);
  const how = `Read in ${plural(pieces.length + (tail ? 1 : 0), "part")} of up to ${plural(largest, "block")}, with ${plural(requests + made, "request")}, since ${host} does not send all of it at once.`;
  const before = kept > 0 ? [`${plural(kept, "part")} of it had come in the run before.`] : [];
  const odd = [
    ...(strays + (tail?.strays ?? 0) > 0
      ? [
          `${host} also sent ${plural(strays + (tail?.strays ?? 0), "log")} of blocks that were not asked for then; each is here once.`,
        ]
      : []),
    ...(nulls > 0 ? [`${host} answered ${plural(nulls, "part")} with null, which is taken for no logs.`] : []),
  ];
  return [...(isWhole ? [how] : []), ...before, ...notes, ...odd];
}

function answered(
  request: WireRequest,
  pieces: readonly LogPiece[],
  whole: Whole,
  reading: Reading,
  notes: readonly string[],
): Outcome {
  return { kind: "answered", result: joined(pieces), exchange: exchangeOf(request, whole, reading, notes) };
}

/** What ended it, with all that is known of the rest. */
function failed(request: WireRequest, whole: Whole, reading: Reading, notes: readonly string[]): Outcome {
  const { gathering, plan } = whole;
  const { host } = reading;
  const { failure, pieces } = gathering;
  const prefix = prefixOf(gathering, plan);
  const end = prefix.at(-1);
  const come = `${progressText(gathering)} had come. ${kept}`;
  const shown =
    end && logsIn(prefix) > 0 ? [`Shown are those of the blocks ${grouped(plan.from)} to ${grouped(end.to)}.`] : [];
  const all = [...notes, ...(pieces.length > 0 ? [come, ...shown] : []), ...loneBlock(failure)];
  const exchange = exchangeOf(request, whole, reading, all, joined(prefix));
  if (failure === "too-large" || failure === undefined) {
    const { what, todo } = explainFault("too-large", host.host, "", host);
    return { kind: "unreachable", reason: "too-large", message: what, hint: todo, exchange };
  }
  if (failure.kind === "answered") return { ...noList(failure.exchange), exchange };
  return { ...failure, exchange: { ...exchange, status: failure.exchange.status, headers: failure.exchange.headers } };
}

/** The command line forgets them with its process. */
const kept = "They are kept for as long as the editor, or --watch, runs: running the cell again goes on from there.";

function loneBlock(failure: Gathering["failure"]): readonly string[] {
  const isOne = failure !== undefined && failure !== "too-large" && isTooBig(failure);
  return isOne ? ["Not even one block alone is answered: narrow the filter by address and topics."] : [];
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
      const filled = pieces.filter(({ logs }) => logs.length > 0);
      return `[${filled.map(({ text }) => text.slice(text.indexOf("[") + 1, text.lastIndexOf("]"))).join(",")}]`;
    },
  };
}

function exchangeOf(
  { id, text }: WireRequest,
  { gathering, tail, made }: Whole,
  { host, startedAt }: Reading,
  notes: readonly string[],
  soFar?: RawJson,
): Exchange {
  return {
    id: id ?? null,
    endpoint: host.endpoint,
    host: host.host,
    request: text,
    status: 200,
    headers: {},
    startedAt,
    durationMs: host.clock.now() - startedAt,
    bytes: gathering.pieces.reduce((sum, { bytes }) => sum + bytes, tail?.piece.bytes ?? 0),
    batch: 1,
    attempts: 1,
    parts: { requests: gathering.requests + made, notes, ...(soFar && { soFar }) },
  };
}

/** Keeps what there is for the next run of the same question. The oldest goes where it gets too much. */
function keep({ unfinished }: LogMemory, key: string, logs: UnfinishedLogs, maxBytes: number): void {
  if (logs.pieces.length > 0) unfinished.set(key, logs);
  const size = ({ pieces }: UnfinishedLogs): number => pieces.reduce((sum, { bytes }) => sum + bytes, 0);
  let bytes = [...unfinished.values()].reduce((sum, each) => sum + size(each), 0);
  for (const [old, each] of unfinished) {
    if (bytes <= maxBytes || unfinished.size === 1) return;
    unfinished.delete(old);
    bytes -= size(each);
  }
}
