import { quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonValue, printJson, sameScalar } from "../base/json.ts";
import { brief } from "../base/text.ts";
import { isBytes } from "./operators.ts";
import { printPath, type Segment } from "./path.ts";

export interface Difference {
  /** `result.logs[3].data`: items by their index in the new value, removed ones by the old index. */
  readonly path: string;
  /** `undefined` if there was no value. */
  readonly expected: JsonValue | undefined;
  /** `undefined` if the answer has no value there. */
  readonly actual: JsonValue | undefined;
}

type Same = (a: JsonValue, b: JsonValue) => boolean;

/** Returns whether two JSON values are equal; the order of members does not matter. */
export function equal(a: JsonValue, b: JsonValue, same: Same = sameScalar): boolean {
  if (isArray(a) || isArray(b)) {
    return isArray(a) && isArray(b) && a.length === b.length && a.every((item, at) => equal(item, b[at] ?? null, same));
  }
  if (!isObject(a) || !isObject(b)) return !isObject(a) && !isObject(b) && same(a, b);
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equal(a[key] ?? null, b[key] ?? null, same))
  );
}

/**
 * Compares two JSON values. The order of members does not matter; an item that was added or removed does not make later ones
 * different.
 *
 * @param at - The path to the values.
 * @returns The differences in order, made lazily.
 */
export function* differences(
  expected: JsonValue,
  actual: JsonValue,
  at: readonly Segment[] = [],
  same: Same = sameScalar,
): Generator<Difference> {
  if (isArray(expected) && isArray(actual)) yield* inArrays(expected, actual, at, same);
  else if (isObject(expected) && isObject(actual)) {
    for (const [key, value] of Object.entries(expected)) {
      if (Object.hasOwn(actual, key)) yield* differences(value, actual[key] ?? null, [...at, key], same);
      else yield difference([...at, key], value, undefined);
    }
    for (const [key, value] of Object.entries(actual)) {
      if (!Object.hasOwn(expected, key)) yield difference([...at, key], undefined, value);
    }
  } else if (!same(expected, actual)) yield difference(at, expected, actual);
}

/** Skips the common beginning and end, and compares the rest item by item. */
function* inArrays(
  expected: readonly JsonValue[],
  actual: readonly JsonValue[],
  at: readonly Segment[],
  same: Same,
): Generator<Difference> {
  const alike = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
    a !== undefined && b !== undefined && equal(a, b, same);
  const shorter = Math.min(expected.length, actual.length);
  let start = 0;
  while (start < shorter && alike(expected[start], actual[start])) start++;
  let tail = 0;
  while (tail < shorter - start && alike(expected.at(-1 - tail), actual.at(-1 - tail))) tail++;
  const ends = [expected.length - tail, actual.length - tail] as const;
  for (let index = start; index < Math.max(...ends); index++) {
    const [was, is] = [index < ends[0] ? expected[index] : undefined, index < ends[1] ? actual[index] : undefined];
    if (was !== undefined && is !== undefined) yield* differences(was, is, [...at, index], same);
    else yield difference([...at, index], was, is);
  }
}

function difference(
  path: readonly Segment[],
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
): Difference {
  return { path: printPath(path), expected, actual };
}

/** Characters of a value that are shown. */
const shownLength = 200;

/** Returns whether two texts are too long to be shown whole, so that they may look the same. */
export function isCutShort(a: JsonValue, b: JsonValue | undefined): boolean {
  return typeof a === "string" && typeof b === "string" && Math.max(a.length, b.length) + 2 > shownLength;
}

/**
 * Describes a difference. Texts that are too long are shown from the first difference.
 *
 * @example differenceText({ path: "result", expected: "0x10", actual: "0x11" }); //=> `"0x10" (16) → "0x11" (17)`
 */
export function differenceText({ expected, actual }: Difference): string {
  if (typeof expected !== "string" || typeof actual !== "string" || !isCutShort(expected, actual))
    return `${shown(expected)} → ${shown(actual)}`;
  const areBytes = isBytes(expected) && isBytes(actual);
  const at = areBytes
    ? firstDifference(expected.toLowerCase(), actual.toLowerCase())
    : firstDifference(expected, actual);
  const from = Math.max(0, at - 10);
  const part = (text: string): string => `${from > 0 ? "…" : ""}${brief(printJson(text.slice(from)), shownLength / 2)}`;
  const place = areBytes ? `byte ${(at - 2) >> 1}` : `character ${at}`;
  return `from ${place} on ${part(expected)} → ${part(actual)}`;
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** Prints a value on one line; a quantity in hex with its decimal digits. */
function shown(value: JsonValue | undefined): string {
  if (value === undefined) return "nothing";
  const number = isBytes(value) || typeof value !== "string" ? undefined : quantity(value);
  return `${brief(printJson(value), shownLength)}${number === undefined || number < 10n ? "" : ` (${number})`}`;
}
