import { isArray, isObject, type JsonValue, printJson } from "../base/json.ts";
import { textsOf } from "../base/lazyList.ts";
import type { Terminal } from "./terminal.ts";

/** UTF-16 code units that are printed at once. */
const chunkLength = 1_000_000;
/** A value that contains fewer values is printed in one piece. */
const manyValues = 1000;
/** A longer list has one line per item. */
const manyItems = 100;

/**
 * Prints JSON in pieces with an indent of two spaces: several large answers together can exceed the length of a string. The
 * items of a long list have a line each.
 */
export function printLargeJson(value: JsonValue, terminal: Terminal): void {
  let chunk = "";
  for (const lines of linesOf(value, { indent: "", before: "", after: "" })) {
    chunk += chunk === "" ? lines : `\n${lines}`;
    if (chunk.length < chunkLength) continue;
    terminal.print(chunk);
    chunk = "";
  }
  if (chunk !== "") terminal.print(chunk);
}

/** The text around a value: its indent, the key of a member, the comma after it. */
interface Surroundings {
  readonly indent: string;
  readonly before: string;
  readonly after: string;
}

function* linesOf(value: JsonValue, { indent, before, after }: Surroundings, isRow = false): Generator<string> {
  if (countValues(value, manyValues) < manyValues) {
    const text = isRow ? printJson(value) : printJson(value, 2).replaceAll("\n", `\n${indent}`);
    yield `${indent}${before}${text}${after}`;
    return;
  }
  const hasRows = isArray(value) && value.length >= manyItems;
  const items = isArray(value) ? value : Object.values(value ?? {});
  const keys = isArray(value) ? undefined : Object.keys(value ?? {});
  const [open, close] = keys ? ["{", "}"] : ["[", "]"];
  yield `${indent}${before}${open}`;
  const textAt = hasRows ? textsOf(value) : undefined;
  if (textAt) {
    for (let at = 0; at < items.length; at++) yield `${indent}  ${textAt(at)}${at < items.length - 1 ? "," : ""}`;
    yield `${indent}${close}${after}`;
    return;
  }
  for (const [at, item] of items.entries()) {
    const key = keys ? `${printJson(keys[at] ?? "")}: ` : "";
    const comma = at < items.length - 1 ? "," : "";
    yield* linesOf(item, { indent: `${indent}  `, before: key, after: comma }, hasRows);
  }
  yield `${indent}${close}${after}`;
}

/** Counts a value and the values in it, up to a maximum. */
function countValues(value: JsonValue, max: number): number {
  let count = 1;
  if (isArray(value)) {
    for (let at = 0; at < value.length && count < max; at++) count += countValues(value[at] ?? null, max - count);
  } else if (isObject(value)) {
    for (const key in value) {
      if (count >= max) break;
      count += countValues(value[key] ?? null, max - count);
    }
  }
  return count;
}
