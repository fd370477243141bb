import { quantity } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";

/** Nobody's address, and without code. */
export const nobody = "0x00000000000000000000000000000000000a11ce";

/** What code sees when it is run: the block around it, and the balance of an account. */
export interface Observed {
  readonly number: bigint;
  /** Seconds since 1970. */
  readonly timestamp: bigint;
  /** Wei. */
  readonly balance: bigint;
}

/**
 * Code that returns three words: NUMBER, TIMESTAMP and BALANCE of an account. As the code of a creation it does the same,
 * so that a node without overrides can run it as well.
 */
export function observerCode(account: string): string {
  return `0x4360005242602052${pushAddress(account)}3160405260606000f3`;
}

/** Code that returns CHAINID. */
export const chainIdCode = "0x4660005260206000f3";

/** @param data - What {@link observerCode} returned. */
export function readObserved(data: JsonValue | undefined): Observed | undefined {
  if (typeof data !== "string" || !/^0x[0-9a-f]{192}$/i.test(data)) return undefined;
  const word = (at: number): bigint => BigInt(`0x${data.slice(2 + 64 * at, 66 + 64 * at)}`);
  return { number: word(0), timestamp: word(1), balance: word(2) };
}

/**
 * Code of a creation that writes storage, 20,000 gas and more, unless an account has this balance: its estimate tells
 * which balance the node saw.
 */
export function spenderCode(account: string, balance: bigint): string {
  const word = balance.toString(16).padStart(64, "0");
  return `0x7f${word}${pushAddress(account)}311460405760016000555b00`;
}

/** Whether two estimates of {@link spenderCode} are of different balances. */
export function estimatesDiffer(one: JsonValue | undefined, other: JsonValue | undefined): boolean | undefined {
  const [a, b] = [quantity(one), quantity(other)];
  if (a === undefined || b === undefined) return undefined;
  return (a > b ? a - b : b - a) > 10_000n;
}

function pushAddress(account: string): string {
  return `73${account.slice(2).toLowerCase()}`;
}
