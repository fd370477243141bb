import { isAddress, isHex, isWord, quantity } from "../../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { describeLog } from "../../report/describe.ts";
import { blockReading } from "./blockNumber.ts";
import { callOf, callReading, sourceText, valuesText } from "./callReading.ts";
import { logsCell } from "./cells.ts";
import { blockHashReading, hexReadings, transactionReading } from "./hexReadings.ts";
import { type Reading, type RecogniseScope, reading } from "./reading.ts";

/** Levels of answers inside answers. */
const maxLevels = 8;

/**
 * Reads JSON of a chain: a log, a receipt, a transaction, a block, a call, an answer. Errors are the caller's.
 *
 * @returns None for anything else.
 */
export function jsonReadings(value: JsonValue, scope: RecogniseScope, level = 0): readonly Reading[] {
  if (level > maxLevels) return [];
  if (typeof value === "string") return isHex(value) && value.length > 2 ? hexReadings(value, scope) : [];
  if (isArray(value)) return listReadings(value, scope, level);
  if (!isObject(value)) return [];
  const inside = (next: JsonValue | undefined): readonly Reading[] =>
    next === undefined ? [] : jsonReadings(next, scope, level + 1);
  if (typeof value.method === "string") return requestReadings(value, scope, level);
  if (isArray(value.topics)) return logReadings(value, value.topics, scope);
  if (isReceipt(value)) return [receiptReading(value)];
  if (isWord(value.parentHash) || isArray(value.transactions)) return blockReadings(value);
  const raw = value.rawTransaction ?? value.raw ?? value.serializedTransaction;
  const signed = typeof raw === "string" ? inside(raw).filter(({ name }) => name === "Signed transaction") : [];
  const own = transactionReadings(value, scope);
  if (own.length + signed.length > 0) return [...signed, ...own];
  if (value.result === null || (isArray(value.result) && value.result.length === 0)) return [nothingFound];
  const nested = [value.result, value.tx, value.transaction, value.receipt, value.log, value.params];
  return readingsOf(nested, inside);
}

/** Readings of one text that are looked for: more would not be offered. */
const enough = 100;

function readingsOf<Value>(values: readonly Value[], read: (value: Value) => readonly Reading[]): readonly Reading[] {
  const found: Reading[] = [];
  for (const value of values) {
    if (found.length >= enough) break;
    found.push(...read(value));
  }
  return found;
}

const nothingFound = reading(
  "Empty answer",
  "The endpoint found nothing: check the hash, the address, the blocks and the chain, or ask again.",
);

/** An answer of an endpoint, by what a caller sends: its raw transaction or its call is asked about, not sent again. */
function requestReadings({ method, params }: JsonObject, scope: RecogniseScope, level: number): readonly Reading[] {
  const [first] = isArray(params) ? params : [params];
  if (first === undefined) return [];
  if (method === "eth_subscription" && isObject(first)) return jsonReadings(first.result ?? null, scope, level + 1);
  const call = isObject(first) && /^eth_(?:call|estimateGas|sendTransaction|createAccessList)$/.test(String(method));
  if (call) return jsonReadings(first, scope, level + 1);
  return typeof first === "string" && String(method).startsWith("eth_sendRaw")
    ? jsonReadings(first, scope, level + 1)
    : [];
}

function listReadings(values: readonly JsonValue[], scope: RecogniseScope, level: number): readonly Reading[] {
  const [first] = values;
  const isLogs = values.length > 1 && values.every((one) => isObject(one) && isArray(one.topics));
  if (isLogs && isObject(first)) return logListReadings(values, first, scope);
  return readingsOf(values.slice(0, 20), (one) => jsonReadings(one, scope, level + 1));
}

function logListReadings(values: readonly JsonValue[], first: JsonObject, scope: RecogniseScope): readonly Reading[] {
  const logs = values.filter(isObject);
  const hash = first.transactionHash;
  const isOne = isWord(hash) && logs.every(({ transactionHash }) => transactionHash === hash);
  if (isOne) return [transactionReading(hash, ` The text has ${logs.length} of its logs.`)];
  const numbers = logs.flatMap(({ blockNumber }) => quantity(blockNumber) ?? []);
  const block = numbers.length === logs.length ? range(numbers) : { fromBlock: scope.fromBlock, toBlock: scope.tag };
  const addresses = new Set(logs.map(({ address }) => address));
  const address = addresses.size === 1 && isAddress(first.address) ? { address: first.address } : {};
  return [reading(`${logs.length} logs`, "Asks for the logs of the same blocks.", logsCell({ ...address, ...block }))];
}

function range(numbers: readonly bigint[]): JsonObject {
  const sorted = numbers.toSorted((a, b) => (a < b ? -1 : 1));
  const at = (place: number): string => `0x${(sorted.at(place) ?? 0n).toString(16)}`;
  return { fromBlock: at(0), toBlock: at(-1) };
}

function logReadings(log: JsonObject, topics: readonly JsonValue[], scope: RecogniseScope): readonly Reading[] {
  const description = describeLog(log, scope.abi);
  const [best] = description.readings;
  const name = best ? `Log: ${valuesText(best, scope)}` : "Log of an unknown event";
  const { transactionHash, blockHash, blockNumber, address } = log;
  const where = isWord(transactionHash) ? transactionReading(transactionHash).cells : [];
  const number = quantity(blockNumber);
  const block =
    isWord(blockHash) && !/^0x0+$/.test(blockHash)
      ? { blockHash }
      : number === undefined
        ? { fromBlock: scope.fromBlock, toBlock: scope.tag }
        : range([number]);
  const filter = { ...(isAddress(address) && { address }), ...block, topics: topics.filter(isWord) };
  const asked = reading(name, `Asks for similar logs.${sourceText(description)}`, logsCell(filter));
  if (where.length === 0) return [asked];
  return [
    { ...asked, what: `The transaction of this log.${sourceText(description)}`, cells: where },
    { ...asked, name: "Similar logs" },
  ];
}

function isReceipt({ transactionHash, logs, gasUsed, cumulativeGasUsed, status }: JsonObject): boolean {
  return isWord(transactionHash) && [logs, gasUsed, cumulativeGasUsed, status].some((one) => one !== undefined);
}

function receiptReading({ transactionHash, status }: JsonObject): Reading {
  const failed = status === "0x0" || status === 0 || status === "reverted" || status === false;
  const what = `The transaction of the receipt${failed ? ", which failed" : ""}: what it did.`;
  return { ...transactionReading(String(transactionHash)), name: "Receipt", what };
}

function blockReadings({ number, hash }: JsonObject): readonly Reading[] {
  const height = quantity(number);
  return [...(height === undefined ? [] : [blockReading(height)]), ...(isWord(hash) ? [blockHashReading(hash)] : [])];
}

function transactionReadings(value: JsonObject, scope: RecogniseScope): readonly Reading[] {
  const hash = [value.hash, value.transactionHash, value.txHash, value.tx_hash].find(isWord);
  const call = callOf(value);
  const again = call ? [callReading(call, scope, hash === undefined ? "Call" : "The same call now")] : [];
  if (hash === undefined) return again;
  const found = transactionReading(hash);
  return [{ ...found, name: call ? "Transaction" : found.name }, ...again];
}
