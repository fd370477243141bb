import type { Cell } from "./cell.ts";
import type { JsonNode } from "./json.ts";
import { isLines, items, member } from "./json.ts";
import { toShown } from "./layout.ts";
import { readCell } from "./readCell.ts";

/** The members that hold text instead of JSON. */
export type LinesKey = "markdown" | "text";
/** One string; an array on one line; an array with a line for each. */
export type LinesForm = "string" | "line" | "lines";

export const linesForms: readonly LinesForm[] = ["string", "line", "lines"];
/** Characters up to which a short text is on one line. */
const width = 100;

/** A look before the cell is read: one of the keys, or an escape that may spell it. */
const mayHold = /"(?:markdown|text)"|\\u/;

/** The text that a cell's JSON holds, as an editor shows it; `undefined` for every other cell. */
export function heldText(json: string): { readonly key: LinesKey; readonly text: string } | undefined {
  if (!mayHold.test(json)) return undefined;
  const { kind, root } = readCell(json);
  if (root?.type !== "object" || (kind !== "markdown" && kind !== "unfinished")) return undefined;
  const key = kind === "markdown" ? "markdown" : "text";
  const value = member(root, key);
  if (value === undefined || !isLines(value)) return undefined;
  return { key, text: toShown(value.type === "string" ? String(value.value) : itemTexts(value).join("\n")) };
}

/** Whether a cell has no text at all, as in a notebook that a person has just run to its end. */
export function isBlank({ kind, text }: Cell): boolean {
  return kind === "unfinished" && (heldText(text)?.text ?? text).trim() === "";
}

function itemTexts(node: JsonNode): readonly string[] {
  return items(node).map((item) => String(item.value));
}

/** @param form - Absent: one line if it is short, else one value per line. */
export function printLines(key: LinesKey, text: string, form: LinesForm | undefined, unit: string): string {
  if (form === "string") return `{ "${key}": ${JSON.stringify(text)} }`;
  const tokens = text === "" ? [] : text.split("\n").map((line) => JSON.stringify(line));
  const line = `{ "${key}": [${tokens.join(", ")}] }`;
  if (form === "line" || (form === undefined && line.length <= width)) return line;
  return `{\n${unit}"${key}": [\n${tokens.map((token) => unit + unit + token).join(",\n")}\n${unit}]\n}`;
}

/** Puts another text into a cell's JSON and leaves the rest of it, and the lines that stay, as they are. */
export function replaceLines(json: string, key: LinesKey, text: string): string {
  const value = member(readCell(json).root, key);
  if (!value) return json;
  const end = value.offset + value.length;
  const print = value.type === "string" ? JSON.stringify(text) : printItems(json, value, text);
  return json.slice(0, value.offset) + print + json.slice(end);
}

function printItems(json: string, array: JsonNode, text: string): string {
  const old = items(array);
  const first = old[0];
  const last = old.at(-1);
  const written = new Map(old.map((item) => [item.value, json.slice(item.offset, item.offset + item.length)]));
  const tokens = text === "" ? [] : text.split("\n").map((line) => written.get(line) ?? JSON.stringify(line));
  if (!first || !last) return `[${tokens.join(", ")}]`;
  const head = json.slice(array.offset + 1, first.offset);
  const tail = json.slice(last.offset + last.length, array.offset + array.length - 1);
  return `[${head}${tokens.join(`,${head || " "}`)}${tail}]`;
}
