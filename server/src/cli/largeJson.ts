import { isArray, isObject, type JsonValue, printJson } from "../base/json.ts";
import { isMadeLater, type NextText, printedItems } from "../base/lazyList.ts";
import type { Terminal } from "./terminal.ts";

/** UTF-16 code units that are printed at once. */
const chunkLength = 60_000;
/** A value that contains fewer values is printed in one piece. */
const manyValues = 1000;
/** A longer list has one line per item. */
const manyItems = 100;

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
  const nextText = list && (isMadeLater(list) || list.length >= manyItems) ? printedItems(list) : undefined;
  if (nextText) yield* linesOfTexts(nextText, `${indent}  `);
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

function* linesOfTexts(nextText: NextText, indent: string): Generator<string> {
  const lines = (some: readonly string[]): string => indent + some.join(`,\n${indent}`);
  let [some, length]: [string[], number] = [[], 0];
  for (let text = nextText(); text !== undefined; text = nextText()) {
    if (length >= chunkLength) {
      yield `${lines(some)},`;
      [some, length] = [[], 0];
    }
    some.push(text);
    length += text.length;
  }
  yield lines(some);
}

/** Counts a value and the values in it, up to a maximum. */
function countValues(value: JsonValue, max: number): number {
  let count = 1;
  if (isArray(value)) {
    if (isMadeLater(value) || value.length >= max) return max; // to look at the items of a long list would make them
    for (let at = 0; at < value.length && count < max; at++) count += countValues(value[at] ?? null, max - count);
  } else if (isObject(value)) {
    for (const key in value) {
      if (count >= max) break;
      count += countValues(value[key] ?? null, max - count);
    }
  }
  return count;
}
