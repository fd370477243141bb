import type { JsonValue } from "../base/json.ts";
import type { AbiScope } from "./abiScope.ts";
import { odd } from "./candidates.ts";
import type { Reading } from "./decode.ts";
import { decodeParams } from "./decode.ts";
import type { DecodedCall } from "./decodeCall.ts";
import { lowerHex } from "./decodeLog.ts";
import { type DecodedRevert, decodeRevert } from "./decodeRevert.ts";
import type { AbiItem } from "./item.ts";
import { bytesAmong, type NestedBytes, type ValuePath } from "./nested.ts";

/** What a call returned, as one declaration reads it. */
export interface Returned extends Reading {
  readonly item: AbiItem;
}

/**
 * Reads returned data as each function that may have returned it. Never throws.
 *
 * @param items - Functions of one selector, or of one name.
 * @returns The likeliest first: those with fewer faults, then those whose values are plausible.
 */
export function decodeReturns(items: readonly AbiItem[], data: JsonValue | undefined): readonly Returned[] {
  const hex = lowerHex(data) ?? "0x";
  const all = items.map((item): Returned => ({ item, ...decodeParams(item.outputs, hex, 2) }));
  if (all.length < 2) return all;
  const odds = new Map(all.map((one) => [one, odd(one.item.outputs, one.values)]));
  return all.toSorted((a, b) => a.faults.length - b.faults.length || (odds.get(a) ?? 0) - (odds.get(b) ?? 0));
}

/** What one of the calls inside a call returned: a multicall returns a list of bytes, one for each. */
export interface InnerReturned {
  /** Where its bytes stand among the returned values. */
  readonly path: ValuePath;
  readonly call: DecodedCall;
  /** Why it failed, where it is said beside the bytes that it did. */
  readonly revert: DecodedRevert | undefined;
  /** `undefined` where it failed, and where the bytes are not what the function is declared to return. */
  readonly returned: Returned | undefined;
}

/**
 * What the calls inside a call returned, found by their places: the third bytes returned belong to the third call.
 *
 * @param call - The call as {@link decodeCall} read it.
 * @param returned - What it returned, as {@link decodeReturns} read it.
 */
export function innerReturns(call: DecodedCall, returned: Returned, scope?: AbiScope): readonly InnerReturned[] {
  const calls = new Map(call.inner.map((one) => [placeOf(one.path), one.call]));
  if (calls.size < call.inner.length) return []; // several lists of calls: nothing says which one this answers
  const inner: InnerReturned[] = [];
  for (const bytes of bytesAmong(returned.item.outputs, returned.values)) {
    const called = calls.get(placeOf(bytes.path));
    if (called) inner.push(innerReturned(called, bytes, scope));
  }
  return inner;
}

function innerReturned(call: DecodedCall, bytes: NestedBytes, scope: AbiScope | undefined): InnerReturned {
  const { path, data } = bytes;
  const failed = bytes.beside().some(({ type, value }) => type.kind === "bool" && value === false);
  if (failed) return { path, call, revert: decodeRevert(data, scope), returned: undefined };
  const [best] = call.item.outputs.length > 0 ? decodeReturns([call.item], data) : [];
  return { path, call, revert: undefined, returned: best?.faults.length === 0 ? best : undefined };
}

/** Its place in the list that holds it; -1 where it stands alone. */
function placeOf(path: ValuePath): number {
  return typeof path[1] === "number" ? path[1] : -1;
}
