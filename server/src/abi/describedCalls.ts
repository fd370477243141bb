import { isAddress, isHex, quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import type { DescribedCall } from "./clearSigning.ts";

/** Calls of one request that are looked at: a block can have thousands. */
const maxCalls = 2000;

/**
 * Finds the calls in requests and answers: transactions, call objects, frames of traces. Each once, in their order. A call
 * that reverted or that cannot write is left out with the calls in it: they move nothing.
 *
 * @param chainId - The chain of the endpoint; `undefined` if that is not known. A transaction of another chain is left out.
 */
export function describedCalls(
  values: readonly (JsonValue | undefined)[],
  chainId: bigint | undefined,
): readonly DescribedCall[] {
  const calls = new Map<string, DescribedCall>();
  const failed = new Set<JsonValue | undefined>(values.flatMap(failedTransactions));
  const left = [...values].reverse();
  while (left.length > 0 && calls.size < maxCalls) {
    const next = left.pop();
    if (isArray(next) && !areLogs(next)) for (const item of performed(next).reverse()) left.push(item);
    if (!isObject(next) || isUndone(next) || failed.has(next.hash)) continue;
    const call = callOf(next, chainId);
    if (call) calls.set([call.chainId, call.to, call.data, call.value, call.from].join(" ").toLowerCase(), call);
    for (const value of Object.values(next).reverse()) if (typeof value === "object") left.push(value);
  }
  return [...calls.values()];
}

/** Returns the hashes of transactions that failed, by their receipts. */
function failedTransactions(value: JsonValue | undefined): readonly JsonValue[] {
  if (isArray(value) && areLogs(value)) return [];
  const receipts = isArray(value) ? value : [value];
  return receipts.flatMap((one) => (isObject(one) && one.status === "0x0" ? (one.transactionHash ?? []) : []));
}

/** There may be a hundred thousand, and none holds a call. */
function areLogs([first]: readonly JsonValue[]): boolean {
  return isObject(first) && isArray(first.topics);
}

/** Returns the frames of a flat trace without those that are undone, and without the frames in them, which follow. */
function performed(items: readonly JsonValue[]): JsonValue[] {
  let undone: JsonObject | undefined;
  return items.filter((item) => {
    if (!isObject(item)) return true;
    if (undone && isInside(item, undone)) return false;
    undone = isUndone(item) ? item : undefined;
    return undone === undefined;
  });
}

/** Whether a frame of a flat trace is in another, by its address or by its depth. */
function isInside(frame: JsonObject, outer: JsonObject): boolean {
  const [own, other] = [frame.traceAddress, outer.traceAddress];
  if (isArray(own) && isArray(other))
    return frame.transactionHash === outer.transactionHash && other.every((step, at) => step === own[at]);
  const [depth, limit] = [frame.depth, outer.depth].map(Number);
  return depth !== undefined && limit !== undefined && depth > limit;
}

/** Whether a frame of a trace reverted, or cannot write. */
function isUndone({ error, type, callType, action }: JsonObject): boolean {
  const kinds = [type, callType, isObject(action) ? action.callType : undefined];
  return typeof error === "string" || kinds.some((kind) => kind === "STATICCALL" || kind === "staticcall");
}

/** A call of code in the context of its caller is not a call of that contract. */
const borrowed: ReadonlySet<JsonValue> = new Set(["DELEGATECALL", "CALLCODE", "delegatecall", "callcode"]);

function callOf(object: JsonObject, known: bigint | undefined): DescribedCall | undefined {
  const { to, from, value = null, type = null, callType = null } = object;
  const data = object.input ?? object.data;
  if (!isAddress(to) || !isHex(data) || data.length < 10 || borrowed.has(type) || borrowed.has(callType))
    return undefined;
  const own = quantity(object.chainId);
  const chainId = known ?? own;
  if (chainId === undefined || (own !== undefined && own !== chainId)) return undefined;
  const wei = quantity(value);
  const isUnclear = isHex(object.data) && object.data.toLowerCase() !== data.toLowerCase();
  if (isUnclear || (value !== null && wei === undefined)) return undefined; // nodes differ in what they do with it
  return { chainId, to, data, ...(wei !== undefined && { value: wei }), ...(isAddress(from) && { from }) };
}
