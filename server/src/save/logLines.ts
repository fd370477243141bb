import type { LogReader } from "../abi/decodeLog.ts";
import { type JsonValue, printJson } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import { csvLine } from "./csv.ts";
import type { LogFormat } from "./logFormat.ts";
import { argumentColumns, argumentsOf, type LogRow, logColumns, valueIn } from "./logRows.ts";

/** Characters of rows that are written at once. */
const batchLength = 1_000_000;

/** A row is a line. NDJSON rows have the columns of their events beside those of all rows. */
export function openLogLines(form: "csv" | "ndjson", filter: JsonValue, reader: LogReader, mask: Mask): LogFormat {
  const names = form === "csv" ? argumentColumns(filter, reader) : undefined;
  const columns = form === "csv" ? [...logColumns, ...(names?.keys() ?? ["arguments"])] : logColumns;
  const lineOf = form === "csv" ? (row: LogRow) => csvRow(row, names && [...names.keys()]) : ndjsonLine;
  return {
    columns,
    head: form === "csv" ? `${csvLine(columns)}\n` : "",
    pieceMs: (elapsed) => Math.max(250, elapsed / 50),
    piece: (rows) => ({ parts: linesOf(rows, (row) => (mask.isEmpty ? lineOf(row) : mask.text(lineOf(row)))) }),
  };
}

function* linesOf(rows: Iterable<LogRow>, lineOf: (row: LogRow) => string): Iterable<string> {
  let text = "";
  for (const row of rows) {
    text += lineOf(row);
    if (text.length < batchLength) continue;
    yield text;
    text = "";
  }
  yield text;
}

const keys = logColumns.map((name, at) => `${at === 0 ? "{" : ","}"${name}":`);

function ndjsonLine({ texts, names, values }: LogRow): string {
  let line = "";
  for (let at = 0; at < keys.length; at++) line += `${keys[at]}${texts[at]}`;
  for (let at = 0; at < names.length; at++) line += `,"${names[at]}":${printJson(values[at] ?? null)}`;
  return `${line}}\n`;
}

/** @param columns - Of arguments; `undefined` for one column with all of them. */
function csvRow(row: LogRow, columns: readonly string[] | undefined): string {
  const { texts, names, values } = row;
  const cells = texts.map((text) => plain(valueIn(text)));
  if (columns) for (const column of columns) cells.push(plain(values[names.indexOf(column)] ?? null));
  else cells.push(plain(argumentsOf(row)));
  return `${csvLine(cells)}\n`;
}

/** A row is one line: texts with line ends are written as JSON, as lists are. */
function plain(value: JsonValue): string {
  if (value === null) return "";
  return typeof value === "string" && !/[\r\n]/.test(value) ? value : printJson(value);
}
