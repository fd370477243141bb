import type { Decoded } from "../abi/decode.ts";
import type { LogReader } from "../abi/decodeLog.ts";
import { encodedLogs } from "../abi/encodedLogs.ts";
import type { AbiEvent } from "../abi/item.ts";
import { isArray, isObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import { itemTexts } from "../base/lazyList.ts";
import { memberTexts } from "../base/memberTexts.ts";
import { memoByObject } from "../base/memo.ts";

/**
 * The columns of a log, as tools for data of chains name them. Those of its event come after them.
 * @see https://github.com/paradigmxyz/cryo (datasets, logs)
 */
export const logColumns = [
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

/** The values of a row as JSON: those of {@link logColumns}, then those of the event. */
export interface LogRow {
  readonly texts: readonly string[];
  /** Columns of the arguments. */
  readonly names: readonly string[];
  readonly values: readonly Decoded[];
}

/** Returns how to make the row of a log of a list. All of them have a place in the chain. */
export function rowsOf(logs: readonly JsonValue[], reader: LogReader, chainId: number): (index: number) => LogRow {
  const [membersAt, encodedAt] = [logMembers(logs, members), encodedLogs(logs, reader)];
  return (index) => {
    const [block, transaction, log, topics = "[]", hash = "null", address = "null", data = "null"] = membersAt(index);
    const texts = [block, transaction, log].map((text) => `${numberIn(text) ?? null}`);
    texts.push(hash, address);
    const encoded = encodedAt?.(index);
    const list = encoded ? undefined : parseJson(topics);
    for (let at = 0; at < 4; at++)
      texts.push(encoded ? slicedTopic(topics, at) : printJson((isArray(list) ? list[at] : undefined) ?? null));
    if (encoded) {
      const { event, params } = encoded.event;
      texts.push(data, `${chainId}`, JSON.stringify(event.name));
      return { texts, names: namesOf(params), values: encoded.values };
    }
    const event = reader.read(logs[index] ?? null);
    const isFit = event?.faults.length === 0; // what does not fit is better read from topics and data
    const args = isFit ? event.args : [];
    texts.push(data, `${chainId}`, isFit ? printJson(event.name) : "null");
    return { texts, names: namesOf(args), values: args.map(({ value }) => value) };
  };
}

/** Characters of a topic of 32 bytes, with its quotes and a comma: {@link encodedLogs} takes no others. */
const topicWidth = 69;

function slicedTopic(topics: string, at: number): string {
  return topics.slice(1 + at * topicWidth, (at + 1) * topicWidth) || "null";
}

const members = ["blockNumber", "transactionIndex", "logIndex", "topics", "transactionHash", "address", "data"];

/** Returns how to get members of a log of a list as JSON. Nothing is made of a long list. */
export function logMembers(
  logs: readonly JsonValue[],
  members: readonly string[],
): (index: number) => readonly (string | undefined)[] {
  const textAt = itemTexts(logs);
  if (textAt) return (index) => memberTexts(textAt(index), members);
  return (index) => {
    const log = logs[index];
    return members.map((name) => {
      const value = isObject(log) ? log[name] : undefined;
      return value === undefined ? undefined : printJson(value);
    });
  };
}

/** Reads a quantity in JSON. */
export function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^"0x[0-9a-f]{1,13}"$/i.test(text) ? Number(text.slice(1, -1)) : undefined;
}

/** Reads one of the {@link LogRow.texts}. */
export function valueIn(json: string): JsonValue {
  return json.startsWith('"') && !json.includes("\\") ? json.slice(1, -1) : (parseJson(json) ?? null);
}

/** The arguments of a row by column, as one value; `null` if there are none. */
export function argumentsOf({ names, values }: LogRow): JsonValue {
  return names.length > 0 ? Object.fromEntries(names.map((name, at) => [name, values[at] ?? null])) : null;
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

/**
 * Returns the columns for the arguments of all events that a filter allows, however many of them are indexed, and whether
 * all values of a column are integers.
 *
 * @returns `undefined` if it allows any event.
 */
export function argumentColumns(filter: JsonValue, reader: LogReader): ReadonlyMap<string, boolean> | undefined {
  const { topics, address = null } = isObject(filter) ? filter : {};
  const listed = (value: JsonValue): readonly JsonValue[] => (isArray(value) ? value : [value]);
  const hashes = listed((isArray(topics) ? topics[0] : undefined) ?? null);
  if (hashes.length === 0 || !hashes.every((hash) => typeof hash === "string")) return undefined;
  const eventsOf = (hash: string, contract: JsonValue): readonly AbiEvent[] =>
    [1, 2, 3, 4].flatMap((count) => {
      const log = { address: contract, topics: Array.from({ length: count }, () => hash), data: "0x" };
      return reader.kindOf(log)?.events ?? [];
    });
  const columns = new Map<string, boolean>();
  for (const { inputs } of hashes.flatMap((hash) => listed(address).flatMap((contract) => eventsOf(hash, contract))))
    for (const [at, name] of namesOf(inputs).entries()) {
      const isInteger = /^u?int\d*$/.test(inputs[at]?.type.text ?? "");
      columns.set(name, isInteger && columns.get(name) !== false);
    }
  return columns;
}
