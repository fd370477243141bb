import { isArray, isObject, type JsonValue } from "../base/json.ts";
import { topicCount } from "./compiledEvent.ts";
import { parseItem, selectorOf } from "./item.ts";
import { logGroups } from "./logGroups.ts";
import { holdsBytes } from "./nested.ts";
import { wellKnownAbis } from "./wellKnownAbis.ts";

/**
 * Returns whether decoding a request or an answer may need the table of signatures: it has a topic, call data or a
 * revert that is not well known, or bytes that may hold such. Reads no arguments, and stops at the first need.
 */
export function needsSignatures(value: JsonValue | undefined): boolean {
  const seen = new Set<string>();
  const left: (JsonValue | undefined)[] = [value];
  const isNew = (key: string): boolean => !seen.has(key) && seen.add(key) !== undefined;
  const isUnknownCall = (data: JsonValue | undefined): boolean =>
    typeof data === "string" && isNew(data.slice(0, 10)) && callNeedsSignatures(data);
  /** There may be a hundred thousand logs, most like the one before. */
  let last: { readonly topic: JsonValue | undefined; readonly count: number | undefined } | undefined;
  const isUnknownLog = (topics: readonly JsonValue[], isLogged: boolean): boolean => {
    const topic = topics[0];
    const count = isLogged ? topics.length : undefined;
    if (last && last.topic === topic && last.count === count) return false;
    last = { topic, count };
    return typeof topic === "string" && isNew(`${topic} ${count}`) && topicNeedsSignatures(topic, count);
  };
  while (left.length > 0) {
    const next = left.pop();
    if (isArray(next)) for (const one of logGroups(next)?.examples ?? next) left.push(one);
    if (!isObject(next)) continue;
    if (isArray(next.topics)) {
      if (isUnknownLog(next.topics, typeof next.data === "string")) return true;
      continue;
    }
    const { input, data, returnData, status } = next;
    if (isUnknownCall(input) || isUnknownCall(data)) return true;
    if (status === "0x0" && typeof returnData === "string" && revertNeedsSignatures(returnData)) return true;
    for (const key of Object.keys(next)) if (typeof next[key] === "object") left.push(next[key]);
  }
  return false;
}

/** Returns whether the call may be of a function that is not well known, or hold such calls in its bytes. */
export function callNeedsSignatures(data: string): boolean {
  const selector = data.slice(0, 10).toLowerCase();
  if (!isSelector(selector)) return false;
  const functions = wellKnownAbis.functions(selector);
  return functions.length === 0 || functions.some(({ inputs }) => inputs.some(({ type }) => holdsBytes(type)));
}

/** Returns whether the revert data may be of an error that is not well known. */
export function revertNeedsSignatures(data: string): boolean {
  const selector = data.slice(0, 10).toLowerCase();
  return isSelector(selector) && wellKnownAbis.errors(selector).length === 0;
}

/**
 * Returns whether an event with that topic 0 is not well known.
 *
 * @param count - Topics of the log, topic 0 among them: some contracts index other arguments.
 */
export function topicNeedsSignatures(topic: string, count?: number): boolean {
  if (topic.length !== 66 || !topic.startsWith("0x")) return false;
  const events = wellKnownAbis.events(topic.toLowerCase());
  return events.length === 0 || (count !== undefined && events.every((event) => topicCount(event) !== count));
}

/** Returns whether a signature as Solidity has it is not well known. */
export function declarationNeedsSignatures(text: string): boolean {
  if (!text.includes("(")) return false;
  const item = parseItem(text.trim(), "");
  if (!item) return false;
  const same = item.kind === "event" ? wellKnownAbis.events(item.hash) : wellKnownAbis.functions(selectorOf(item));
  return same.length === 0;
}

function isSelector(text: string): boolean {
  return /^0x[0-9a-f]{8}$/.test(text);
}
