import { isArray, isObject, type JsonValue } from "../base/json.ts";

/** A step into a JSON value: a member's name or an item's index. */
export type Segment = string | number;

/** A path that ended too early. */
export interface NoSuchPath {
  /** The part of the path that exists: `result.logs`; empty if not even the first step does. */
  readonly until: string;
  /** The value there: `an array of 2`, `null`, `an object with from, to`. */
  readonly found: string;
}

export function follow(
  value: JsonValue,
  path: readonly Segment[],
): { readonly value: JsonValue } | { readonly missing: NoSuchPath } {
  let here = value;
  for (const [at, segment] of path.entries()) {
    const next = step(here, segment);
    if (next === undefined) return { missing: { until: printPath(path.slice(0, at)), found: kindOf(here) } };
    here = next;
  }
  return { value: here };
}

function step(value: JsonValue, segment: Segment): JsonValue | undefined {
  if (isArray(value)) return typeof segment === "number" ? value[segment] : undefined;
  return isObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
}

/** @example printPath(["decoded", 0, "args"]); //=> "decoded[0].args" */
export function printPath(path: readonly Segment[]): string {
  return path
    .map((segment, at) => (typeof segment === "number" ? `[${segment}]` : at === 0 ? segment : `.${segment}`))
    .join("");
}

export function kindOf(value: JsonValue): string {
  if (value === null) return "null";
  if (isArray(value)) return `an array of ${value.length}`;
  if (isObject(value)) return `an object with ${Object.keys(value).slice(0, 6).join(", ") || "no members"}`;
  return typeof value === "string" ? "a string" : typeof value === "boolean" ? "a boolean" : "a number";
}

/**
 * Returns the member that a node may read for a name: nodes written in Go ignore case, also of letters that fold to one.
 *
 * @see https://pkg.go.dev/encoding/json#Unmarshal
 */
export function memberRead(name: string): string {
  return name.toUpperCase().toLowerCase(); // `ſ` is an `s` in upper case
}
