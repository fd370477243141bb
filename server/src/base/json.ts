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

/** The depth of answers: a call that is 1024 calls deep, as the EVM allows, is two levels deeper with each. */
export const maxAnswerDepth = 2100;

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
 * @returns `undefined` if the text is not JSON or nests deeper than `levels`.
 * @example parseJson("[9007199254740993]"); //=> [9007199254740993n]
 */
export function parseJson(text: string, levels = maxDepth): JsonValue | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue; // JSON.parse returns nothing else
  } catch {
    return undefined;
  }
  const verdict = inspectAll(value, levels);
  if (verdict === "too-deep") return undefined;
  return verdict === "rounded" || mayHaveLongFraction(text) ? readExactly(text, levels) : value;
}

type Verdict = "exact" | "rounded" | "too-deep";

const severities: Readonly<Record<Verdict, number>> = { exact: 0, rounded: 1, "too-deep": 2 };

/** Digits that a double always holds. */
const safeDigits = 15;

/**
 * Returns whether a text may have a number with a fraction that a double takes for an integer: `1.0000000000000000001`. A
 * search for signs is far faster than a pattern.
 */
function mayHaveLongFraction(text: string): boolean {
  for (let at = text.indexOf("-"); at >= 0; at = text.indexOf("-", at + 1))
    if (isExponentSign(text.charCodeAt(at - 1))) return true;
  for (let at = text.indexOf("."); at >= 0; at = text.indexOf(".", at + 1)) {
    let [start, end] = [at, at + 1];
    while (isDigit(text.charCodeAt(start - 1))) start--;
    while (isDigit(text.charCodeAt(end))) end++;
    if (end - start - 1 > safeDigits) return true;
    at = end - 1;
  }
  return false;
}

/** Whether a character is `e` or `E`. */
function isExponentSign(code: number): boolean {
  return (code | 0x20) === 0x65;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Levels that are inspected by recursion, which is fast; deeper values wait, so that no stack overflows. */
const inspectedAtOnce = 256;

type Waiting = { readonly value: JsonValue; readonly levels: number }[];

function inspectAll(root: JsonValue, levels: number): Verdict {
  let verdict: Verdict = "exact";
  const waiting: Waiting = [{ value: root, levels }];
  for (let next = waiting.pop(); next; next = waiting.pop())
    verdict = worse(verdict, inspect(next.value, next.levels, waiting));
  return verdict;
}

function inspect(value: JsonValue, levels: number, waiting: Waiting): Verdict {
  if (typeof value === "number") {
    return Number.isSafeInteger(value) && !Object.is(value, -0) ? "exact" : "rounded";
  }
  if (typeof value !== "object" || value === null) return "exact";
  if (levels === 0) return "too-deep";
  let verdict: Verdict = "exact";
  const isDeep = (levels - 1) % inspectedAtOnce === 0;
  // `for in` over arrays too would turn each index into a string
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[])
      if (isDeep) waiting.push({ value: item, levels: levels - 1 });
      else if (typeof item === "object" || typeof item === "number")
        verdict = worse(verdict, inspect(item, levels - 1, waiting));
  } else {
    const object = value as { readonly [key: string]: JsonValue };
    for (const key in object) {
      const item = object[key];
      if (isDeep) waiting.push({ value: item ?? null, levels: levels - 1 });
      else if (typeof item === "object" || typeof item === "number")
        verdict = worse(verdict, inspect(item, levels - 1, waiting));
    }
  }
  return verdict;
}

function worse(a: Verdict, b: Verdict): Verdict {
  return severities[a] >= severities[b] ? a : b;
}

/** A list or an object while it is read. */
interface OpenValue {
  readonly value: JsonValue[] | Record<string, JsonValue>;
  /** The key whose value comes next. */
  key: string | undefined;
}

/** Reads text that is known to be JSON, so it needs no checks of its own beyond depth. */
function readExactly(text: string, levels: number): JsonValue | undefined {
  const token = /[\s,:]*(?:("(?:[^"\\]|\\.)*")|([{}[\]])|([^\s,:{}[\]"]+))/gy;
  const open: OpenValue[] = [];
  let root: JsonValue | undefined;
  const put = (value: JsonValue): void => {
    const around = open.at(-1);
    if (!around) root = value;
    else if (Array.isArray(around.value)) around.value.push(value);
    else {
      // `__proto__` is a key like any other
      const key = around.key ?? "";
      Object.defineProperty(around.value, key, { value, enumerable: true, configurable: true, writable: true });
      around.key = undefined;
    }
  };
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [, string, bracket, other = ""] = found;
    const last = open.at(-1);
    if (string !== undefined) {
      const read = JSON.parse(string) as string;
      if (last && !Array.isArray(last.value) && last.key === undefined) last.key = read;
      else put(read);
    } else if (bracket === "[" || bracket === "{") {
      if (open.length === levels) return undefined;
      open.push({ value: bracket === "[" ? [] : {}, key: undefined });
    } else if (bracket !== undefined) {
      open.pop();
      if (last) put(last.value);
    } else put(scalar(other));
  }
  return root;
}

function scalar(token: string): JsonValue {
  const value = JSON.parse(token) as JsonValue;
  if (typeof value !== "number" || (Number.isSafeInteger(value) && /^-?[1-9]\d*$/.test(token))) return value;
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
  if (typeof value === "string" || typeof value === "number") return JSON.stringify(value); // what an id is
  try {
    return printAtOnce(value, indent);
  } catch (fault) {
    if (fault instanceof RangeError) return printDeep(value, indent); // the stack was too small for a deep value
    throw fault;
  }
}

function printAtOnce(value: JsonValue, indent: number): string {
  if (!holdsExactNumbers(value)) return JSON.stringify(value, undefined, indent); // twice as fast as with a function
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

/** Whether a value is or holds a number that `JSON.stringify` cannot print. */
function holdsExactNumbers(value: JsonValue | undefined): boolean {
  if (typeof value !== "object" || value === null) return typeof value === "bigint";
  if (Array.isArray(value)) return (value as readonly JsonValue[]).some(holdsExactNumbers);
  if (value instanceof ExactNumber) return true;
  for (const key in value) if (holdsExactNumbers((value as JsonObject)[key])) return true;
  return false;
}

/** A list or an object while it is printed. */
interface OpenText {
  readonly entries: readonly (readonly [key: string, item: JsonValue])[];
  readonly isList: boolean;
  /** Entries that are printed. */
  at: number;
}

/** Prints without recursion: the stack is enough for any depth. */
function printDeep(value: JsonValue, indent: number): string {
  const open: OpenText[] = [];
  const parts: string[] = [];
  const line = (): string => (indent === 0 ? "" : `\n${" ".repeat(indent * open.length)}`);
  const begin = (item: JsonValue): void => {
    if (isObject(item) || isArray(item)) {
      const isList = isArray(item);
      parts.push(isList ? "[" : "{");
      open.push({ entries: Object.entries(item), isList, at: 0 });
    } else parts.push(typeof item === "string" ? JSON.stringify(item) : String(item));
  };
  begin(value);
  for (let last = open.at(-1); last; last = open.at(-1)) {
    const [key = "", item] = last.entries[last.at++] ?? [];
    if (item !== undefined) {
      parts.push(
        last.at > 1 ? "," : "",
        line(),
        last.isList ? "" : `${JSON.stringify(key)}:${indent === 0 ? "" : " "}`,
      );
      begin(item);
    } else {
      open.pop();
      parts.push(last.entries.length > 0 ? line() : "", last.isList ? "]" : "}");
    }
  }
  return parts.join("");
}
