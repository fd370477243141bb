import type { JsonValue } from "../base/json.ts";
import { odd } from "./candidates.ts";
import type { DecodeResult } from "./decode.ts";
import { decodeParams } from "./decode.ts";
import { lowerHex } from "./decodeLog.ts";
import type { AbiItem } from "./item.ts";

/** The values that a call returned, as one declaration reads them. */
export interface Returned extends DecodeResult {
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
