import { isArray, isObject, type JsonValue } from "../base/json.ts";
import { bundledScope, signaturesWanted } from "./abiScope.ts";

/**
 * Looks up the topics, call data and reverts in a request or an answer, until one is met that only the table of
 * signatures may know: then `signaturesWanted()` says so. Reads no arguments.
 */
export function lookUpAll(value: JsonValue | undefined): void {
  const seen = new Set<string>();
  const left: (JsonValue | undefined)[] = [value];
  const isNew = (hash: string): boolean => !seen.has(hash) && seen.add(hash) !== undefined;
  while (left.length > 0 && !signaturesWanted()) {
    const next = left.pop();
    if (isArray(next)) for (const one of next) left.push(one);
    if (!isObject(next)) continue;
    for (const key of Object.keys(next)) {
      const member = next[key];
      if (key === "topics" && isArray(member)) {
        const [topic] = member;
        if (typeof topic === "string" && isHash(topic) && isNew(topic)) bundledScope.events(topic.toLowerCase());
      } else if (typeof member === "string") {
        const selector = member.slice(0, 10).toLowerCase();
        if (!isSelector(selector) || !isNew(`${key} ${selector}`)) continue;
        if (key === "input" || (key === "data" && !isArray(next.topics))) bundledScope.functions(selector);
        if (key === "returnData" && next.status === "0x0") bundledScope.errors(selector);
      } else left.push(member);
    }
  }
}

/** Looks up a revert as {@link lookUpAll} does. */
export function lookUpRevert(data: string): void {
  const selector = data.slice(0, 10).toLowerCase();
  if (isSelector(selector)) bundledScope.errors(selector);
}

function isHash(text: string): boolean {
  return text.length === 66 && text.startsWith("0x");
}

function isSelector(text: string): boolean {
  return /^0x[0-9a-f]{8}$/.test(text);
}
