import { expectedValues } from "../../analysis/references.ts";
import { isObject, type JsonValue, parseJson } from "../../base/json.ts";
import { edited } from "../../evaluate/conversion.ts";
import { fill, type Unresolved, type Values } from "../../evaluate/fill.ts";
import { readWithin, type Within } from "../../evaluate/operators.ts";
import type { Cell } from "../../notebook/cell.ts";
import { exactValue, type JsonNode, spanOf } from "../../notebook/json.ts";
import type { Expected } from "../cellRun.ts";
import { batchMember } from "./values.ts";

/** Fills the placeholders in the expectations of a cell. */
export function filledExpectations(
  cell: Cell,
  values: Values,
): { readonly values: Expected; readonly problems: readonly Unresolved[] } {
  const { text } = cell;
  const filled = new Map<JsonNode, JsonValue>();
  const problems: Unresolved[] = [];
  for (const node of expectedValues(cell)) {
    const result = fill(text, node, values);
    problems.push(...result.problems);
    const value = result.edits.length > 0 ? parseJson(edited(text, spanOf(node), result.edits)) : undefined;
    if (value !== undefined) filled.set(node, value);
  }
  return { values: filled, problems };
}

/** Returns the value of an `expect`, with placeholders filled in. */
export function writtenExpectation(
  { text }: Cell,
  node: JsonNode | undefined,
  filled: Expected | undefined,
): JsonValue | undefined {
  const value = node && exactValue(text, node);
  if (!node || !filled || !isObject(value)) return value;
  const own = (node.children ?? []).flatMap(({ children }): readonly (readonly [string, JsonValue])[] => {
    const [key, wanted] = children ?? [];
    const made = wanted && filled.get(wanted);
    return key && made !== undefined ? [[String(key.value), made]] : [];
  });
  return own.length === 0 ? value : { ...value, ...Object.fromEntries(own) };
}

/** Returns how long a cell waits for its expectations: a batch's own `within`, or the longest of its requests. */
export function pollWindowOf(cell: Cell): Within | undefined {
  if (!cell.directives.has("within")) return undefined;
  const node =
    batchMember(cell, "within") ??
    cell.requests.find(({ members }) => members.has("within"))?.members.get("within")?.value;
  return node?.type === "string" ? readWithin(String(node.value)) : undefined;
}
