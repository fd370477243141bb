/** A JSON value in which every number survives: integers beyond 2^53 are `bigint`, what no double holds is its token. */
export type JsonValue = null | boolean | number | bigint | ExactNumber | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A number that a double would change: `-0`, `0.12345678901234567890`, `1e400`. */
export class ExactNumber {
  /** The number as it was written. */
  readonly token: string;

  constructor(token: string) {
    this.token = token;
  }

  toString(): string {
    return this.token;
  }
}

/** Deeper text is treated as opaque: recursion over it would end in a stack overflow. */
export const maxDepth = 512;

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

export function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/**
 * Parses strict JSON without rounding numbers. One walk over the value decides whether to read the text a second
 * time; that is far cheaper than searching the text of a large answer for long numbers.
 *
 * @returns `undefined` if the text is not JSON or nests deeper than {@link maxDepth}.
 * @example parseJson("[9007199254740993]"); //=> [9007199254740993n]
 */
export function parseJson(text: string): JsonValue | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue; // JSON.parse returns nothing else
  } catch {
    return undefined;
  }
  const verdict = inspect(value, maxDepth);
  if (verdict === "too-deep") return undefined;
  return verdict === "rounded" || (verdict === "zero" && mayBeTiny(text)) ? readExactly(text) : value;
}

/** `zero` may have been something smaller than a double can hold. */
type Verdict = "exact" | "zero" | "rounded" | "too-deep";

const severities: Readonly<Record<Verdict, number>> = { exact: 0, zero: 1, rounded: 2, "too-deep": 3 };

const tinyFraction = `.${"0".repeat(300)}`;

/** Returns whether a text may have a number that a double takes for zero. A search for signs is far faster than a pattern. */
function mayBeTiny(text: string): boolean {
  for (let at = text.indexOf("-"); at >= 0; at = text.indexOf("-", at + 1))
    if (/[\d.][eE]/.test(text.slice(Math.max(0, at - 2), at))) return true;
  return text.includes(tinyFraction);
}

function inspect(value: JsonValue, levels: number): Verdict {
  if (typeof value === "number") {
    if (value === 0) return Object.is(value, -0) ? "rounded" : "zero";
    return Number.isSafeInteger(value) ? "exact" : "rounded";
  }
  if (typeof value !== "object" || value === null) return "exact";
  if (levels === 0) return "too-deep";
  let verdict: Verdict = "exact";
  // `for in` over arrays too would turn each index into a string
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[])
      if (typeof item === "object" || typeof item === "number") verdict = worse(verdict, inspect(item, levels - 1));
  } else {
    const object = value as { readonly [key: string]: JsonValue };
    for (const key in object) {
      const item = object[key];
      if (typeof item === "object" || typeof item === "number") verdict = worse(verdict, inspect(item, levels - 1));
    }
  }
  return verdict;
}

function worse(a: Verdict, b: Verdict): Verdict {
  return severities[a] >= severities[b] ? a : b;
}

/** Reads text that is known to be JSON, so it needs no checks of its own beyond depth. */
function readExactly(text: string): JsonValue | undefined {
  const token = /[\s,:]*(?:("(?:[^"\\]|\\.)*")|([{}[\]])|([^\s,:{}[\]"]+))/gy;
  let depth = 0;
  const next = (): RegExpExecArray | null => token.exec(text);
  const value = (found: RegExpExecArray | null): JsonValue | undefined => {
    if (found?.[1] !== undefined) return JSON.parse(found[1]) as string;
    if (found?.[3] !== undefined) return scalar(found[3]);
    if (found === null || ++depth > maxDepth) return undefined;
    const read = found[2] === "[" ? list() : members();
    depth--;
    return read;
  };
  const list = (): JsonValue | undefined => {
    const items: JsonValue[] = [];
    for (let found = next(); found?.[2] !== "]"; found = next()) {
      const item = value(found);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  };
  const members = (): JsonValue | undefined => {
    const object: Record<string, JsonValue> = {};
    for (let found = next(); found?.[2] !== "}"; found = next()) {
      const member = value(next());
      if (found?.[1] === undefined || member === undefined) return undefined;
      // `__proto__` is a key like any other
      Object.defineProperty(object, JSON.parse(found[1]), {
        value: member,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return object;
  };
  return value(next());
}

function scalar(token: string): JsonValue {
  const value = JSON.parse(token) as JsonValue;
  if (typeof value !== "number" || (Number.isSafeInteger(value) && value !== 0)) return value;
  if (/^-?[1-9]\d*$/.test(token)) return BigInt(token);
  return digitsOf(token) === digitsOf(String(value)) ? value : new ExactNumber(token);
}

/** The digits of a number and where its point is, so that `1.50` and `15e-1` are the same. */
function digitsOf(token: string): string {
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const kept = digits.replace(/0+$/, "");
  if (kept === "") return sign === "" ? "0" : "-0";
  return `${sign}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}

/** Whether two values that hold no others are the same. */
export function sameScalar(a: JsonValue, b: JsonValue): boolean {
  return a === b || (a instanceof ExactNumber && b instanceof ExactNumber && a.token === b.token);
}

/**
 * Prints JSON; numbers come out as the tokens that they were.
 *
 * @param indent - Spaces a level; 0 prints one line.
 */
export function printJson(value: JsonValue, indent = 0): string {
  for (let mark = "\u{f0000}n:"; ; mark = `\u{f0000}${Math.random()}:`) {
    let big = 0;
    const text = JSON.stringify(
      value,
      (_key, item: unknown) => {
        if (typeof item !== "bigint" && !(item instanceof ExactNumber)) return item;
        big++;
        return `${mark}${item}`;
      },
      indent,
    );
    if (big === 0) return text;
    // a text of anyone may hold the mark: then it takes another one
    if (text.split(mark).length - 1 === big) return text.replace(new RegExp(`"${mark}([-+.\\deE]+)"`, "gu"), "$1");
  }
}
