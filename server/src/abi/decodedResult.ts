import { isAddress, isHex, quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue, printJson } from "../base/json.ts";
import { mapped } from "../base/lazyList.ts";
import type { AbiScope } from "./abiScope.ts";
import type { CompiledEvent } from "./compiledEvent.ts";
import { type Decoded, decodeParams } from "./decode.ts";
import { type DecodedCall, decodeCall } from "./decodeCall.ts";
import { type LogReader, logReader, lowerHex } from "./decodeLog.ts";
import { type DecodedRevert, decodeRevert, revertReason } from "./decodeRevert.ts";
import { encodedLogs } from "./encodedLogs.ts";
import { type InnerReturned, innerReturns } from "./innerReturns.ts";
import { replacedAt, type ValuePath } from "./nested.ts";
import { storedValue } from "./storageSearch.ts";
import type { AbiParam } from "./type.ts";

/**
 * Returns the value of `decoded` for placeholders and expectations. It has the shape of the result: the log at
 * `result[3].logs[0]` is decoded at `decoded[3].logs[0]`, which is `null` if no known event fits.
 *
 * @param params - As they were sent: what simulated calls return is read by the functions that they call.
 * @returns `undefined` for methods whose results hold neither logs nor transactions, and for a word of storage unless
 *   the request names one of its values.
 * @example decodedResult("eth_getLogs", logs)[0].args.to; //=> "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"
 */
export function decodedResult(
  method: string,
  result: JsonValue,
  scope?: AbiScope,
  params: JsonValue = null,
): JsonValue | undefined {
  const reader = logReader(scope);
  const logs = (value: JsonValue | undefined): JsonValue =>
    isArray(value) ? mapped(value, (log) => eventValue(log, reader), eventTexts(value, reader)) : null;
  switch (method) {
    case "eth_getLogs":
    case "eth_getFilterLogs":
    case "eth_getFilterChanges":
      return logs(result);
    case "eth_getTransactionReceipt":
      return isObject(result) ? { logs: logs(result.logs) } : null;
    case "eth_getBlockReceipts":
      return each(result, (receipt) => (isObject(receipt) ? { logs: logs(receipt.logs) } : null));
    case "eth_simulateV1":
      return simulatedValue(result, params, logs, scope);
    case "eth_getTransactionByHash":
    case "eth_getTransactionByBlockHashAndIndex":
    case "eth_getTransactionByBlockNumberAndIndex":
      return transactionValue(result, scope);
    case "eth_getBlockByHash":
    case "eth_getBlockByNumber":
      return isObject(result)
        ? {
            transactions: each(result.transactions, (one) => transactionValue(one, scope)),
            ...timeValue(result, "timestampMs"),
          }
        : null;
    case "eth_getStorageAt":
      return scope && storedValue(scope, params, result);
    default:
      return undefined;
  }
}

/** The value of `decoded` for a reverted request: `name`, `args`, and the `reason` on one line. */
export function decodedRevert(
  revertData: JsonValue | undefined,
  scope?: AbiScope,
  to?: JsonValue | undefined,
): JsonObject {
  return errorValue(decodeRevert(revertData, scope, to));
}

function errorValue(revert: DecodedRevert): JsonObject {
  return { ...nameAndArgs(revert), reason: revertReason(revert) };
}

function nameAndArgs(revert: DecodedRevert): JsonObject {
  switch (revert.kind) {
    case "reason":
      return { name: "Error", args: { message: revert.reason }, ...faultsValue(revert.faults) };
    case "panic":
      return { name: "Panic", args: { code: revert.code }, ...faultsValue(revert.faults) };
    case "custom":
      return {
        name: revert.name,
        args: argsValue(revert.args),
        ...faultsValue(revert.faults),
      };
    case "unknown":
      return { selector: revert.selector };
    case "none":
    case "text":
      return {};
  }
}

/** Faults in the data, so that a value that could be read only in part does not look complete. */
function faultsValue(faults: readonly string[]): { readonly faults?: readonly string[] } {
  return faults.length > 0 ? { faults } : {};
}

function each(values: JsonValue | undefined, decoded: (value: JsonValue, at: number) => JsonValue): JsonValue {
  return isArray(values) ? mapped(values, decoded) : null;
}

function eventValue(log: JsonValue, reader: LogReader): JsonValue {
  const event = reader.read(log);
  if (event === undefined) return null;
  return {
    name: event.name,
    signature: event.signature,
    args: argsValue(event.args),
    ...timeValue(log, "blockTimestampMs"),
    ...faultsValue(event.faults),
  };
}

/** Prints what {@link eventValue} makes of the logs of a long list. */
function eventTexts(
  list: readonly JsonValue[],
  reader: LogReader,
): ((index: number) => string | undefined) | undefined {
  const encodedAt = encodedLogs(list, reader);
  if (!encodedAt) return undefined;
  const printers = new Map<CompiledEvent, (values: readonly Decoded[]) => string>();
  return (index) => {
    const log = encodedAt(index);
    if (!log) return undefined;
    const print = printers.get(log.event) ?? eventPrinter(log.event);
    printers.set(log.event, print);
    return print(log.values);
  };
}

/** Prints all but the values once: to make and print an object for each log takes twice as long. */
function eventPrinter({ event: { name, signature }, params }: CompiledEvent): (values: readonly Decoded[]) => string {
  const keys = argKeys(params);
  // in the order of the members of an object, which begins with numbers
  const places = Object.entries(Object.fromEntries(keys.map((key, at) => [key, at])));
  const start = `${printJson({ name, signature }).slice(0, -1)},"args":{`;
  const printers = places.map(([key, at], index) => {
    const name = `${index === 0 ? "" : ","}${printJson(key)}:`;
    if (/^(?:address|u?int\d*|bytes\d+)$/.test(params[at]?.type ?? ""))
      return (values: readonly Decoded[]) => `${name}"${values[at]}"`; // digits
    return (values: readonly Decoded[]) => name + printJson(values[at] ?? null);
  });
  return (values) => {
    let text = start;
    for (const print of printers) text += print(values);
    return `${text}}}`;
  };
}

/** Hashes of transactions have nothing to decode; without a recipient the input is code. */
function transactionValue(transaction: JsonValue, scope: AbiScope | undefined): JsonValue {
  if (!isObject(transaction)) return null;
  const call = typeof transaction.to === "string" ? decodeCall(transaction.input, scope, transaction.to) : undefined;
  return { input: call ? inputValue(call) : null, ...timeValue(transaction, "blockTimestampMs") };
}

/** Milliseconds since 1970, where a node proves them. */
function timeValue(owner: JsonValue, name: "timestampMs" | "blockTimestampMs"): JsonObject {
  const ms = isObject(owner) ? owner[name] : undefined;
  return isHex(ms) && ms.length > 2 && ms.length <= 18 ? { [name]: BigInt(ms).toString() } : {};
}

/** Calls inside are under `calls`, in order. */
function inputValue({ name, signature, args, inner, faults }: DecodedCall): JsonObject {
  const calls = inner.map(({ to, value, call, command }) => ({
    ...(command !== undefined && { command }),
    ...(to !== undefined && { to }),
    ...(value !== undefined && { value }),
    ...(call && inputValue(call)),
  }));
  return {
    name,
    signature,
    args: argsValue(args),
    ...faultsValue(faults),
    ...(calls.length > 0 && { calls }),
  };
}

function simulatedValue(
  result: JsonValue,
  params: JsonValue,
  logs: (value: JsonValue | undefined) => JsonValue,
  scope: AbiScope | undefined,
): JsonValue {
  const known = isArray(result) ? result.filter(isObject) : [];
  const asked = new Map(requestedCalls(params, known).map((calls, at) => [known[at], calls]));
  return each(result, (block) => {
    if (!isObject(block)) return null;
    const calls = asked.get(block);
    return {
      calls: each(block.calls, (call, at) => callValue(call, calls?.[at], logs, scope)),
      ...timeValue(block, "timestampMs"),
    };
  });
}

function callValue(
  call: JsonValue,
  asked: JsonValue | undefined,
  logs: (value: JsonValue | undefined) => JsonValue,
  scope: AbiScope | undefined,
): JsonValue {
  if (!isObject(call)) return null;
  const revert = revertDataOf(call);
  const returned =
    revert === undefined && isObject(asked) ? returnedValues(asked, call.returnData ?? null, scope) : undefined;
  return {
    logs: logs(call.logs),
    ...(returned && { returnData: returned.values, ...faultsValue(returned.faults) }),
    ...(revert !== undefined && { error: decodedRevert(revert, scope) }),
  };
}

/**
 * Revert data of a failed call in a simulated block: nodes put it into `error.data`, others only into `returnData`.
 *
 * @returns `undefined` for a call that succeeded or halted without a revert.
 */
export function revertDataOf(call: JsonObject): string | undefined {
  if (call.status === "0x1") return undefined;
  const inError = isObject(call.error) ? call.error.data : undefined;
  for (const data of [inError, call.returnData]) {
    if (typeof data === "string" && data.length > 2) return data;
  }
  return typeof inError === "string" ? inError : undefined;
}

/** The values that a call returned. */
export interface ReturnedValues {
  readonly values: readonly JsonValue[];
  /** Faults in the data, a clause each. */
  readonly faults: readonly string[];
}

/**
 * Returns the values that a call returned, in order. The bytes that an inner call returned are replaced by their
 * decoded form: `name`, `signature`, `data`, and `values` or the `error`.
 *
 * @param call - As it was sent: `to`, `data`.
 * @param returns - The declared return types of its function; if missing, they come from the project's ABIs.
 * @returns `undefined` if the project does not declare what it returns, or if there is no data.
 */
export function returnedValues(
  call: JsonObject,
  data: JsonValue,
  scope: AbiScope | undefined,
  returns?: readonly AbiParam[] | undefined,
): ReturnedValues | undefined {
  const hex = lowerHex(data);
  if (hex === undefined || hex === "0x") return undefined;
  const asked = decodeCall(call.input ?? call.data, scope, call.to);
  const outputs = returns ?? (asked && scope && declaredReturns(asked, scope, call.to));
  if (!outputs) return undefined;
  const reading = decodeParams(outputs, hex, 2);
  const item = asked && { ...asked.item, outputs };
  const inner = asked && item ? innerReturns(asked, { item, ...reading }, hex, scope) : [];
  return { values: valuesWith(reading.values, inner), faults: reading.faults };
}

/** `undefined` where the project's declarations of the function differ. */
function declaredReturns(
  { data }: DecodedCall,
  scope: AbiScope,
  to: JsonValue | undefined,
): readonly AbiParam[] | undefined {
  const known = scope
    .functions(data.slice(0, 10), isAddress(to) ? to : undefined)
    .filter(({ outputs }) => outputs.length > 0);
  const types = new Set(known.map(({ outputs }) => outputs.map(({ type }) => type.text).join()));
  return types.size === 1 ? known[0]?.outputs : undefined;
}

function valuesWith(values: readonly Decoded[], inner: readonly InnerReturned[]): readonly JsonValue[] {
  const decoded = inner
    .filter(({ revert, returned }) => revert || returned)
    .map((one): readonly [ValuePath, JsonValue] => [one.path, innerValue(one)]);
  const all = values.map((value) => value ?? null);
  const found = decoded.length > 0 ? replacedAt(all, decoded) : all;
  return isArray(found) ? found : all;
}

function innerValue({ asked: { call }, data, revert, returned, inner }: InnerReturned): JsonObject {
  return {
    ...(call && { name: call.name, signature: call.signature }),
    ...(returned && { values: valuesWith(returned.values, inner) }),
    ...(revert && { error: errorValue(revert) }),
    data,
  };
}

function argsValue(args: readonly { readonly name: string; readonly value: Decoded }[]): JsonObject {
  const keys = argKeys(args);
  return Object.fromEntries(args.map(({ value }, at): [string, JsonValue] => [keys[at] ?? "", value ?? null]));
}

/** Keys of the arguments under `args`: their names, or the position of an argument without a name. */
export function argKeys(args: readonly { readonly name: string }[]): readonly string[] {
  const seen = new Set<string>();
  return args.map(({ name }, at) => {
    const key = name === "" || seen.has(name) ? String(at) : name;
    seen.add(key);
    return key;
  });
}

/**
 * The calls that `eth_simulateV1` was asked for in each block of its result. Skipped block numbers give blocks between
 * those that were asked for: an entry with a number belongs to that block, one without to the block after the last one.
 *
 * @param params - As they were sent.
 */
export function requestedCalls(params: JsonValue, blocks: readonly JsonObject[]): readonly (readonly JsonValue[])[] {
  const payload = isArray(params) ? params[0] : undefined;
  const entries = isObject(payload) && isArray(payload.blockStateCalls) ? payload.blockStateCalls : [];
  const places = new Map(blocks.map(({ number }, at) => [quantity(number), at]));
  const asked: (readonly JsonValue[])[] = blocks.map(() => []);
  let at = -1;
  for (const entry of entries) {
    const overrides = isObject(entry) && isObject(entry.blockOverrides) ? entry.blockOverrides : {};
    at = places.get(quantity(overrides.number) ?? -1n) ?? at + 1;
    if (at < asked.length && isObject(entry) && isArray(entry.calls)) asked[at] = entry.calls;
  }
  return asked;
}
