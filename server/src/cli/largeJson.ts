import { isArray, isObject, type JsonValue, printJson } from "../base/json.ts";
import { printedItems } from "../base/lazyList.ts";
import type { Terminal } from "./terminal.ts";

/** UTF-16 code units that are printed at once. */
const chunkLength = 60_000;
/** A value that contains fewer values is printed in one piece. */
const manyValues = 1000;
/** A longer list has one line per item. */
const manyItems = 100;
/** Items of a list of texts that are put together at once. */
const itemsAtOnce = 50;

/**
 * Prints JSON in pieces with an indent of two spaces: several large answers together can exceed the length of a string, and a reader
 * may be slower. The items of a long list have a line each.
 */
export async function printLargeJson(value: JsonValue, terminal: Terminal): Promise<void> {
  let lines: string[] = [];
  let length = 0;
  for (const some of linesOf(value, { indent: "", before: "", after: "" })) {
    lines.push(some);
    length += some.length;
    if (length < chunkLength) continue;
    terminal.print(lines.join("\n"));
    [lines, length] = [[], 0];
    await terminal.drained();
  }
  if (lines.length > 0) terminal.print(lines.join("\n"));
}

/** The text around a value: its indent, the key of a member, the comma after it. */
interface Surroundings {
  readonly indent: string;
  readonly before: string;
  readonly after: string;
}

/** Yields one line or several. */
function* linesOf(value: JsonValue, { indent, before, after }: Surroundings, isRow = false): Generator<string> {
  if (countValues(value, manyValues) < manyValues) {
    const text = isRow ? printJson(value) : printJson(value, 2).replaceAll("\n", `\n${indent}`);
    yield `${indent}${before}${text}${after}`;
    return;
  }
  const list = isArray(value) ? value : undefined;
  yield `${indent}${before}${list ? "[" : "{"}`;
  const textAt = list && list.length >= manyItems ? printedItems(list) : undefined;
  if (list && textAt) yield* linesOfTexts(list.length, textAt, `${indent}  `);
  else yield* linesOfItems(value, `${indent}  `);
  yield `${indent}${list ? "]" : "}"}${after}`;
}

function* linesOfItems(value: JsonValue, indent: string): Generator<string> {
  const hasRows = isArray(value) && value.length >= manyItems;
  const keys = isArray(value) ? undefined : Object.keys(value ?? {});
  const items = isArray(value) ? value : Object.values(value ?? {});
  for (let at = 0; at < items.length; at++) {
    const before = keys ? `${printJson(keys[at] ?? "")}: ` : "";
    yield* linesOf(items[at] ?? null, { indent, before, after: at < items.length - 1 ? "," : "" }, hasRows);
  }
}

function* linesOfTexts(count: number, textAt: (index: number) => string, indent: string): Generator<string> {
  for (let from = 0; from < count; from += itemsAtOnce) {
    const texts: string[] = [];
    for (let at = from; at < Math.min(from + itemsAtOnce, count); at++) texts.push(textAt(at));
    yield `${indent}${texts.join(`,\n${indent}`)}${from + itemsAtOnce < count ? "," : ""}`;
  }
}

/** Counts a value and the values in it, up to a maximum. */
function countValues(value: JsonValue, max: number): number {
  let count = 1;
  if (isArray(value)) {
    if (value.length >= max) return max; // to look at the items of a long list would make them
    for (let at = 0; at < value.length && count < max; at++) count += countValues(value[at] ?? null, max - count);
  } else if (isObject(value)) {
    for (const key in value) {
      if (count >= max) break;
      count += countValues(value[key] ?? null, max - count);
    }
  }
  return count;
}
