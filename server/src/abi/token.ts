import { isHex } from "../base/hex.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import { decodeParams, utf8Text } from "./decode.ts";
import { elementary } from "./type.ts";

/** Call data of the questions that tokens answer (ERC-20, metadata). */
export const nameCall = "0x06fdde03";
export const symbolCall = "0x95d89b41";
export const decimalsCall = "0x313ce567";

/** `balanceOf(address)`, of ERC-20. */
export function balanceCall(owner: string): string {
  return `0x70a08231${owner.slice(2).toLowerCase().padStart(64, "0")}`;
}

/** `Transfer(address,address,uint256)`. */
export const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** @param data - The value that `decimals()` returned; `undefined` if it is not a number of decimals. */
export function tokenDecimals(data: JsonValue | undefined): number | undefined {
  const places = isHex(data) && data.length === 66 ? BigInt(data) : 256n;
  return places > 255n ? undefined : Number(places);
}

const text = elementary("string");

/**
 * Reads the name of a token, to show it.
 *
 * @param data - What `symbol()` or `name()` returned: a string, or 32 bytes of text as old tokens have it.
 * @param mask - Hides values of the host now: names are cut when they are shown, and it does not find a part of a value.
 */
export function shownSymbol(data: JsonValue | undefined, mask: Pick<Mask, "text">): string | undefined {
  const symbol = tokenSymbol(data);
  return symbol && mask.text(symbol);
}

/** @param data - What `symbol()` or `name()` returned: a string, or 32 bytes of text as old tokens have it. */
export function tokenSymbol(data: JsonValue | undefined): string | undefined {
  if (!isHex(data) || data.length > 4096) return undefined;
  if (data.length === 66) return utf8Text(data.replace(/(?:00)+$/, ""));
  const params = text ? [{ name: "", type: text, indexed: false }] : [];
  const { values, faults } = decodeParams(params, data.toLowerCase(), 2);
  return faults.length === 0 && typeof values[0] === "string" ? values[0] : undefined;
}

/** `allowance(address,address)`, of ERC-20. */
export function allowanceCall(owner: string, spender: string): string {
  return `0xdd62ed3e${[owner, spender].map((one) => one.slice(2).toLowerCase().padStart(64, "0")).join("")}`;
}

/** Where `eth_simulateV1` logs transfers of the native currency if `traceTransfers` is set. @see https://eips.ethereum.org/EIPS/eip-7528 */
const simulated = `0x${"e".repeat(40)}`;

/** Where a chain logs them itself. @see https://eips.ethereum.org/EIPS/eip-7708 */
const logged = `0x${"f".repeat(39)}e`;

/** Whether logs of transfers from this address are of the native currency. */
export function isNativeLogger(address: JsonValue | undefined): boolean {
  const lower = typeof address === "string" && address.length === 42 ? address.toLowerCase() : "";
  return lower === simulated || lower === logged;
}

/** Leaves out what a simulation logs of transfers that the chain logs itself. */
export function withoutRepeatedNative(logs: readonly JsonValue[]): readonly JsonValue[] {
  const isFrom = (log: JsonValue, logger: string): boolean =>
    isObject(log) && isArray(log.topics) && typeof log.address === "string" && log.address.toLowerCase() === logger;
  return logs.some((log) => isFrom(log, logged)) ? logs.filter((log) => !isFrom(log, simulated)) : logs;
}
