import type { JsonValue } from "../base/json.ts";
import type { AbiScope } from "./abiScope.ts";
import { fittingData, odd } from "./candidates.ts";
import { type DecodeResult, decodeParams } from "./decode.ts";
import { calleeBeside, type DecodedCall, type InnerCall } from "./decodeCall.ts";
import { lowerHex } from "./decodeLog.ts";
import { type DecodedRevert, decodeRevert } from "./decodeRevert.ts";
import type { AbiItem } from "./item.ts";
import {
  type Allowance,
  allowanceFor,
  bytesAmong,
  maxDepth,
  type NestedBytes,
  spend,
  type ValuePath,
} from "./nested.ts";

/** The value returned by one of the calls inside a call: a multicall returns a list of bytes, one for each. */
export interface InnerReturned {
  /** The path of its bytes among the returned values. */
  readonly path: ValuePath;
  /** The bytes themselves, lower-case hex. */
  readonly data: string;
  readonly asked: InnerRequest;
  /** The reason for its failure, if the result has a flag beside the bytes that reports one. */
  readonly revert: DecodedRevert | undefined;
  /** `undefined` if it failed, or if the bytes do not match what a known function is declared to return. */
  readonly returned: Returned | undefined;
  /** The values returned by the calls inside this call. */
  readonly inner: readonly InnerReturned[];
}

/** A call inside a call, of a known function or not. */
type InnerRequest = Pick<InnerCall, "to" | "data" | "call">;

interface DecodeContext {
  readonly scope: AbiScope | undefined;
  readonly allowance: Allowance;
  /** Levels that may still follow. */
  readonly depth: number;
}

/**
 * Returns the results of the calls inside a call, matched by position: the third bytes returned belong to the third
 * call.
 *
 * @param call - The call as {@link decodeCall} read it.
 * @param returned - What it returned, as {@link decodeReturns} read it.
 * @param data - The same as it came: what may be read of it is bounded by its length.
 */
export function innerReturns(
  call: DecodedCall,
  returned: Returned,
  data: string,
  scope?: AbiScope,
): readonly InnerReturned[] {
  return returnsIn(call, returned, { scope, allowance: allowanceFor(data), depth: maxDepth });
}

function returnsIn(
  call: DecodedCall,
  { item, values }: Returned,
  { depth, ...around }: DecodeContext,
): readonly InnerReturned[] {
  const asked = depth > 0 ? innerRequests(call) : new Map<number, InnerRequest>();
  const inner: InnerReturned[] = [];
  if (asked.size === 0) return inner;
  for (const bytes of bytesAmong(item.outputs, values)) {
    const one = asked.get(placeOf(bytes.path));
    if (!one) continue;
    if (!spend(around.allowance, bytes.data)) break;
    inner.push(innerReturned(one, bytes, { ...around, depth: depth - 1 }));
  }
  return inner.some(({ asked, revert }) => asked.call || isDeclared(revert)) ? inner : [];
}

/**
 * Calls by their index in the list that holds them. Empty if there are several lists, as any of them may be the one
 * answered.
 */
function innerRequests({ inner, item, args }: DecodedCall): ReadonlyMap<number, InnerRequest> {
  const asked = new Map<number, InnerRequest>(inner.map((one) => [placeOf(one.path), one]));
  if (asked.size < inner.length) return new Map();
  const values = args.map(({ value }) => value);
  for (const { path, data, beside } of bytesAmong(item.inputs, values)) {
    const place = placeOf(path);
    if (!asked.has(place)) asked.set(place, { to: calleeBeside(beside()), data, call: undefined });
  }
  return asked;
}

function innerReturned(asked: InnerRequest, { path, data, beside }: NestedBytes, around: DecodeContext): InnerReturned {
  const { scope } = around;
  const failed = beside().some(({ type, value }) => type.kind === "bool" && value === false);
  const whatever = { path, data, asked, returned: undefined, revert: undefined, inner: [] };
  if (failed) return { ...whatever, revert: decodeRevert(data, scope, asked.to) };
  const { call, to } = asked;
  if (!call) return whatever;
  const items = fittingData("function", call.data, scope, to?.toLowerCase())
    .map(({ item }) => item)
    .filter(({ outputs }) => outputs.length > 0);
  const [best] = decodeReturns(items, data);
  if (!best || best.faults.length > 0) return whatever;
  return { ...whatever, returned: best, inner: returnsIn(call, best, around) };
}

/** It reads as a revert without any doubt. */
function isDeclared(revert: DecodedRevert | undefined): boolean {
  return revert?.kind === "reason" || revert?.kind === "panic" || revert?.kind === "custom";
}

/** Its index in the list that holds it; -1 if it is not in a list. */
function placeOf(path: ValuePath): number {
  return typeof path[1] === "number" ? path[1] : -1;
}

/** The values that a call returned, as one declaration reads them. */
interface Returned extends DecodeResult {
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
