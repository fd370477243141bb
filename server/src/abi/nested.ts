import { isArray, isObject, type JsonValue } from "../base/json.ts";
import type { Decoded } from "./decode.ts";
import type { AbiParam, AbiType } from "./type.ts";

/** The path of a value: the index of the argument, then members' names and items' indexes, from the outside inwards. */
export type ValuePath = readonly (string | number)[];

/** Bytes among values, which may be data of their own. */
export interface NestedBytes {
  readonly path: ValuePath;
  /** The name of the parameter that holds them. */
  readonly name: string;
  /** `0x` and whole bytes in lower case. */
  readonly data: string;
  /**
   * Returns the values that belong to these bytes: the other members of the tuple, or the items of parallel lists at
   * the same index.
   */
  beside(): readonly Beside[];
}

export interface Beside {
  readonly name: string;
  readonly type: AbiType;
  readonly value: Decoded;
}

/** All `bytes` among values, in order, those inside of tuples and lists as well. */
export function* bytesAmong(params: readonly AbiParam[], values: readonly Decoded[]): Generator<NestedBytes> {
  if (!params.some(({ type }) => holdsBytes(type))) return;
  const level = params.map(({ name, type }, at): Beside => ({ name, type, value: values[at] }));
  yield* bytesOf(level, []);
}

function* bytesOf(level: readonly Beside[], path: ValuePath, named = false): Generator<NestedBytes> {
  for (const [at, own] of level.entries()) {
    if (holdsBytes(own.type)) yield* bytesIn(own, [...path, named ? own.name : at], () => level);
  }
}

function* bytesIn(
  { name, type, value }: Beside,
  path: ValuePath,
  beside: () => readonly Beside[],
): Generator<NestedBytes> {
  if (type.kind === "bytes") {
    if (typeof value === "string") yield { path, name, data: value, beside };
  } else if (type.kind === "tuple") {
    const byName = isObject(value);
    const level = type.members.map(
      ({ name, type }, at): Beside => ({ name, type, value: memberOf(value, byName ? name : at) }),
    );
    yield* bytesOf(level, path, byName);
  } else if (type.kind === "array" && isArray(value)) {
    for (const [at, item] of value.entries()) {
      yield* bytesIn({ name, type: type.of, value: item }, [...path, at], () => column(beside(), value.length, at));
    }
  }
}

function memberOf(value: Decoded, key: string | number): Decoded {
  if (typeof key === "number") return isArray(value) ? value[key] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Returns the items at the same index of lists of equal length. */
function column(beside: readonly Beside[], length: number, at: number): readonly Beside[] {
  return beside.flatMap(({ name, type, value }) =>
    type.kind === "array" && isArray(value) && value.length === length ? { name, type: type.of, value: value[at] } : [],
  );
}

/** Bytes of any length are in it, which may be data of their own. */
export function holdsBytes(type: AbiType): boolean {
  if (type.kind === "array") return holdsBytes(type.of);
  return type.kind === "tuple" ? type.members.some((member) => holdsBytes(member.type)) : type.kind === "bytes";
}

/** A value with others in the places of some that it holds. */
export function replacedAt(value: JsonValue, places: readonly (readonly [ValuePath, JsonValue])[]): JsonValue {
  const own = places.find(([path]) => path.length === 0);
  if (own) return own[1];
  if (places.length === 0 || !(isArray(value) || isObject(value))) return value;
  const below = new Map<string | number, (readonly [ValuePath, JsonValue])[]>();
  for (const [[step = "", ...rest], by] of places) {
    const others = below.get(step);
    if (others) others.push([rest, by]);
    else below.set(step, [[rest, by]]);
  }
  const at = (key: string | number, item: JsonValue): JsonValue => replacedAt(item, below.get(key) ?? []);
  return isArray(value)
    ? value.map((item, index) => at(index, item))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, at(key, item)]));
}

/** Data inside data is followed this far. */
export const maxDepth = 8;

/**
 * The work that data inside data may cause. Offsets that point at one place make copies, and copies of copies grow
 * without an end: all that is read inside one answer draws on one account.
 */
export interface Allowance {
  pieces: number;
  digits: number;
}

/** Enough for what an encoder writes: each level once. */
export function allowanceFor(data: string): Allowance {
  return { pieces: 10_000, digits: 65_536 + data.length * maxDepth };
}

/** @returns Whether the account had enough left to read that data. */
export function spend(allowance: Allowance, data: string): boolean {
  if (allowance.pieces < 1 || allowance.digits < data.length) return false;
  allowance.pieces -= 1;
  allowance.digits -= data.length;
  return true;
}
