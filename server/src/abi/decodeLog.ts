import { isHex } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { isArray, isObject } from "../base/json.ts";
import type { AbiScope } from "./abiScope.ts";
import { bundledScope } from "./abiScope.ts";
import type { Decoded } from "./decode.ts";
import { Reader } from "./decode.ts";
import type { AbiEvent } from "./item.ts";
import { declaration } from "./item.ts";
import { hashedWhenIndexed } from "./type.ts";

export interface DecodedEvent {
  readonly name: string;
  /** `Transfer(address,address,uint256)` */
  readonly signature: string;
  readonly args: readonly DecodedArg[];
  /** Where the declaration is written: `ERC-20`, a file of the project. */
  readonly source: string;
  /** A transfer of the native currency, which `eth_simulateV1` writes as a log where `traceTransfers` is set. */
  readonly native: boolean;
  /** What is wrong with topics or data, a clause each. */
  readonly faults: readonly string[];
  /** Declarations that fit the log as well, and read it differently. */
  readonly others: readonly string[];
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

/**
 * Reads a log as the event that it is, by its topics and data. Never throws, whatever the log is.
 *
 * @param log - A log as nodes send it; members beside `address`, `topics` and `data` do not matter.
 * @param scope - Declarations of the project; they win over the bundled ones.
 * @returns `undefined` where no known event fits.
 */
export function decodeLog(log: JsonValue, scope?: AbiScope): DecodedEvent | undefined {
  const raw = rawLog(log);
  if (raw === undefined) return undefined;
  const topic = raw.topics[0] ?? "";
  const events = candidates(topic, raw.topics.length, scope);
  if (events.length === 0) return scope && anonymousEvent(raw, scope);
  const [first] = events;
  return events.length === 1 && first ? readLog(first, raw) : fittest(events, raw);
}

/**
 * Reads a log as the given event, fitting or not: what does not fit is among the faults. Indexed arguments for which
 * the log has no topic are looked for in its data.
 */
export function decodeLogWith(event: AbiEvent, log: JsonValue): DecodedEvent | undefined {
  const raw = rawLog(log);
  return raw && readLog(event, raw);
}

interface RawLog {
  readonly address: JsonValue | undefined;
  readonly topics: readonly string[];
  readonly data: string;
}

function rawLog(log: JsonValue): RawLog | undefined {
  if (!isObject(log) || !isArray(log.topics)) return undefined;
  const data = lowerHex(log.data ?? "0x");
  if (data === undefined) return undefined;
  const topics: string[] = [];
  for (const value of log.topics) {
    const topic = lowerHex(value);
    if (topic?.length !== 66) return undefined;
    topics.push(topic);
  }
  return { address: log.address, topics, data };
}

/** Hex as it is, or in lower case; `undefined` for anything else. */
export function lowerHex(value: JsonValue | undefined): string | undefined {
  if (typeof value !== "string") return undefined;
  if (/^0x[0-9a-f]*$/.test(value)) return value;
  return isHex(value) ? value.toLowerCase() : undefined;
}

/** Events with that topic 0 and so many topics; one for each way of indexing. */
function candidates(topic: string, topics: number, scope: AbiScope | undefined): readonly AbiEvent[] {
  const found: AbiEvent[] = [];
  for (const events of [scope?.events(topic), bundledScope.events(topic)]) {
    for (const event of events ?? []) {
      if (topicsOf(event) === topics && !found.some((other) => sameIndexing(event, other))) found.push(event);
    }
  }
  return found;
}

function topicsOf(event: AbiEvent): number {
  let count = event.anonymous ? 0 : 1;
  for (const { indexed } of event.inputs) if (indexed) count++;
  return count;
}

function sameIndexing(a: AbiEvent, b: AbiEvent): boolean {
  return a.signature === b.signature && a.inputs.every(({ indexed }, i) => indexed === b.inputs[i]?.indexed);
}

function anonymousEvent(raw: RawLog, scope: AbiScope): DecodedEvent | undefined {
  const events = scope.anonymous.filter((event) => topicsOf(event) === raw.topics.length);
  const best = fittest(events, raw);
  return best?.faults.length === 0 ? best : undefined;
}

/** The reading with the fewest faults; the first of equals, which then says that there are others. */
function fittest(events: readonly AbiEvent[], raw: RawLog): DecodedEvent | undefined {
  const readings = events.map((event) => ({ event, reading: readLog(event, raw) }));
  const fewest = Math.min(...readings.map(({ reading }) => reading.faults.length));
  const [best, ...others] = readings.filter(({ reading }) => reading.faults.length === fewest);
  return best && { ...best.reading, others: others.map(({ event }) => declaration(event)) };
}

function readLog(event: AbiEvent, { address, topics, data }: RawLog): DecodedEvent {
  const reader = new Reader(data, 2);
  let next = event.anonymous ? 0 : 1;
  const args: DecodedArg[] = [];
  for (const { name, type, indexed } of event.inputs) {
    const topic = indexed ? topics[next++] : undefined;
    const hashed = topic !== undefined && hashedWhenIndexed(type);
    const value = topic === undefined ? reader.next(type) : hashed ? topic : reader.word(type, topic.slice(2));
    args.push({ name, type: type.text, indexed, hashed, value });
  }
  if (next > topics.length) reader.fault("there are fewer topics than indexed arguments");
  if (next < topics.length) reader.fault("there are more topics than indexed arguments");
  if (!event.anonymous && topics[0] !== event.hash) reader.fault(`topic 0 is not that of ${event.signature}`);
  return {
    name: event.name,
    signature: event.signature,
    args,
    source: event.source,
    native: isNative(address) && event.signature === "Transfer(address,address,uint256)",
    faults: reader.finish(),
    others: [],
  };
}

/** @see https://eips.ethereum.org/EIPS/eip-7528 */
function isNative(address: JsonValue | undefined): boolean {
  return typeof address === "string" && /^0x[eE]{40}$/.test(address);
}
