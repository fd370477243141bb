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
  return { event, params, values: isFlat(event) ? flatValues(event) : nestedValues(event) };
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
  read(word: string): Decoded;
}

function slotsOf({ anonymous, inputs }: AbiEvent): readonly Slot[] {
  let topic = anonymous ? 0 : 1;
  let at = 2;
  return inputs.map(({ type, indexed }) => {
    if (indexed) return { topic: topic++, at: 2, read: wordReader(type) };
    const slot = { topic: undefined, at, read: wordReader(type) };
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

/** Reads 64 digits; `undefined` where an encoder would not have written them. */
function wordReader(type: AbiType): (word: string) => Decoded {
  const reader = new Reader("", 0); // words that fit the pattern leave no faults in it
  const pattern = wordPattern(type);
  if (hashedWhenIndexed(type)) return (word) => (pattern.test(word) ? `0x${word}` : undefined);
  if (type.kind === "address") return (word) => (pattern.test(word) ? `0x${word.slice(24)}` : undefined);
  if (type.kind === "uint") return (word) => (pattern.test(word) ? unsigned(word) : undefined);
  return (word) => (pattern.test(word) ? reader.word(type, word) : undefined);
}

function wordPattern(type: AbiType): RegExp {
  return isScalar(type) ? scalarPattern(type) : /^[0-9a-f]*$/;
}

/** The zeros are written out: an engine compares them faster than it counts them. */
function scalarPattern({ kind, size }: AbiScalar): RegExp {
  const unused = 64 - size * 2;
  const zeros = "0".repeat(unused);
  switch (kind) {
    case "address":
    case "uint":
      return new RegExp(`^${zeros}[0-9a-f]*$`);
    case "int":
      return new RegExp(`^(?:${zeros}[0-7]|${"f".repeat(unused)}[89a-f])[0-9a-f]*$`);
    case "bool":
      return new RegExp(`^${"0".repeat(63)}[01]$`);
    case "fixedBytes":
      return new RegExp(`^[0-9a-f]{${size * 2}}${zeros}$`);
  }
}
