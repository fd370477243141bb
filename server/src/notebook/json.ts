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
