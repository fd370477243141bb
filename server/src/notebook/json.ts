import type { Node } from "jsonc-parser";
import type { JsonValue } from "../base/json.ts";
import { parseJson } from "../base/json.ts";
import type { Span } from "../base/span.ts";

/**
 * A node of a tolerant JSON tree. `value` of numbers is rounded to a double: read numbers with {@link exactValue}.
 */
export type JsonNode = Node;

export function spanOf(node: JsonNode): Span {
  return { start: node.offset, end: node.offset + node.length };
}

/** Returns the content of a string between its quotes; the closing one may be missing. */
export function inQuotes(text: string, { start, end }: Span): Span {
  const closed = end - start > 1 && text[end - 1] === '"';
  return { start: Math.min(start + 1, end), end: closed ? end - 1 : end };
}

/** The value of the last member with that key, as `JSON.parse` has it. */
export function member(node: JsonNode | undefined, key: string): JsonNode | undefined {
  if (node?.type !== "object") return undefined;
  return node.children?.findLast((property) => property.children?.[0]?.value === key)?.children?.[1];
}

export function items(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.type === "array" ? (node.children ?? []) : [];
}

/** The exact value of a node; `undefined` where its text is broken. */
export function exactValue(text: string, node: JsonNode): JsonValue | undefined {
  return parseJson(text.slice(node.offset, node.offset + node.length));
}

/** A string, an array of strings, or one that is still being typed: the forms of Markdown and unfinished text in a file. */
export function isLines(node: JsonNode | undefined): boolean {
  if (node === undefined || node.type === "string") return true;
  return node.type === "array" && items(node).every((item) => item.type === "string");
}

/** The tokens of a value without the space between them, strings in one spelling: equal however the text is laid out. */
export function tokens(text: string, node: JsonNode): string {
  const children = node.children ?? [];
  switch (node.type) {
    case "object":
      return `{${children.map((child) => tokens(text, child)).join(",")}}`;
    case "array":
      return `[${children.map((child) => tokens(text, child)).join(",")}]`;
    case "property":
      return children.map((child) => tokens(text, child)).join(":");
    case "string":
      return JSON.stringify(node.value);
    default:
      return text.slice(node.offset, node.offset + node.length);
  }
}

/** Strict JSON, of any depth. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A string of a tree, with its place. */
interface StringAt {
  readonly node: JsonNode;
  readonly isKey: boolean;
  /** The nearest key around it, itself left out. */
  readonly key: string | undefined;
}

/** Every string in a value, keys among them, in the order of the text. */
export function* textsIn(node: JsonNode, key?: string): Generator<StringAt> {
  if (node.type === "string") yield { node, isKey: false, key };
  for (const child of node.children ?? []) {
    if (child.type !== "property") {
      yield* textsIn(child, key);
      continue;
    }
    const [name, value] = child.children ?? [];
    if (name) yield { node: name, isKey: true, key };
    if (name && value) yield* textsIn(value, String(name.value));
  }
}
