import { isAddress, isHex, quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import type { DescribedCall } from "./clearSigning.ts";

/** Calls of one request that are looked at: a block can have thousands. */
const maxCalls = 2000;

/**
 * Finds the calls in requests and answers: transactions, call objects, frames of traces. Each once, in their order.
 *
 * @param chainId - The chain of the endpoint; `undefined` if that is not known. A transaction of another chain is left out.
 */
export function describedCalls(
  values: readonly (JsonValue | undefined)[],
  chainId: bigint | undefined,
): readonly DescribedCall[] {
  const calls = new Map<string, DescribedCall>();
  const left = [...values].reverse();
  while (left.length > 0 && calls.size < maxCalls) {
    const next = left.pop();
    if (isArray(next) && !areLogs(next)) for (let at = next.length - 1; at >= 0; at--) left.push(next[at]);
    if (!isObject(next)) continue;
    const call = callOf(next, chainId);
    if (call) calls.set([call.chainId, call.to, call.data, call.value, call.from].join(" ").toLowerCase(), call);
    for (const value of Object.values(next).reverse()) if (typeof value === "object") left.push(value);
  }
  return [...calls.values()];
}

/** There may be a hundred thousand, and none holds a call. */
function areLogs([first]: readonly JsonValue[]): boolean {
  return isObject(first) && isArray(first.topics);
}

/** A call of code in the context of its caller is not a call of that contract. */
const borrowed: ReadonlySet<JsonValue> = new Set(["DELEGATECALL", "CALLCODE", "delegatecall", "callcode"]);

function callOf(object: JsonObject, known: bigint | undefined): DescribedCall | undefined {
  const { to, from, value, type = null, callType = null } = object;
  const data = object.input ?? object.data;
  if (!isAddress(to) || !isHex(data) || data.length < 10 || borrowed.has(type) || borrowed.has(callType))
    return undefined;
  const own = quantity(object.chainId);
  const chainId = known ?? own;
  if (chainId === undefined || (own !== undefined && own !== chainId)) return undefined;
  const wei = quantity(value);
  return { chainId, to, data, ...(wei !== undefined && { value: wei }), ...(isAddress(from) && { from }) };
}
