import { isArray, isObject, type JsonValue } from "../base/json.ts";
import { printedJson, type Terminal } from "./terminal.ts";

/** UTF-16 code units that are printed at once. */
const chunkLength = 1_000_000;
/** A value with fewer values in it is printed in one piece. */
const manyValues = 1000;

/** Prints JSON as `printedJson` has it, but in pieces: with several large answers it can be longer than a string can be. */
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

/** What surrounds a value: its indentation, the key of a member, the comma after it. */
interface Around {
  readonly indent: string;
  readonly before: string;
  readonly after: string;
}

function* linesOf(value: JsonValue, { indent, before, after }: Around): Generator<string> {
  if (countUpTo(manyValues, value) < manyValues) {
    yield `${indent}${before}${printedJson(value).replaceAll("\n", `\n${indent}`)}${after}`;
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
  return Object.entries(value).map(([key, item]) => [`${printedJson(key)}: `, item]);
}

function countUpTo(most: number, value: JsonValue): number {
  let count = 1;
  const items = isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  for (const item of items) {
    if (count >= most) break;
    count += countUpTo(most - count, item);
  }
  return count;
}
