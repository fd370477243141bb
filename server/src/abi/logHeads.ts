import type { JsonValue } from "../base/json.ts";
import { textsOf } from "../base/lazyList.ts";
import { memberTexts } from "../base/memberTexts.ts";
import { memoByObject } from "../base/memo.ts";

/** Logs of a long list by what decides how they are read: their contract and their topic 0, with the number of topics. */
export interface LogHeads {
  /** A log of each sort. */
  readonly first: readonly JsonValue[];
  /** The sort of each log, as an index into `first`. */
  readonly of: Readonly<Uint16Array>;
}

/** Sorts beyond which it is cheaper to read each log. */
const maxSorts = 65_535;

/**
 * Sorts the logs of a list that is read lazily, without reading them.
 *
 * @returns `undefined` if the list is not lazy, or holds anything but usual logs.
 */
export function logHeads(list: object): LogHeads | undefined {
  return textsOf(list) ? memo(list as readonly JsonValue[]).heads : undefined; // only lists have texts
}

const memo = memoByObject((list: readonly JsonValue[]): { readonly heads: LogHeads | undefined } => ({
  heads: sorted(list),
}));

function sorted(list: readonly JsonValue[]): LogHeads | undefined {
  const textAt = textsOf(list);
  if (!textAt) return undefined;
  const of = new Uint16Array(list.length);
  const sorts = new Map<string, number>();
  const first: JsonValue[] = [];
  let [last, lastKey] = [0, ""];
  for (let index = 0; index < list.length; index++) {
    const key = keyOf(textAt(index));
    if (key === undefined) return undefined;
    if (key !== lastKey) {
      lastKey = key;
      last = sorts.get(key) ?? first.push(list[index] ?? null) - 1;
      sorts.set(key, last);
      if (last > maxSorts) return undefined;
    }
    of[index] = last;
  }
  return { first, of };
}

/** An address and a topic, with their quotes. */
const [addressLength, topicLength] = [44, 68];

/** How most logs begin, and what is between their contract and their topics. */
const [before, between] = ['{"address":', ',"topics":'];
const topicsStart = before.length + addressLength + between.length;

/** The contract, topic 0 and how long the topics are together; `undefined` if they are not as nodes write them. */
function keyOf(text: string): string | undefined {
  if (text.startsWith(before) && text.startsWith(between, before.length + addressLength)) {
    const end = topicsEnd(text, topicsStart);
    if (end === undefined) return undefined;
    if (!isNamedAgain(text, end)) return `${text.slice(before.length, topicsStart + 1 + topicLength)}${end}`;
  }
  const [address, topics = ""] = memberTexts(text, members);
  const end = topicsEnd(topics, 0);
  return end === undefined ? undefined : `${address}${topics.slice(0, 1 + topicLength)}${end}`;
}

const members = ["address", "topics"];

/** Whether one of the members comes once more: the last one counts. */
function isNamedAgain(text: string, start: number): boolean {
  return text.includes(',"topics":', start) || text.includes(',"address":', start);
}

/** The bracket behind a list of usual topics: of those, equal lengths are equal numbers. */
function topicsEnd(text: string, start: number): number | undefined {
  let at = start + 1;
  for (; text[at] === '"'; at += topicLength + 1)
    if (text.indexOf('"', at + 1) !== at + topicLength - 1) return undefined;
  return at > start + 1 || text[at] === "]" ? at : undefined;
}
