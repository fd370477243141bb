import type { JsonValue } from "../base/json.ts";
import { memoByObject } from "../base/memo.ts";
import type { Decoded } from "./decode.ts";
import { Reader, unsigned } from "./decode.ts";
import type { AbiEvent } from "./item.ts";
import type { AbiScalar, AbiType } from "./type.ts";
import { hashedWhenIndexed } from "./type.ts";

/** An event with all done that is the same for each of its logs. */
export interface CompiledEvent {
  readonly event: AbiEvent;
  readonly params: readonly CompiledParam[];
  /**
   * Reads the values of a log that is exactly as an encoder writes it, in lower case. For any other log, use the
   * reader that reports faults.
   */
  values(topics: readonly JsonValue[], data: JsonValue): readonly Decoded[] | undefined;
  /** The same from the JSON of a log, if data follow topics in it, in a third of the time. */
  valuesIn(log: string): readonly Decoded[] | undefined;
}

interface CompiledParam {
  readonly name: string;
  readonly type: string;
  readonly indexed: boolean;
  /** A topic holds only the hash of it. */
  readonly hashed: boolean;
}

/** Compiles an event, at its first use. */
export const compiledEvent = memoByObject((event: AbiEvent): CompiledEvent => {
  const params = event.inputs.map(({ name, type, indexed }) => ({
    name,
    type: type.text,
    indexed,
    hashed: indexed && hashedWhenIndexed(type),
  }));
  return isFlat(event)
    ? { event, params, values: flatValues(event), valuesIn: flatValuesIn(event) }
    : { event, params, values: nestedValues(event), valuesIn: () => undefined };
});

/** Topics that logs of an event have. */
export function topicCount({ anonymous, inputs }: AbiEvent): number {
  let count = anonymous ? 0 : 1;
  for (const { indexed } of inputs) if (indexed) count++;
  return count;
}

/** Every argument is one word, at a place of its own. */
function isFlat({ inputs }: AbiEvent): boolean {
  return inputs.every(({ type, indexed }) => indexed || isScalar(type));
}

function isScalar(type: AbiType): type is AbiScalar {
  return "size" in type;
}

/** One argument: a topic, or 64 digits of the data. */
interface Slot {
  /** `undefined` for the data. */
  readonly topic: number | undefined;
  /** The position of its first digit. */
  readonly at: number;
  readonly word: Word;
  /** Returns `undefined` where an encoder would have written other digits. */
  read(digits: string): Decoded;
}

/** 64 digits. */
interface Word {
  /** The pattern of those that an encoder writes. */
  readonly pattern: string;
  /** Reads digits that fit the pattern. */
  value(digits: string): Decoded;
}

function slotsOf({ anonymous, inputs }: AbiEvent): readonly Slot[] {
  let topic = anonymous ? 0 : 1;
  let at = 2;
  return inputs.map(({ type, indexed }) => {
    const word = wordOf(type);
    const read = wordReader(word);
    if (indexed) return { topic: topic++, at: 2, word, read };
    const slot = { topic: undefined, at, word, read };
    at += type.words * 64;
    return slot;
  });
}

function flatValues(event: AbiEvent): CompiledEvent["values"] {
  const slots = slotsOf(event);
  const topicTotal = topicCount(event);
  const dataLength = 2 + 64 * slots.filter(({ topic }) => topic === undefined).length;
  return (topics, data) => {
    if (topics.length !== topicTotal || !isBytes(data, dataLength)) return undefined;
    const values: Decoded[] = [];
    for (const slot of slots) {
      const text = slot.topic === undefined ? data : topics[slot.topic];
      if (slot.topic !== undefined && !isBytes(text, 66)) return undefined;
      const value = slot.read((text as string).slice(slot.at, slot.at + 64)); // isBytes has said so
      if (value === undefined) return undefined;
      values.push(value);
    }
    return values;
  };
}

function flatValuesIn(event: AbiEvent): CompiledEvent["valuesIn"] {
  const slots = slotsOf(event);
  const inTopics = slots.filter(({ topic }) => topic !== undefined);
  const inData = slots.filter(({ topic }) => topic === undefined);
  const words = (some: readonly Slot[]): readonly string[] => some.map(({ word }) => `(${word.pattern})`);
  const topics = [...(event.anonymous ? [] : [digits(64)]), ...words(inTopics)].map((word) => `"0x${word}"`);
  const pattern = new RegExp(`"topics":\\[${topics.join(",")}\\],"data":"0x${words(inData).join("")}"`);
  const inOrder = [...inTopics, ...inData];
  const readers = slots.map((slot) => ({ at: 1 + inOrder.indexOf(slot), value: slot.word.value }));
  return (log) => {
    const found = pattern.exec(log);
    if (!found) return undefined;
    const values: Decoded[] = [];
    for (const { at, value } of readers) values.push(value(found[at] ?? ""));
    return values;
  };
}

/** Arguments longer than a word are at the offset that the data gives. */
function nestedValues(event: AbiEvent): CompiledEvent["values"] {
  const slots = slotsOf(event);
  const topicTotal = topicCount(event);
  return (topics, data) => {
    if (topics.length !== topicTotal || typeof data !== "string" || !/^0x[0-9a-f]*$/.test(data)) return undefined;
    const reader = new Reader(data, 2);
    const values: Decoded[] = [];
    for (const [i, { type }] of event.inputs.entries()) {
      const slot = slots[i];
      const topic = slot?.topic === undefined ? undefined : topics[slot.topic];
      const isTopic = slot?.topic !== undefined;
      if (isTopic && !isBytes(topic, 66)) return undefined;
      const value = isTopic ? slot.read((topic as string).slice(2)) : reader.next(type); // isBytes has said so
      if (value === undefined) return undefined;
      values.push(value);
    }
    return reader.finish().length === 0 ? values : undefined;
  };
}

function isBytes(text: JsonValue | undefined, length: number): text is string {
  return typeof text === "string" && text.length === length && text.startsWith("0x");
}

function wordReader({ pattern, value }: Word): (digits: string) => Decoded {
  const whole = new RegExp(`^(?:${pattern})$`);
  return (word) => (whole.test(word) ? value(word) : undefined);
}

function wordOf(type: AbiType): Word {
  const reader = new Reader("", 0); // words that fit the pattern leave no faults in it
  const pattern = wordPattern(type);
  if (hashedWhenIndexed(type)) return { pattern, value: (word) => `0x${word}` };
  if (type.kind === "address") return { pattern, value: (word) => `0x${word.slice(24)}` };
  if (type.kind === "uint") return { pattern, value: unsigned };
  return { pattern, value: (word) => reader.word(type, word) };
}

function wordPattern(type: AbiType): string {
  return isScalar(type) ? scalarPattern(type) : digits(64);
}

/** They are written out, as zeros are: an engine counts them in twice the time. */
function digits(count: number): string {
  return "[0-9a-f]".repeat(count);
}

function scalarPattern({ kind, size }: AbiScalar): string {
  const used = size * 2;
  const unused = 64 - used;
  const zeros = "0".repeat(unused);
  switch (kind) {
    case "address":
    case "uint":
      return `${zeros}${digits(used)}`;
    case "int":
      return `(?:${zeros}[0-7]|${"f".repeat(unused)}[89a-f])${digits(used - 1)}`;
    case "bool":
      return `${"0".repeat(63)}[01]`;
    case "fixedBytes":
      return `${digits(used)}${zeros}`;
  }
}
