import { isArray, isObject, type JsonObject, type JsonValue, printJson } from "../base/json.ts";
import { brief } from "../base/text.ts";
import type { FieldSpec, TypeSpec } from "./spec.ts";

/** More alternatives, values or parts than these are not looked at. */
export const maxChoices = 100;
/** Nor more fields. */
export const maxFields = 500;

/** A JSON Schema in a document, with its place and a name for it. */
export interface Written {
  readonly value: JsonValue | undefined;
  readonly path: string;
  readonly name: string;
}

/** A schema without `$ref`, `oneOf` and `anyOf` at its top. */
export interface Leaf {
  readonly schema: JsonObject;
  readonly path: string;
  readonly name: string;
}

/** Schemas, with where they are in the one around them. */
export type Choices = readonly (readonly [string, JsonValue])[];

interface Form {
  readonly members: ReadonlyMap<string, readonly Written[]>;
  readonly required: ReadonlySet<string>;
}

export function formOf(parts: readonly Leaf[]): Form {
  const members = new Map<string, Written[]>();
  const required = new Set<string>();
  for (const { schema, path, name } of parts) {
    for (const key of isArray(schema.required) ? schema.required : []) if (typeof key === "string") required.add(key);
    const properties = isObject(schema.properties) ? schema.properties : {};
    for (const key in properties) {
      if (members.size > maxFields) break;
      const written = { value: properties[key], path: `${path}.properties.${key}`, name: `${name}.${key}` };
      members.set(key, [...(members.get(key) ?? []), written]);
    }
  }
  return { members, required };
}

export function details(schema: JsonValue | undefined): Pick<FieldSpec, "summary" | "maxItems" | "default"> {
  if (!isObject(schema)) return { summary: "" };
  const { description, title, maxItems } = schema;
  const assumed = schema.default === undefined ? "" : printJson(schema.default);
  return {
    summary: sentence(description ?? title),
    ...(typeof maxItems === "number" && { maxItems }),
    ...(/^[\w ".,:[\]{}-]{1,60}$/.test(assumed) && { default: assumed }),
  };
}

export function typesOf({ type }: JsonObject): readonly JsonValue[] {
  return type === undefined ? [] : isArray(type) ? type.slice(0, 10) : [type];
}

export function isOf(kind: "object" | "array", schema: JsonObject): boolean {
  const named = typesOf(schema);
  if (named.length > 0) return named.includes(kind);
  const keywords =
    kind === "object" ? ["properties", "additionalProperties", "patternProperties"] : ["items", "prefixItems"];
  return keywords.some((keyword) => Object.hasOwn(schema, keyword));
}

/**
 * Returns the choices of `oneOf`, `anyOf` or a single `allOf`; `undefined` if the schema has constraints of its own.
 */
export function choicesIn(schema: JsonObject): Choices | undefined {
  if (isObject(schema.properties)) return undefined;
  for (const keyword of ["oneOf", "anyOf", "allOf"]) {
    const choices = schema[keyword];
    if (!isArray(choices) || choices.length === 0 || (keyword === "allOf" && choices.length > 1)) continue;
    return choices.slice(0, maxChoices).map((choice, at) => [`${keyword}[${at}]`, choice]);
  }
  return undefined;
}

export function pointed(root: JsonValue, target: string): JsonValue | undefined {
  if (!/^#(\/|$)/.test(target)) return undefined;
  let here: JsonValue | undefined = root;
  for (const raw of target.split("/").slice(1)) {
    const key = unescaped(raw);
    const inside: JsonObject = isObject(here) || isArray(here) ? (here as JsonObject) : {}; // an index is a key of its list
    here = Object.hasOwn(inside, key) ? inside[key] : undefined;
  }
  return here;
}

function unescaped(part: string): string {
  const plain = part.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/**
 * Makes a sentence on one line of text from a foreign document. The result is plain text, not Markdown.
 *
 * @example sentence("Gets it\nat once"); //=> "Gets it at once."
 */
export function sentence(text: unknown, limit = 300): string {
  const line = typeof text === "string" ? brief(text.slice(0, limit * 4), limit) : "";
  return line === "" || /[.!?…]$/.test(line) ? line : `${line}.`;
}

/** Makes a short name of such text, without backticks. */
export function label(text: unknown, limit = 40): string {
  return typeof text === "string" ? brief(text.slice(0, limit * 4), limit).replaceAll("`", "'") : "";
}

/**
 * Returns the type of strings with a pattern. Supports patterns of hex and digits only: shows any other pattern, but
 * does not check against it, since a third party's pattern can be made to run forever.
 *
 * @example stringType("^0x[0-9a-fA-F]{40}$", ""); //=> "address"
 */
export function stringType(pattern: string, summary: string): string | TypeSpec {
  if (pattern === "") return "text";
  const plain = pattern
    .replace(/\[(?:0-9|a-f|A-F|\\d)+\]/g, "H")
    .replace(/\[(?:1-9|a-f|A-F)+\]\+?/g, "D")
    .replaceAll("(?:", "(");
  if (/^\^0x(H\*|H\+|\(HH\)[*+]|\(H\{2\}\)[*+])\$$/.test(plain)) return "bytes";
  const quantity = /^\^0x\((?:0\|)?DH(?:\*|\{0,(\d{1,2})\})(?:\|0)?\)\$$/.exec(plain);
  if (quantity) return quantity[1] !== undefined && Number(quantity[1]) <= 15 ? "uint64" : "uint256";
  const most = /^\^0xH\{0,(\d{1,6})\}\$$/.exec(plain)?.[1];
  if (most === "64") return "slot";
  if (most !== undefined) return { kind: "bytes", maxLength: Math.ceil(Number(most) / 2), odd: true, summary };
  const exact = /^\^0xH\{(\d{1,6})\}\$$/.exec(plain)?.[1];
  if (exact !== undefined && Number(exact) % 2 === 0) return exactly(Number(exact) / 2, summary);
  return /^\^(?:\[0-9\]|\\d)\+\$$/.test(pattern) ? "digits" : { kind: "string", summary };
}

function exactly(length: number, summary: string): string | TypeSpec {
  if (length === 20) return "address";
  return length === 32 ? "hash" : { kind: "bytes", length, summary };
}
