import type { LogReader } from "../abi/decodeLog.ts";
import { readCsv } from "../base/csv.ts";
import { isHex, toQuantity } from "../base/hex.ts";
import { isObject, type JsonObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import { csvLine } from "./csv.ts";
import type { LogFormat } from "./logFormat.ts";
import { argumentColumns, argumentsOf, type LogRow, logColumns, rowsOf, valueIn } from "./logRows.ts";

/** Characters of rows that are written at once. */
const batchLength = 1_000_000;

/** A row is a line. NDJSON rows have the columns of their events beside those of all rows. */
export function openLogLines(form: "csv" | "ndjson", filter: JsonValue, reader: LogReader, mask: Mask): LogFormat {
  const names = form === "csv" ? argumentColumns(filter, reader) : undefined;
  const columns = form === "csv" ? [...logColumns, ...(names?.keys() ?? ["arguments"])] : logColumns;
  const lineOf = form === "csv" ? (row: LogRow) => csvRow(row, names && [...names.keys()]) : ndjsonLine;
  const maskedLineOf = (row: LogRow): string => (mask.isEmpty ? lineOf(row) : mask.text(lineOf(row)));
  return {
    columns,
    head: form === "csv" ? `${csvLine(columns)}\n` : "",
    pieceMs: (elapsed) => Math.max(250, elapsed / 50),
    piece: (rows) => ({ parts: linesOf(rows, maskedLineOf) }),
    readsAlike: (text) => readsAlike(text, form, reader, maskedLineOf),
  };
}

/** Rows that are made again before a file goes on: enough to have the usual events. */
const maxRead = 2_000;

/** Whether rows, made again of the values that the endpoint sent, are the same. Those with a hidden value are left out. */
function readsAlike(text: string, form: "csv" | "ndjson", reader: LogReader, lineOf: (row: LogRow) => string): boolean {
  const lines = text.split("\n").slice(-maxRead - 1, -1);
  return lines.every((line) => {
    const row = form === "csv" ? readCsv(line)?.[0]?.map((field) => field || null) : valuesIn(line);
    const [block, transaction, log, hash, address, topic0, topic1, topic2, topic3, data, chainId] = row ?? [];
    const topics = [topic0, topic1, topic2, topic3].filter((topic) => topic !== null);
    const numbers = [block, transaction, log].filter((value) => value !== null);
    if (!row || ![hash, address, data, ...topics].every((value) => typeof value === "string" && isHex(value)))
      return true;
    if (!numbers.every((value) => /^\d+$/.test(`${value}`))) return true;
    const [blockNumber, transactionIndex, logIndex] = [block, transaction, log].map((value) => quantityOf(value));
    const sent = {
      blockNumber,
      transactionIndex,
      logIndex,
      transactionHash: hash,
      address,
      topics,
      data,
    } as JsonObject; // none of them is `undefined`: a row has all columns
    return lineOf(rowsOf([sent], reader, Number(chainId))(0)) === `${line}\n`;
  });
}

function valuesIn(line: string): readonly JsonValue[] | undefined {
  const row = parseJson(line);
  return isObject(row) ? logColumns.map((name) => row[name] ?? null) : undefined;
}

function quantityOf(value: JsonValue | undefined): string | null {
  return value === null || value === undefined ? null : toQuantity(BigInt(`${value}`));
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
  const cells = texts.map((text) => plainText(valueIn(text)));
  if (columns) for (const column of columns) cells.push(plainText(values[names.indexOf(column)] ?? null));
  else cells.push(plainText(argumentsOf(row)));
  return `${csvLine(cells)}\n`;
}

/** A row is one line: texts with line ends are written as JSON, as lists are. `""` for `null`. */
export function plainText(value: JsonValue): string {
  if (value === null) return "";
  return typeof value === "string" && !/[\r\n]/.test(value) ? value : printJson(value);
}
