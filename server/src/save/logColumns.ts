import type { Decoded } from "../abi/decode.ts";
import type { LogReader } from "../abi/decodeLog.ts";
import { type EncodedLog, encodedLogs } from "../abi/encodedLogs.ts";
import type { AbiEvent } from "../abi/item.ts";
import { isArray, isObject, type JsonObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import { itemTexts } from "../base/lazyList.ts";
import { memberTexts } from "../base/memberTexts.ts";
import { memoByObject } from "../base/memo.ts";
import { csvLine } from "./csv.ts";

export type LogFileForm = "csv" | "ndjson";

/**
 * The columns of a log, as tools for data of chains name them. Those of its event come after them.
 * @see https://github.com/paradigmxyz/cryo (datasets, logs)
 */
const logColumns = [
  "block_number",
  "transaction_index",
  "log_index",
  "transaction_hash",
  "address",
  "topic0",
  "topic1",
  "topic2",
  "topic3",
  "data",
  "chain_id",
  "event",
] as const;

/** The rows of a file of logs. */
export interface LogRows {
  /** The columns of every row. NDJSON rows have those of their events beside them. */
  readonly columns: readonly string[];
  /** The first line of the file; empty if it has none. */
  readonly head: string;
  /** Returns how to make the line of a log of a list: `undefined` if the log lacks what every log has. */
  of(logs: readonly JsonValue[]): (index: number) => string | undefined;
}

/**
 * Makes the rows of logs.
 *
 * @param filter - The parameter of the request: it says which events a CSV file has columns for.
 */
export function openLogRows(form: LogFileForm, filter: JsonValue, reader: LogReader, chainId: number): LogRows {
  const names = form === "csv" ? namesInFilter(filter, reader) : undefined;
  const columns = form === "csv" ? [...logColumns, ...(names ?? ["arguments"])] : logColumns;
  const head = form === "csv" ? `${csvLine(columns)}\n` : "";
  const line = (row: Row): string => (form === "csv" ? csvRow(row, names) : ndjsonRow(row));
  return {
    columns,
    head,
    of(logs) {
      const [textAt, eventAt] = [itemTexts(logs), encodedLogs(logs, reader)];
      return (index) => {
        const encoded = eventAt?.(index);
        const listed = encoded && textAt && listedRow(textAt(index), encoded, chainId);
        const row = listed ?? wholeRow(logs[index] ?? null, reader, chainId);
        return row && line(row);
      };
    },
  };
}

/** Place of a log in the chain. */
export type LogPlace = readonly [block: number, transaction: number, log: number];

/** Returns the place of a log whose members are quantities; `undefined` if it has none. */
export function placeOfLog({ blockNumber, transactionIndex, logIndex }: JsonObject): LogPlace | undefined {
  const block = smallNumber(blockNumber);
  const log = smallNumber(logIndex);
  return block === undefined || log === undefined ? undefined : [block, smallNumber(transactionIndex) ?? 0, log];
}

export function comparePlaces(a: LogPlace, b: LogPlace): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function smallNumber(value: JsonValue | undefined): number | undefined {
  if (typeof value !== "string" || !/^0x[0-9a-f]{1,13}$/i.test(value)) return undefined;
  return Number.parseInt(value, 16);
}

/** The values of a row as JSON: those of {@link logColumns}, then those of the event. */
interface Row {
  readonly texts: readonly string[];
  /** Columns of the arguments. */
  readonly names: readonly string[];
  readonly values: readonly Decoded[];
}

/** Makes the row of a log from its text, which is much faster. */
function listedRow(text: string, { event, values }: EncodedLog, chainId: number): Row | undefined {
  const [block, transaction, log, hash = "null", address = "null", topics = "", data = "null"] = memberTexts(
    text,
    members,
  );
  const numbers = [block, transaction, log].map((one) => smallNumber(one?.slice(1, -1)));
  if (numbers.includes(undefined)) return undefined;
  const texts = numbers.map(String);
  texts.push(hash, address);
  for (let at = 1; at < 1 + 4 * topicWidth; at += topicWidth)
    texts.push(topics.slice(at, at + topicWidth - 1) || "null");
  texts.push(data, `${chainId}`, JSON.stringify(event.event.name));
  return { texts, names: namesOf(event.params), values };
}

const members = ["blockNumber", "transactionIndex", "logIndex", "transactionHash", "address", "topics", "data"];
/** Characters of a topic of 32 bytes, with its quotes and a comma: {@link encodedLogs} takes no others. */
const topicWidth = 69;

function wholeRow(log: JsonValue, reader: LogReader, chainId: number): Row | undefined {
  const place = isObject(log) ? placeOfLog(log) : undefined;
  if (!place || !isObject(log) || !isArray(log.topics)) return undefined;
  const { topics, transactionHash = null, address = null, data = null } = log;
  const [block, , index] = place;
  const event = reader.read(log);
  const isFit = event?.faults.length === 0; // what does not fit is better read from topics and data
  const values = [
    ...[block, smallNumber(log.transactionIndex) ?? null, index, transactionHash, address],
    ...[0, 1, 2, 3].map((at) => topics[at] ?? null),
    ...[data, chainId, isFit ? event.name : null],
  ];
  const args = isFit ? event.args : [];
  return {
    texts: values.map((value) => printJson(value)),
    names: namesOf(args),
    values: args.map(({ value }) => value),
  };
}

const keys = logColumns.map((name, at) => `${at === 0 ? "{" : ","}"${name}":`);

function ndjsonRow({ texts, names, values }: Row): string {
  let line = "";
  for (let at = 0; at < keys.length; at++) line += `${keys[at]}${texts[at]}`;
  for (let at = 0; at < names.length; at++) line += `,"${names[at]}":${printJson(values[at] ?? null)}`;
  return `${line}}\n`;
}

/** @param columns - Of arguments; `undefined` for one column with all of them. */
function csvRow({ texts, names, values }: Row, columns: readonly string[] | undefined): string {
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

/** Names of columns for the arguments of an event: none is taken, and none comes twice. */
const namesOf = memoByObject((args: readonly { readonly name: string }[]): readonly string[] => {
  const taken = new Set<string>(logColumns);
  return args.map(({ name }, at) => {
    let free = /^[\w$]{1,100}$/.test(name) ? name : `arg${at}`;
    while (taken.has(free)) free = `arg_${free}`;
    taken.add(free);
    return free;
  });
});

/** @returns The arguments of all events that the filter allows; `undefined` if it allows any event. */
function namesInFilter(filter: JsonValue, reader: LogReader): readonly string[] | undefined {
  const topics = isObject(filter) && isArray(filter.topics) ? filter.topics : [];
  const [first = null] = topics;
  const hashes = isArray(first) ? first : [first];
  const address = isObject(filter) ? filter.address : undefined;
  const contracts = isArray(address) ? address : [address ?? null];
  if (hashes.length === 0 || !hashes.every((hash) => typeof hash === "string")) return undefined;
  const events = hashes.flatMap((hash) => contracts.flatMap((contract) => eventsOf(hash, contract, reader)));
  return [...new Set(events.flatMap(({ inputs }) => namesOf(inputs)))];
}

/** The events with a topic 0, however many of their arguments are indexed. */
function eventsOf(hash: JsonValue, contract: JsonValue, reader: LogReader): readonly AbiEvent[] {
  return [1, 2, 3, 4].flatMap((count) => {
    const topics = Array.from({ length: count }, () => hash);
    return reader.kindOf({ address: contract, topics, data: "0x" })?.events ?? [];
  });
}
