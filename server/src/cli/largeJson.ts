import { isArray, isObject, type JsonValue, printJson } from "../base/json.ts";
import type { Terminal } from "./terminal.ts";

/** UTF-16 code units that are printed at once. */
const chunkLength = 1_000_000;
/** A value that contains fewer values is printed in one piece. */
const manyValues = 1000;

/** Prints JSON in pieces with an indent of two spaces: several large answers together can exceed the length of a string. */
export function printLargeJson(value: JsonValue, terminal: Terminal): void {
  let chunk: string[] = [];
  let length = 0;
  for (const lines of linesOf(value, { indent: "", before: "", after: "" })) {
    chunk.push(lines);
    length += lines.length;
    if (length < chunkLength) continue;
    terminal.print(chunk.join("\n"));
    [chunk, length] = [[], 0];
  }
  if (chunk.length > 0) terminal.print(chunk.join("\n"));
}

/** The text around a value: its indent, the key of a member, the comma after it. */
interface Surroundings {
  readonly indent: string;
  readonly before: string;
  readonly after: string;
}

function* linesOf(value: JsonValue, { indent, before, after }: Surroundings): Generator<string> {
  if (countValues(value, manyValues) < manyValues) {
    yield `${indent}${before}${printJson(value, 2).replaceAll("\n", `\n${indent}`)}${after}`;
    return;
  }
  const items = itemsOf(value);
  const [open, close] = isArray(value) ? ["[", "]"] : ["{", "}"];
  yield `${indent}${before}${open}`;
  for (const [at, [key, item]] of items.entries()) {
    const comma = at < items.length - 1 ? "," : "";
    yield* linesOf(item, { indent: `${indent}  `, before: key, after: comma });
  }
  yield `${indent}${close}${after}`;
}

function itemsOf(value: JsonValue): readonly (readonly [key: string, item: JsonValue])[] {
  if (isArray(value)) return value.map((item) => ["", item]);
  if (!isObject(value)) return [];
  return Object.entries(value).map(([key, item]) => [`${printJson(key)}: `, item]);
}

/** Counts a value and the values in it, up to a maximum. */
function countValues(value: JsonValue, max: number): number {
  let count = 1;
  const items = isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  for (const item of items) {
    if (count >= max) break;
    count += countValues(item, max - count);
  }
  return count;
}
