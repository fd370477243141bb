import type { LogReader } from "../abi/decodeLog.ts";
import { type JsonValue, parseJson, printJson } from "../base/json.ts";
import { csvLine } from "./csv.ts";
import { argumentColumns, type LogRow, logColumns } from "./logRows.ts";

export type LogFileForm = "csv" | "ndjson";

/** The lines of a file of logs. */
export interface LogLines {
  /** The columns of every row. NDJSON rows have those of their events beside them. */
  readonly columns: readonly string[];
  /** The first line of the file; empty if it has none. */
  readonly head: string;
  of(row: LogRow): string;
}

/** @param filter - The parameter of the request: it says which events a CSV file has columns for. */
export function openLogLines(form: LogFileForm, filter: JsonValue, reader: LogReader): LogLines {
  if (form === "ndjson") return { columns: logColumns, head: "", of: ndjsonLine };
  const names = argumentColumns(filter, reader);
  const columns = [...logColumns, ...(names ?? ["arguments"])];
  return { columns, head: `${csvLine(columns)}\n`, of: (row) => csvRow(row, names) };
}

const keys = logColumns.map((name, at) => `${at === 0 ? "{" : ","}"${name}":`);

function ndjsonLine({ texts, names, values }: LogRow): string {
  let line = "";
  for (let at = 0; at < keys.length; at++) line += `${keys[at]}${texts[at]}`;
  for (let at = 0; at < names.length; at++) line += `,"${names[at]}":${printJson(values[at] ?? null)}`;
  return `${line}}\n`;
}

/** @param columns - Of arguments; `undefined` for one column with all of them. */
function csvRow({ texts, names, values }: LogRow, columns: readonly string[] | undefined): string {
  const argument = (name: string): JsonValue => values[names.indexOf(name)] ?? null;
  const all = (): JsonValue =>
    names.length > 0 ? Object.fromEntries(names.map((name) => [name, argument(name)])) : null;
  const cells = texts.map(plainText);
  if (columns) for (const column of columns) cells.push(plain(argument(column)));
  else cells.push(plain(all()));
  return `${csvLine(cells)}\n`;
}

function plainText(json: string): string {
  if (json === "null") return "";
  return json.startsWith('"') && !json.includes("\\") ? json.slice(1, -1) : plain(parseJson(json) ?? null);
}

/** A row is one line: texts with line ends are written as JSON, as lists are. */
function plain(value: JsonValue): string {
  if (value === null) return "";
  return typeof value === "string" && !/[\r\n]/.test(value) ? value : printJson(value);
}
