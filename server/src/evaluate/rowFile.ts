import { readCsv } from "../base/csv.ts";
import { isHex } from "../base/hex.ts";
import { isObject, type JsonObject, parseJson } from "../base/json.ts";
import { valueOfSpreadsheetText } from "../base/tableValues.ts";

/** The rows of a file, or why there are none: a clause. */
export type RowFile = { readonly rows: readonly JsonObject[] } | { readonly fault: string };

/** Whether rows are read from files with this name. */
export function isRowFile(path: string): boolean {
  return /\.(?:csv|ndjson)$/i.test(path);
}

/** Reads CSV whose first line names the columns, or one JSON object per line. */
export function readRowFile(path: string, text: string): RowFile {
  return /\.csv$/i.test(path) ? ofCsv(text) : ofLines(text);
}

function ofCsv(text: string): RowFile {
  const [head, ...lines] = readCsv(text) ?? [];
  if (!head) return { fault: "it is empty, or a quote in it is not closed" };
  if (head.some((name) => name === "" || isHex(name) || /^\d/.test(name)))
    return { fault: "its first line does not name the columns" };
  const short = lines.findIndex(({ length }) => length !== head.length);
  if (short >= 0)
    return { fault: `row ${short + 1} has ${lines[short]?.length} values, and the first line ${head.length}` };
  return {
    rows: lines.map((line) =>
      Object.fromEntries(head.map((name, at) => [name, valueOfSpreadsheetText(line[at] ?? "")])),
    ),
  };
}

function ofLines(text: string): RowFile {
  const rows: JsonObject[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const value = parseJson(line);
    if (!isObject(value)) return { fault: `row ${rows.length + 1} is not a JSON object` };
    rows.push(value);
  }
  return { rows };
}
