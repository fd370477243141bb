import { isArray, isObject, type JsonObject, type JsonValue, sameScalar } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { amount, difference, isJsonNumber, numberOf } from "./operators.ts";

/** Why two values cannot be compared, in a clause. */
export interface Mismatch {
  readonly wrong: string;
}

/**
 * Returns whether two values are the same. Hex is a number beside a number, and bytes beside bytes of its length. Null is
 * different from everything else.
 *
 * @param wanted - May be an amount with its unit.
 */
export function compared(actual: JsonValue, wanted: JsonValue): boolean | Mismatch {
  if (actual === null || wanted === null) return actual === wanted;
  if (isArray(actual) && isArray(wanted))
    return actual.length === wanted.length && all(actual.map((item, at) => compared(item, wanted[at] ?? null)));
  if (isObject(actual) && isObject(wanted)) return comparedObjects(actual, wanted);
  if (sameScalar(actual, wanted)) return true;
  const mismatch = { wrong: `${nameOf(actual)} cannot be compared with ${nameOf(wanted)}` };
  if (isHex(actual) && isHex(wanted)) return comparedHex(actual.toLowerCase(), wanted.toLowerCase()) ?? mismatch;
  const [found, asked] = [numberOf(actual), numberOf(wanted) ?? amount(wanted)];
  if (found !== undefined && asked !== undefined) return difference(found, asked) === 0n;
  const areTexts = typeof actual === "string" && typeof wanted === "string";
  const isUnclear = (asked !== undefined && isLikeNumber(actual)) || (found !== undefined && isLikeNumber(wanted));
  return areTexts && !isUnclear ? false : mismatch;
}

/** Hex, or digits that are written as no number is: `007`. */
function isLikeNumber(value: JsonValue): boolean {
  return isHex(value) || (typeof value === "string" && /^[+-]?\d[\d.]*$/.test(value));
}

function isHex(value: JsonValue): value is string {
  return typeof value === "string" && /^0x[\da-f]*$/i.test(value);
}

/** @returns `undefined` if they cannot be compared. */
function comparedHex(one: string, other: string): boolean | undefined {
  if (one.length === other.length) return one === other;
  const [x, y] = [numberOf(one), numberOf(other)];
  if (one === "0x" || other === "0x") return x?.units === 0n || y?.units === 0n ? undefined : false;
  const isSameNumber = x !== undefined && y !== undefined && difference(x, y) === 0n;
  if (isQuantity(one) || isQuantity(other)) return isSameNumber;
  return isSameNumber ? undefined : false; // an address and a word, say
}

/** Without a zero in front, and shorter than an address. */
function isQuantity(hex: string): boolean {
  return /^0x(?:0|[1-9a-f][\da-f]{0,38})$/.test(hex);
}

function comparedObjects(actual: JsonObject, wanted: JsonObject): boolean | Mismatch {
  const keys = Object.keys(actual);
  if (keys.length !== Object.keys(wanted).length || !keys.every((key) => Object.hasOwn(wanted, key))) return false;
  return all(keys.map((key) => compared(actual[key] ?? null, wanted[key] ?? null)));
}

/** A difference counts more than what cannot be compared. */
function all(parts: readonly (boolean | Mismatch)[]): boolean | Mismatch {
  return !parts.includes(false) && (parts.find((part) => part !== true) ?? true);
}

function nameOf(value: JsonValue): string {
  if (isArray(value)) return "a list";
  if (isObject(value)) return "an object";
  if (typeof value === "boolean") return `the boolean ${value}`;
  if (isHex(value)) return value.length % 2 === 0 ? plural(value.length / 2 - 1, "byte") : "a quantity";
  return isJsonNumber(value) || numberOf(value) !== undefined ? "a number" : "text";
}
