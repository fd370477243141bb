import { ExactNumber, isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { listed } from "../base/text.ts";
import { amountInWei } from "../base/units.ts";
import { readPattern } from "./pattern.ts";

/** The operators of `expect`, with their text in messages. */
export const operators = {
  "==": "to be",
  "!=": "not to be",
  "<": "to be less than",
  "<=": "to be at most",
  ">": "to be greater than",
  ">=": "to be at least",
  in: "to be one of",
  matches: "to match",
  length: "to have the length",
  type: "to be of type",
} as const;
export type Operator = keyof typeof operators;

export function isOperator(name: string): name is Operator {
  return Object.hasOwn(operators, name);
}

/** Returns whether every key of an object is an operator; otherwise it is a value to compare with. */
export function isOperators(value: JsonValue): value is JsonObject {
  return isObject(value) && Object.keys(value).length > 0 && Object.keys(value).every(isOperator);
}

export const types: readonly string[] = ["array", "boolean", "null", "number", "object", "string"];

/** Returns why an operator does not accept an operand, in a clause; `undefined` if it does. */
export function operandFault(operator: Operator, operand: JsonValue): string | undefined {
  switch (operator) {
    case "==":
    case "!=":
      return undefined;
    case "<":
    case "<=":
    case ">":
    case ">=":
      return isNumber(operand)
        ? undefined
        : `\`${operator}\` takes a number, a quantity such as "0x10", or an amount such as "1.5 ether"`;
    case "in":
      return isArray(operand) ? undefined : "`in` takes a list";
    case "matches": {
      if (typeof operand !== "string") return "`matches` takes a regular expression as a string";
      const pattern = readPattern(operand);
      return typeof pattern === "string" ? pattern : undefined;
    }
    case "length":
      return wholeNumber(operand) === undefined ? "`length` takes a number" : undefined;
    case "type":
      return types.includes(String(operand)) ? undefined : `types are ${listed(types)}`;
  }
}

/** Returns whether a cell expects a failure. */
export function expectsError(expect: JsonValue | undefined): boolean {
  return isObject(expect) && Object.keys(expect).some((path) => /^error(?:[.[]|$)/.test(path));
}

function isNumber(value: JsonValue): boolean {
  return numberOf(value) !== undefined || amount(value) !== undefined;
}

/** Returns an amount with its unit in wei: `"1.5 ether"`. */
export function amount(value: JsonValue): Decimal | undefined {
  const wei = typeof value === "string" && /[A-Za-z]$/.test(value) ? amountInWei(value.trim()) : undefined;
  return typeof wei === "bigint" ? { units: wei, places: 0 } : undefined;
}

/** The most digits of a number, including those that its exponent adds. Chains have no longer ones, and they take time. */
const maxDigits = 10_000;

/** The number that a value is: a JSON number, decimal digits, or hex of at most 32 bytes. */
export function numberOf(value: JsonValue): Decimal | undefined {
  if (typeof value === "string" && /^0x[\da-f]{1,64}$/i.test(value)) return { units: BigInt(value), places: 0 };
  if (typeof value === "string" && /e/i.test(value)) return undefined; // text, as `5e3` of a hash
  return typeof value === "string" || isJsonNumber(value) ? decimalOf(String(value)) : undefined;
}

export function isJsonNumber(value: JsonValue): value is bigint | number | ExactNumber {
  return typeof value === "bigint" || typeof value === "number" || value instanceof ExactNumber;
}

/** Reads an integer of any size: a number, a quantity or decimal digits, but not bytes. */
export function wholeNumber(value: JsonValue): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : undefined;
  if (typeof value !== "string" || value.length > maxDigits || isBytes(value)) return undefined;
  return /^(?:0x[0-9a-f]+|-?[1-9]\d*|0)$/i.test(value) ? BigInt(value) : undefined;
}

/** Matches hex that is not a quantity: with a leading zero, or as long as an address, a word or more. */
export function isBytes(value: JsonValue): boolean {
  return typeof value === "string" && /^0x(0[0-9a-f]|[0-9a-f]{40}$|[0-9a-f]{64})/i.test(value);
}

/** A decimal number of any size: `units / 10 ** places`, with as few places as it needs. */
export interface Decimal {
  readonly units: bigint;
  readonly places: number;
}

/**
 * Reads decimal digits as JSON writes them, exactly.
 *
 * @returns `undefined` for other text, and for numbers that no chain has.
 * @example decimalOf("1.50") //=> { units: 15n, places: 1 }
 */
export function decimalOf(text: string): Decimal | undefined {
  if (text.length > maxDigits) return undefined;
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const shift = Number(exponent);
  if (sign === undefined || Math.abs(shift) > maxDigits) return undefined;
  const places = fraction.length - shift;
  const digits = whole + fraction + "0".repeat(Math.max(-places, 0));
  const kept = places > 0 ? digits.slice(0, -places) + digits.slice(-places).replace(/0+$/, "") : digits;
  return {
    units: BigInt(kept) * (sign === "-" ? -1n : 1n),
    places: Math.max(places - (digits.length - kept.length), 0),
  };
}

/** Below zero if the first number is less than the second, zero if they are equal. */
export function difference(a: Decimal, b: Decimal): bigint {
  const places = Math.max(a.places, b.places);
  return scaled(a, places) - scaled(b, places);
}

function scaled({ units, places }: Decimal, to: number): bigint {
  return units * 10n ** BigInt(to - places);
}

/** How long to repeat a request: a number of milliseconds, or of new blocks. */
export type Within = { readonly ms: number } | { readonly blocks: number };

const units = { ms: 1, s: 1000, sec: 1000, second: 1000, seconds: 1000, min: 60_000, minute: 60_000, minutes: 60_000 };

/**
 * Reads `within`.
 *
 * @returns `undefined` if it is not a time or a positive number of blocks.
 * @example readWithin("10 s"); //=> { ms: 10000 }
 */
export function readWithin(text: string): Within | undefined {
  const [, digits = "", unit = ""] = /^\s*(\d{1,9}(?:\.\d{1,3})?)\s*([a-z]+)\s*$/.exec(text) ?? [];
  const count = Number(digits);
  if (!(count > 0)) return undefined;
  if (unit === "block" || unit === "blocks") return Number.isInteger(count) ? { blocks: count } : undefined;
  const factor = Object.hasOwn(units, unit) ? units[unit as keyof typeof units] : undefined; // hasOwn says so
  return factor === undefined ? undefined : { ms: count * factor };
}
