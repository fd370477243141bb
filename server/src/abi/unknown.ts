import { isArray, isObject, type JsonValue } from "../base/json.ts";
import { bundledScope, signaturesMissing, signaturesWanted } from "./abiScope.ts";

/**
 * Looks up the topics, call data and reverts in a request or an answer, until one is met that only the table of
 * signatures may know: then `signaturesWanted()` says so. Reads no arguments, and nothing where the table is there.
 */
export function lookUpAll(value: JsonValue | undefined): void {
  const seen = new Set<string>();
  const left: (JsonValue | undefined)[] = [value];
  const isNew = (hash: string): boolean => !seen.has(hash) && seen.add(hash) !== undefined;
  const lookUpCall = (data: JsonValue | undefined): void => {
    const selector = typeof data === "string" ? data.slice(0, 10) : "";
    if (isSelector(selector) && isNew(selector)) bundledScope.functions(selector.toLowerCase());
  };
  /** There may be a hundred thousand logs, most like the one before: nothing else of them is looked at. */
  let last: JsonValue | undefined;
  const isLog = (one: JsonValue): boolean => {
    if (!isObject(one) || !isArray(one.topics)) return false;
    const topic = one.topics[0];
    if (topic === last) return true;
    last = topic;
    if (typeof topic === "string" && isHash(topic) && isNew(topic)) bundledScope.events(topic.toLowerCase());
    return true;
  };
  while (left.length > 0 && signaturesMissing() && !signaturesWanted()) {
    const next = left.pop();
    if (isArray(next)) for (const one of next) if (!isLog(one)) left.push(one);
    if (!isObject(next) || isLog(next)) continue;
    const { input, data, returnData, status } = next;
    lookUpCall(input);
    lookUpCall(data);
    if (status === "0x0" && typeof returnData === "string") lookUpRevert(returnData);
    for (const key of Object.keys(next)) if (typeof next[key] === "object") left.push(next[key]);
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
  return /^0x[0-9a-f]{8}$/i.test(text);
}
