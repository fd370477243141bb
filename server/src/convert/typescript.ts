import { ExactNumber, isArray, isObject, type JsonValue } from "../base/json.ts";
import { visible } from "../base/text.ts";
import { freeName } from "./importModel.ts";
import { type Hole, pieces } from "./openRequests.ts";

/** The holes of a request and the expressions that fill them. */
export interface Holes {
  readonly all: readonly Hole[];
  expression(hole: Hole): string;
  /** The value, if it is known when the code is written. */
  value(hole: Hole): JsonValue | undefined;
}

/** Writes a value as an expression of TypeScript. A number of more digits than JavaScript keeps becomes a string. */
export function tsValue(value: JsonValue, holes?: Holes): string {
  if (typeof value === "string") return tsText(value, holes);
  if (isArray(value)) return `[${value.map((item) => tsValue(item, holes)).join(", ")}]`;
  if (!isObject(value)) return isKept(value) ? String(value) : `"${value}"`;
  return tsObject(Object.entries(value).map(([key, item]) => `${tsKey(key, holes)}: ${tsValue(item, holes)}`));
}

function isKept(value: JsonValue): boolean {
  if (typeof value === "bigint") return String(Number(value)) === String(value);
  const digits = value instanceof ExactNumber ? value.token.replace(/e.*$|\D|^[-0.]+/gi, "") : "";
  return digits.length <= maxKeptDigits && Number.isFinite(Number(value));
}

/** Digits of a fraction that JavaScript always keeps. */
const maxKeptDigits = 15;

/** Writes an object of members that are text already. */
export function tsObject(members: readonly string[]): string {
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** Writes a string, or a template if there are holes in it. A hole that is the whole string keeps its own type. */
export function tsText(text: string, holes?: Holes): string {
  const parts = holes ? pieces(text, holes.all) : [text];
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && typeof only !== "string") return holes?.expression(only) ?? "";
  if (parts.every((part) => typeof part === "string")) return quotedText(text);
  const inside = parts.map((part) => {
    if (typeof part !== "string") return `\${${holes?.expression(part)}}`;
    const escaped = quotedText(part).slice(1, -1).replace(/\\"/g, '"');
    return escaped.replace(/`|\$\{/g, "\\$&");
  });
  return `\`${inside.join("")}\``;
}

function tsKey(key: string, holes?: Holes): string {
  const text = tsText(key, holes);
  return text.startsWith('"') ? tsProperty(key) : `[${text}]`;
}

/** Writes the key of an object. `__proto__` would set the prototype without its brackets. */
export function tsProperty(key: string): string {
  if (key === "__proto__") return '["__proto__"]';
  return isIdentifier(key) ? key : quotedText(key);
}

/** Writes a path behind an expression: `.a[0]["b c"]`. */
export function tsPath(path: readonly (string | number)[]): string {
  return path.map((step) => (isIdentifier(step) ? `.${step}` : `[${JSON.stringify(step)}]`)).join("");
}

function isIdentifier(text: string | number): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(String(text));
}

/** Quotes text; characters that end a line or turn its direction become escapes. */
function quotedText(text: string): string {
  return visible(JSON.stringify(text));
}

/** Returns the value that will be sent: itself, or that of the variable that is all of it. */
export function knownValue(value: JsonValue | undefined, holes: Holes): JsonValue | undefined {
  if (typeof value !== "string") return value;
  const [only, ...others] = pieces(value, holes.all);
  if (others.length > 0) return undefined;
  return only === undefined || typeof only === "string" ? value : holes.value(only);
}

const reserved: ReadonlySet<string> = new Set(
  "break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with let static yield await implements interface package private protected public arguments eval undefined NaN Infinity client createPublicClient http parseAbi process Wire BigInt Promise Error failureOf async".split(
    " ",
  ),
);

/**
 * Opens a register of identifiers. Each name of a notebook gets one of its own.
 *
 * @returns A function from a name to an identifier; the same `key` gives the same identifier again.
 */
export function identifiers(): (name: string, key?: string) => string {
  const taken = new Set<string>();
  const byKey = new Map<string, string>();
  return (name, key) => {
    const before = key === undefined ? undefined : byKey.get(key);
    if (before !== undefined) return before;
    const plain = name.replace(/[^A-Za-z0-9_$]+/g, "_").replace(/^(?=\d)/, "_") || "_";
    const identifier = freeName(plain, "", (one) => taken.has(one) || reserved.has(one));
    taken.add(identifier);
    if (key !== undefined) byKey.set(key, identifier);
    return identifier;
  };
}
