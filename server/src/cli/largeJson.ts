import { isArray, isObject, type JsonValue, printJson } from "../base/json.ts";
import { printedItems } from "../base/lazyList.ts";
import type { Terminal } from "./terminal.ts";

/** UTF-16 code units that are printed at once. */
const chunkLength = 1_000_000;
/** A value that contains fewer values is printed in one piece. */
const manyValues = 1000;
/** A longer list has one line per item. */
const manyItems = 100;
/** Items of a list of texts that are put together at once. */
const itemsAtOnce = 1000;

/**
 * Prints JSON in pieces with an indent of two spaces: several large answers together can exceed the length of a string. The
 * items of a long list have a line each.
 */
export function printLargeJson(value: JsonValue, terminal: Terminal): void {
  const printer = new Printer(terminal);
  printer.value(value, { indent: "", before: "", after: "" });
  printer.flush();
}

/** The text around a value: its indent, the key of a member, the comma after it. */
interface Surroundings {
  readonly indent: string;
  readonly before: string;
  readonly after: string;
}

class Printer {
  readonly #terminal: Terminal;
  #lines: string[] = [];
  #length = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  flush(): void {
    if (this.#lines.length > 0) this.#terminal.print(this.#lines.join("\n"));
    [this.#lines, this.#length] = [[], 0];
  }

  value(value: JsonValue, { indent, before, after }: Surroundings, isRow = false): void {
    if (countValues(value, manyValues) < manyValues) {
      const text = isRow ? printJson(value) : printJson(value, 2).replaceAll("\n", `\n${indent}`);
      this.#put(`${indent}${before}${text}${after}`);
      return;
    }
    const list = isArray(value) ? value : undefined;
    this.#put(`${indent}${before}${list ? "[" : "{"}`);
    const textAt = list && list.length >= manyItems ? printedItems(list) : undefined;
    if (list && textAt) this.#texts(list.length, textAt, `${indent}  `);
    else this.#items(value, `${indent}  `);
    this.#put(`${indent}${list ? "]" : "}"}${after}`);
  }

  #items(value: JsonValue, indent: string): void {
    const hasRows = isArray(value) && value.length >= manyItems;
    const keys = isArray(value) ? undefined : Object.keys(value ?? {});
    const items = isArray(value) ? value : Object.values(value ?? {});
    for (let at = 0; at < items.length; at++) {
      const before = keys ? `${printJson(keys[at] ?? "")}: ` : "";
      this.value(items[at] ?? null, { indent, before, after: at < items.length - 1 ? "," : "" }, hasRows);
    }
  }

  #texts(count: number, textAt: (index: number) => string, indent: string): void {
    for (let from = 0; from < count; from += itemsAtOnce) {
      const texts: string[] = [];
      for (let at = from; at < Math.min(from + itemsAtOnce, count); at++) texts.push(textAt(at));
      this.#put(`${indent}${texts.join(`,\n${indent}`)}${from + itemsAtOnce < count ? "," : ""}`);
    }
  }

  #put(line: string): void {
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= chunkLength) this.flush();
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
