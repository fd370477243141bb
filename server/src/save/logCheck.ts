import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../base/json.ts";
import type { LogReading } from "../gate/endpointQueue.ts";

/** The filter of a reading, without its range. */
export function criteriaOf({ key }: LogReading): JsonObject {
  const params = parseJson(key);
  const filter = isArray(params) ? params[0] : undefined;
  const { fromBlock: _from, toBlock: _to, ...criteria } = isObject(filter) ? filter : {};
  return criteria;
}

/** Members of a log as JSON; `undefined` if it does not have one. */
export interface CheckedLog {
  readonly block: number;
  readonly blockHash: string | undefined;
  readonly address: string | undefined;
  readonly topics: string;
  readonly removed: string | undefined;
}

/**
 * Returns a check for what an endpoint must not send: a log that the filter does not ask for, one that a reorganization has
 * removed, or one of another chain than those before it. Use a new check for each answer.
 *
 * @returns What is wrong, without its place: "a log of another contract".
 */
export function openLogCheck({ address, topics }: JsonObject): (log: CheckedLog) => string | undefined {
  const addresses = allowed(address);
  const allowedTopics = isArray(topics) ? topics.map(allowed) : [];
  const hashes = new Map<number, string>();
  let last: { readonly block: number; readonly hash: string | undefined } | undefined;
  const isOfOtherChain = (block: number, hash: string | undefined): boolean => {
    if (last?.block === block && last.hash === hash) return false;
    last = { block, hash };
    const known = hashes.get(block);
    if (hash?.startsWith('"') && known === undefined) hashes.set(block, hash);
    return hash?.startsWith('"') === true && known !== undefined && known.toLowerCase() !== hash.toLowerCase();
  };
  return (log) => {
    if (log.removed === "true") return "a log that is marked as removed";
    if (addresses && !addresses(log.address)) return "a log of another contract than was asked for";
    const at = allowedTopics.findIndex((isAllowed, index) => isAllowed && !isAllowed(topicAt(log.topics, index)));
    if (at >= 0) return `a log with another topic ${at} than was asked for`;
    return isOfOtherChain(log.block, log.blockHash) ? "logs of one block with two hashes" : undefined;
  };
}

/** Returns whether a value, as JSON, is one that a filter allows; `undefined` if it allows any. */
function allowed(value: JsonValue | undefined): ((text: string | undefined) => boolean) | undefined {
  const list = isArray(value) ? value : [value];
  const texts = new Set(list.flatMap((item) => (typeof item === "string" ? [JSON.stringify(item.toLowerCase())] : [])));
  if (list.length === 0 || !list.every((item) => typeof item === "string")) return undefined;
  let last: string | undefined; // to compare with it is quicker than to look a text up
  return (text) => {
    if (text === undefined || text === last) return text !== undefined;
    const isAllowed = texts.has(text.toLowerCase());
    if (isAllowed) last = text;
    return isAllowed;
  };
}

/** @param topics - JSON without spaces. */
function topicAt(topics: string, index: number): string | undefined {
  let start = 1;
  for (let at = 0; at < index; at++) {
    start = topics.indexOf(",", start) + 1;
    if (start === 0) return undefined;
  }
  const end = topics.indexOf(",", start);
  return topics.slice(start, end < 0 ? -1 : end);
}
