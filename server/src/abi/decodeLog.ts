import { isHex } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { isArray, isObject } from "../base/json.ts";
import { memoByObject } from "../base/memo.ts";
import type { AbiScope } from "./abiScope.ts";
import { bundledIn } from "./abiScope.ts";
import { type Candidate, isOdd } from "./candidates.ts";
import type { CompiledEvent } from "./compiledEvent.ts";
import { compiledEvent, topicCount } from "./compiledEvent.ts";
import type { Decoded } from "./decode.ts";
import { Reader } from "./decode.ts";
import type { AbiEvent } from "./item.ts";
import { declaration } from "./item.ts";
import { reindexings, sameIndexing } from "./reindexed.ts";
import { isNativeLogger } from "./token.ts";
import { hashedWhenIndexed } from "./type.ts";

export interface DecodedEvent {
  readonly name: string;
  /** `Transfer(address,address,uint256)` */
  readonly signature: string;
  readonly args: readonly DecodedArg[];
  /** Where the declaration is written: `ERC-20`, a file of the project. */
  readonly source: string;
  /** No ABI of the project declares it: another contract may use the event in another way. */
  readonly guess: boolean;
  /** A transfer of the native currency, which a simulation or the chain itself logs. */
  readonly native: boolean;
  /** Faults in topics or data, a clause each. */
  readonly faults: readonly string[];
  /** Declarations that fit the log as well, and read it differently. */
  readonly others: readonly Candidate[];
}

export interface DecodedArg {
  /** `""` where the declaration has none. */
  readonly name: string;
  readonly type: string;
  readonly indexed: boolean;
  /** The value is the hash of what was logged, which nothing can undo. */
  readonly hashed: boolean;
  readonly value: Decoded;
}

/** Logs that are read alike: as the event that fits best, of those with their topic 0 and so many topics. */
export interface LogKind {
  /** Never empty. They differ in what is indexed and in the names of their arguments, not in signature. */
  readonly events: readonly AbiEvent[];
}

/** Reads many logs: what is known of a topic is looked up once. Never throws, whatever a log is. */
export type LogReader = ReturnType<typeof logReader>;

/** Topics whose kinds are kept. Only an endpoint that makes them up has more. */
const maxKnown = 10_000;

/** @param scope - Declarations of the project; they win over the bundled ones. */
export function logReader(scope?: AbiScope) {
  const kindOf = kindsIn(scope);
  return {
    /** Whether the kind of a log depends on more than its contract and its topics. */
    readsData: scope !== undefined && scope.anonymous.length > 0,
    /**
     * Returns the kind of a log without reading its arguments: the same object for all logs of a kind, `undefined` for
     * unknown ones.
     */
    kindOf: (log: JsonValue): LogKind | undefined => (isLog(log) ? kindOf(log) : undefined),
    /** The event of a log whose kind has no other reading and no fault; `undefined` for all others. */
    onlyEvent(log: JsonValue): CompiledEvent | undefined {
      const kind = isLog(log) ? kindOf(log) : undefined;
      return kind?.compiled.length === 1 && kind.fault === undefined ? kind.compiled[0] : undefined;
    },
    /** The event that a log is, by its topics and data; `undefined` for the logs that have no kind. */
    read(log: JsonValue): DecodedEvent | undefined {
      const kind = isLog(log) ? kindOf(log) : undefined;
      return kind && readKind(kind, log as LogObject); // only a log has a kind
    },
  };
}

/** Returns how to find the kind of a log. */
function kindsIn(scope: AbiScope | undefined): (log: LogObject) => Kind | undefined {
  const byTopic = new Map<string, (Kind | undefined)[]>();
  /** Whether a contract has declarations of its own. They come first there, so its logs have kinds of their own. */
  const isBound = new Map<string, boolean>();
  const anonymous = new Map<AbiEvent, Kind>();
  /** Most logs are of the event of the log before. */
  let last: { topic: string; count: number; address: string | undefined; kind: Kind | undefined } | undefined;
  const named = (topic: string, count: number, contract: JsonValue | undefined): Kind | undefined => {
    const isLast = last && last.count === count && last.topic === topic;
    if (last && isLast && (last.address === undefined || last.address === contract)) return last.kind;
    let bound = isBound.get(topic);
    if (bound === undefined) {
      if (isBound.size >= maxKnown) isBound.clear();
      const events = scope?.events(lowerHex(topic) ?? "") ?? [];
      bound = events.length === 0 ? scope?.isByContract === true : events.some(({ address }) => address !== undefined);
      isBound.set(topic, bound);
    }
    const address = bound && typeof contract === "string" ? contract : undefined;
    const key = address === undefined ? topic : `${topic} ${address}`;
    let kinds = byTopic.get(key);
    if (!kinds) {
      if (byTopic.size >= maxKnown) byTopic.clear();
      kinds = [];
      byTopic.set(key, kinds);
    }
    if (!(count in kinds)) kinds[count] = kindOfTopic(topic, count, scope, address);
    const kind = kinds[count];
    last = { topic, count, address, kind };
    return kind;
  };
  const nameless = (log: LogObject): Kind | undefined => {
    const event = scope && anonymousEvent(log, scope);
    if (!event) return undefined;
    const kind = anonymous.get(event) ?? { events: [event], compiled: [compiledEvent(event)], own: 1 };
    anonymous.set(event, kind);
    return kind;
  };
  return (log) => {
    const [topic] = log.topics;
    const count = log.topics.length;
    const known = typeof topic === "string" && count <= maxTopics ? named(topic, count, log.address) : undefined;
    if (known && known.fault === undefined) return known;
    return (scope && scope.anonymous.length > 0 ? nameless(log) : undefined) ?? known;
  };
}

/** @see https://ethereum.github.io/yellowpaper/paper.pdf (appendix H: LOG0 to LOG4) */
const maxTopics = 4;

/**
 * Reads a log as the event that it is, by its topics and data. Never throws, whatever the log is.
 *
 * @param log - A log as nodes send it; members beside `address`, `topics` and `data` do not matter.
 * @param scope - Declarations of the project; they win over the bundled ones.
 * @returns `undefined` if no known event has that topic 0. One that is only known with other arguments indexed has a
 *   fault.
 */
export function decodeLog(log: JsonValue, scope?: AbiScope): DecodedEvent | undefined {
  return (scope ? readerIn(scope) : logReader()).read(log);
}

const readerIn = memoByObject((scope: AbiScope) => logReader(scope));

/**
 * Reads a log as the given event, fitting or not: what does not fit is among the faults. Indexed arguments for which
 * the log has no topic are looked for in its data.
 */
export function decodeLogWith(event: AbiEvent, log: JsonValue): DecodedEvent | undefined {
  return isLog(log) ? readAnyLog(event, log, false) : undefined;
}

type LogObject = JsonObject & { readonly topics: readonly JsonValue[] };

function isLog(log: JsonValue): log is LogObject {
  return isObject(log) && isArray(log.topics);
}

interface Kind extends LogKind {
  readonly compiled: readonly CompiledEvent[];
  /** How many of them, at the front, the project declares. */
  readonly own: number;
  /** The fault of all logs of the kind. */
  readonly fault?: string;
}

/** Events with that topic 0 and so many topics; one for each way of indexing. */
function kindOfTopic(
  text: string,
  count: number,
  scope: AbiScope | undefined,
  address: string | undefined,
): Kind | undefined {
  const topic = lowerHex(text);
  if (topic?.length !== 66) return undefined;
  const declared = scope?.events(topic, address) ?? [];
  const fitting = (events: readonly AbiEvent[]) => events.filter((event) => topicCount(event) === count);
  const bundled = bundledIn(scope).events(topic);
  return kindOfEvents(fitting(declared), fitting(bundled)) ?? reindexedKind(declared, bundled, count);
}

/** @param own - What the project declares. */
function kindOfEvents(own: readonly AbiEvent[], bundled: readonly AbiEvent[]): Kind | undefined {
  const first = (event: AbiEvent, at: number, all: readonly AbiEvent[]): boolean =>
    all.findIndex((other) => sameIndexing(event, other)) === at;
  const events = [...own, ...bundled].filter(first);
  const owned = own.filter(first).length;
  return events.length > 0 ? { events, compiled: events.map(compiledEvent), own: owned } : undefined;
}

/** No declaration has so many indexed arguments: some contracts and ABIs index others. */
function reindexedKind(own: readonly AbiEvent[], bundled: readonly AbiEvent[], count: number): Kind | undefined {
  const [first] = [...own, ...bundled];
  if (!first) return undefined;
  const moved = (events: readonly AbiEvent[]) => events.flatMap((event) => reindexings(event, count - 1));
  const kind = kindOfEvents(moved(own), moved(bundled));
  const declared = topicCount(first) - 1;
  const fault = `the event is declared with ${declared} indexed ${declared === 1 ? "argument" : "arguments"}, and logged with ${count - 1}`;
  return kind && { ...kind, fault };
}

/** The events of a kind with as many arguments indexed, but other ones than declared. */
const movedEvents = memoByObject(({ events }: Kind): readonly CompiledEvent[] =>
  events
    .flatMap((event) => reindexings(event, topicCount(event) - 1))
    .filter((event, at, all) => ![...events, ...all.slice(0, at)].some((other) => sameIndexing(event, other)))
    .map(compiledEvent),
);

/** The first of the project's anonymous events that a log fits without a fault. */
function anonymousEvent(log: LogObject, scope: AbiScope): AbiEvent | undefined {
  return scope.anonymous.find(
    (event) => topicCount(event) === log.topics.length && readLog(compiledEvent(event), log, false).faults.length === 0,
  );
}

/**
 * The reading with the fewest faults; the first of equals, which then says that there are others. Contracts also index other arguments
 * than declared: a reading as such is taken if the declared one has faults, and offered if that has a number for an address, and an
 * address for a number.
 */
function readKind(kind: Kind, log: LogObject): DecodedEvent | undefined {
  const { compiled, own, fault } = kind;
  const best = bestOf(compiled, own, log, fault !== undefined);
  if (!best) return undefined;
  const { event, reading } = best;
  const { faults, others } = reading;
  if (fault !== undefined) return { ...reading, faults: [fault, ...faults] };
  if (event.anonymous || (faults.length === 0 && oddity(best) < 2)) return reading;
  const moved = bestOf(movedEvents(kind), own, log, true);
  if (!moved || moved.reading.faults.length > 0 || oddity(moved) > 0) return reading;
  if (faults.length > 0) return { ...moved.reading, faults: ["other arguments are indexed than the event declares"] };
  return { ...reading, others: [...others, candidate(moved.event), ...moved.reading.others] };
}

/** A log as one declaration reads it. */
interface LogReading {
  readonly event: AbiEvent;
  readonly reading: DecodedEvent;
}

/** @param byOddity - Whether nobody wrote the declarations so, and the values have to be likely. */
function bestOf(
  compiled: readonly CompiledEvent[],
  own: number,
  log: LogObject,
  byOddity: boolean,
): LogReading | undefined {
  const [only, second] = compiled;
  if (only && !second) return { event: only.event, reading: readLog(only, log, own === 0) };
  const readings = compiled.map((one, at) => ({ event: one.event, reading: readLog(one, log, at >= own) }));
  const fewest = fewestOf(readings, ({ reading }) => reading.faults.length);
  const [best, ...others] = byOddity ? fewestOf(fewest, oddity) : fewest;
  return best && { ...best, reading: { ...best.reading, others: others.map(({ event }) => candidate(event)) } };
}

function fewestOf(readings: readonly LogReading[], countOf: (one: LogReading) => number): readonly LogReading[] {
  const counts = readings.map(countOf);
  const fewest = Math.min(...counts);
  return readings.filter((_, at) => counts[at] === fewest);
}

/** How many values can hardly be meant as they are read. */
function oddity({ event: { inputs }, reading: { args } }: LogReading): number {
  let count = 0;
  for (let at = 0; at < inputs.length; at++) {
    const input = inputs[at];
    if (input && isOdd(input.type, args[at]?.value)) count++;
  }
  return count;
}

function candidate(event: AbiEvent): Candidate {
  return { declaration: declaration(event), source: event.source };
}

function readLog({ event, params, values }: CompiledEvent, log: LogObject, guess: boolean): DecodedEvent {
  const found = values(log.topics, log.data ?? "0x");
  if (!found) return readAnyLog(event, log, guess);
  const args: DecodedArg[] = [];
  for (let i = 0; i < params.length; i++) {
    const param = params[i];
    if (!param) break;
    const { name, type, indexed, hashed } = param;
    args.push({ name, type, indexed, hashed, value: found[i] });
  }
  return decodedEvent(event, log, args, none, guess);
}

const none: readonly never[] = [];

/** Reads a log with anything wrong with it: what there is, and what is wrong. */
function readAnyLog(event: AbiEvent, log: LogObject, guess: boolean): DecodedEvent {
  const { topics } = log;
  const data = lowerHex(log.data ?? "0x");
  const reader = new Reader(data ?? "0x", 2);
  if (data === undefined) reader.fault("the data is not hex");
  let next = event.anonymous ? 0 : 1;
  const args: DecodedArg[] = [];
  for (const { name, type, indexed } of event.inputs) {
    const isTopic = indexed && next < topics.length;
    const topic = isTopic ? lowerHex(topics[next]) : undefined;
    const word = topic?.length === 66 ? topic : undefined;
    if (isTopic && word === undefined) reader.fault(`topic ${next} is not 32 bytes of hex`);
    if (indexed) next++;
    const hashed = word !== undefined && hashedWhenIndexed(type);
    const value = !isTopic ? reader.next(type) : hashed ? word : word && reader.word(type, word.slice(2));
    args.push({ name, type: type.text, indexed, hashed, value });
  }
  if (next > topics.length) reader.fault("there are fewer topics than indexed arguments");
  if (next < topics.length) reader.fault("there are more topics than indexed arguments");
  if (!event.anonymous && lowerHex(topics[0]) !== event.hash) reader.fault(`topic 0 is not that of ${event.signature}`);
  return decodedEvent(event, log, args, reader.finish(), guess);
}

function decodedEvent(
  { name, signature, source, isGuessed = false }: AbiEvent,
  log: LogObject,
  args: readonly DecodedArg[],
  faults: readonly string[],
  guess: boolean,
): DecodedEvent {
  const native = isNativeTransfer(signature, log);
  return { name, signature, args, source, guess: (guess || isGuessed) && !native, native, faults, others: none };
}

/** Hex as it is, or in lower case; `undefined` for anything else. */
export function lowerHex(value: JsonValue | undefined): string | undefined {
  if (typeof value !== "string") return undefined;
  if (/^0x[0-9a-f]*$/.test(value)) return value;
  return isHex(value) ? value.toLowerCase() : undefined;
}

/** Whether a log is a transfer of the native currency. */
export function isNativeTransfer(signature: string | undefined, log: JsonValue): boolean {
  return signature === nativeSignature && isObject(log) && isNativeLogger(log.address);
}

const nativeSignature = "Transfer(address,address,uint256)";
