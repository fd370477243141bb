import type { JsonObject, JsonValue } from "../base/json.ts";
import { isArray, isObject } from "../base/json.ts";
import type { AbiScope } from "./abiScope.ts";
import type { Decoded } from "./decode.ts";
import type { DecodedCall } from "./decodeCall.ts";
import { decodeCall } from "./decodeCall.ts";
import { type LogReader, logReader } from "./decodeLog.ts";
import type { DecodedRevert } from "./decodeRevert.ts";
import { decodeRevert, revertReason } from "./decodeRevert.ts";

/**
 * What placeholders and expectations find under `decoded`. It has the shape of the result: what stands at
 * `result[3].logs[0]` is decoded at `decoded[3].logs[0]`, and is `null` there where no known event fits.
 *
 * @returns `undefined` for methods whose results hold neither logs nor transactions.
 * @example decodedResult("eth_getLogs", logs)[0].args.to; //=> "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"
 */
export function decodedResult(method: string, result: JsonValue, scope?: AbiScope): JsonValue | undefined {
  const reader = logReader(scope);
  const logs = (value: JsonValue | undefined): JsonValue => each(value, (log) => eventValue(log, reader));
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
      return each(result, (block) =>
        isObject(block) ? { calls: each(block.calls, (call) => callValue(call, logs, scope)) } : null,
      );
    case "eth_getTransactionByHash":
    case "eth_getTransactionByBlockHashAndIndex":
    case "eth_getTransactionByBlockNumberAndIndex":
      return transactionValue(result, scope);
    case "eth_getBlockByHash":
    case "eth_getBlockByNumber":
      return isObject(result)
        ? { transactions: each(result.transactions, (one) => transactionValue(one, scope)) }
        : null;
    default:
      return undefined;
  }
}

/** What `decoded` is where a request was reverted: `name`, `args`, and the `reason` in a line. */
export function decodedRevert(revertData: JsonValue | undefined, scope?: AbiScope): JsonObject {
  const revert = decodeRevert(revertData, scope);
  return { ...nameAndArgs(revert), reason: revertReason(revert) };
}

function nameAndArgs(revert: DecodedRevert): JsonObject {
  switch (revert.kind) {
    case "reason":
      return { name: "Error", args: { message: revert.reason } };
    case "panic":
      return { name: "Panic", args: { code: revert.code } };
    case "custom":
      return { name: revert.name, args: argsValue(revert.args) };
    case "unknown":
      return { selector: revert.selector };
    case "none":
    case "text":
      return {};
  }
}

function each(values: JsonValue | undefined, decoded: (value: JsonValue) => JsonValue): JsonValue {
  return isArray(values) ? values.map(decoded) : null;
}

function eventValue(log: JsonValue, reader: LogReader): JsonValue {
  const event = reader.read(log);
  return event === undefined ? null : { name: event.name, signature: event.signature, args: argsValue(event.args) };
}

/** Hashes of transactions have nothing to decode; without a recipient the input is code. */
function transactionValue(transaction: JsonValue, scope: AbiScope | undefined): JsonValue {
  if (!isObject(transaction)) return null;
  const call = typeof transaction.to === "string" ? decodeCall(transaction.input, scope, transaction.to) : undefined;
  return { input: call ? inputValue(call) : null };
}

/** Calls inside stand under `calls`, in order. */
function inputValue({ name, signature, args, inner }: DecodedCall): JsonObject {
  const calls = inner.map(({ to, value, call }) => ({
    ...(to !== undefined && { to }),
    ...(value !== undefined && { value }),
    ...(call && inputValue(call)),
  }));
  return { name, signature, args: argsValue(args), ...(calls.length > 0 && { calls }) };
}

function callValue(
  call: JsonValue,
  logs: (value: JsonValue | undefined) => JsonValue,
  scope: AbiScope | undefined,
): JsonValue {
  if (!isObject(call)) return null;
  const revert = revertDataOf(call);
  return { logs: logs(call.logs), ...(revert !== undefined && { error: decodedRevert(revert, scope) }) };
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

/** By name; arguments without a name of their own go by their position. */
function argsValue(args: readonly { readonly name: string; readonly value: Decoded }[]): JsonObject {
  const seen = new Set<string>();
  const entries = args.map(({ name, value }, i): [string, JsonValue] => {
    const key = name === "" || seen.has(name) ? String(i) : name;
    seen.add(key);
    return [key, value ?? null];
  });
  return Object.fromEntries(entries);
}
