import type { JsonValue } from "../base/json.ts";
import { itemKinds, itemTexts } from "../base/lazyList.ts";
import { memberTexts } from "../base/memberTexts.ts";
import { memoByObject } from "../base/memo.ts";

/** The logs of a long list, grouped by what decides how they are read: contract, topic 0, number of topics, kind of data. */
export interface LogGroups {
  /** One log of each group. */
  readonly examples: readonly JsonValue[];
  /** The group of each log, as an index into `examples`. */
  readonly groupOf: Readonly<Uint16Array>;
  /** How many logs each group has. */
  readonly sizes: readonly number[];
}

/** More groups are not worth it. */
const maxGroups = 65_535;

/**
 * Groups the logs of a lazy list without making them.
 *
 * @returns `undefined` if the list is not lazy, or holds anything but usual logs.
 */
export function logGroups(list: object): LogGroups | undefined {
  return itemTexts(list) ? memo(list as readonly JsonValue[]).groups : undefined; // only lists have texts
}

const memo = memoByObject((list: readonly JsonValue[]): { readonly groups: LogGroups | undefined } => ({
  groups: grouped(list),
}));

function grouped(list: readonly JsonValue[]): LogGroups | undefined {
  const textAt = itemTexts(list);
  if (!textAt) return undefined;
  const groupOf = new Uint16Array(list.length);
  const groups = new Map<string, number>();
  const examples: JsonValue[] = [];
  const kindAt = itemKinds(list);
  const ofKind: number[] = [];
  for (let index = 0; index < list.length; index++) {
    const kind = kindAt?.(index) ?? -1;
    const known = ofKind[kind];
    if (known !== undefined) {
      groupOf[index] = known;
      continue;
    }
    const key = keyOf(textAt(index));
    if (key === undefined) return undefined;
    const group = groups.get(key) ?? examples.push(list[index] ?? null) - 1;
    groups.set(key, group);
    if (group >= maxGroups) return undefined;
    groupOf[index] = group;
    if (kind >= 0) ofKind[kind] = group;
  }
  const sizes = examples.map(() => 0);
  for (const group of groupOf) sizes[group] = (sizes[group] ?? 0) + 1;
  return { examples, groupOf, sizes };
}

const members = ["address", "topics", "data"];

/** Characters of a topic with its quotes. */
const topicLength = 68;

/** Returns `undefined` if the topics are not as nodes write them. */
function keyOf(text: string): string | undefined {
  const [address, topics = "", data = ""] = memberTexts(text, members);
  if (!areUsual(topics)) return undefined;
  return `${address}${topics.slice(0, 1 + topicLength)}${topics.length}${data[0]}`;
}

/** Whether all topics have 32 bytes, so that lists of the same length have as many. */
function areUsual(topics: string): boolean {
  let at = 1;
  for (; topics[at] === '"'; at += topicLength + 1)
    if (topics.indexOf('"', at + 1) !== at + topicLength - 1) return false;
  return at > 1 ? at === topics.length : topics === "[]";
}
