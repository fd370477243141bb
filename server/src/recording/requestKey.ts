import { isArray, isObject, type JsonValue, printJson } from "../base/json.ts";

/**
 * A text that is equal for requests that ask the same: members in any order, hex digits in any case, no parameters as
 * an empty list.
 */
export function requestKey(method: string, params: JsonValue | undefined): string {
  return `${method} ${printJson(canonical(params ?? []))}`;
}

function canonical(value: JsonValue): JsonValue {
  if (typeof value === "string") return /^0x[\dA-F]*$/i.test(value) ? value.toLowerCase() : value;
  if (isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, canonical(value[key] ?? null)]));
}

/** Groups exchanges by a key, in their order. */
export function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
