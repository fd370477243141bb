import { parse } from "./json.ts";

const withTimes =
  /^eth_(getBlockBy|getTransactionBy|getTransactionReceipt$|getBlockReceipts$|getLogs$|getFilter|send\w+Sync$)/;

/** Whether answers to the method contain blocks, transactions or logs. */
export function hasTimes(method: string): boolean {
  return withTimes.test(method);
}

/**
 * Adds `timestampMs` to blocks, and `blockTimestampMs` to transactions and logs. A receipt has it on its logs only.
 *
 * @param text - A JSON value from anvil: every large number in it is a string, so that parsing it loses nothing.
 * @param times - Unix milliseconds by block hash; other blocks get no field.
 * @see https://docs.base.org (200ms-blocks.mdx)
 */
export function withMilliseconds(text: string, times: ReadonlyMap<string, number>): string {
  if (times.size === 0 || !/^[[{]/.test(text)) return text;
  return JSON.stringify(dated(parse(text), times));
}

function dated(value: unknown, times: ReadonlyMap<string, number>): unknown {
  if (Array.isArray(value)) return value.map((one) => dated(one, times));
  if (typeof value !== "object" || value === null) return value;
  const { hash, parentHash, blockHash, transactions, logs } = value as Readonly<Record<string, unknown>>;
  if (logs !== undefined) return { ...value, logs: dated(logs, times) };
  const block = parentHash !== undefined;
  const ms = times.get(String(block ? hash : blockHash));
  if (ms === undefined) return value;
  const quantity = `0x${ms.toString(16)}`;
  if (!block) return { ...value, blockTimestampMs: quantity };
  return { ...value, timestampMs: quantity, ...(transactions ? { transactions: dated(transactions, times) } : {}) };
}
