import { quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";

/**
 * The calls that `eth_simulateV1` was asked for in each block of its result. Skipped block numbers give blocks between
 * those that were asked for: an entry with a number belongs to that block, one without to the block after the last one.
 *
 * @param params - As they were sent.
 */
export function requestedCalls(params: JsonValue, blocks: readonly JsonObject[]): readonly (readonly JsonValue[])[] {
  const payload = isArray(params) ? params[0] : undefined;
  const entries = isObject(payload) && isArray(payload.blockStateCalls) ? payload.blockStateCalls : [];
  const places = new Map(blocks.map(({ number }, at) => [quantity(number), at]));
  const asked: (readonly JsonValue[])[] = blocks.map(() => []);
  let at = -1;
  for (const entry of entries) {
    const overrides = isObject(entry) && isObject(entry.blockOverrides) ? entry.blockOverrides : {};
    at = places.get(quantity(overrides.number) ?? -1n) ?? at + 1;
    if (at < asked.length && isObject(entry) && isArray(entry.calls)) asked[at] = entry.calls;
  }
  return asked;
}
