import { quantity, toWord } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";

/** An address without code that no account is known to use. */
export const unusedAddress = "0x00000000000000000000000000000000000a11ce";

/** The state that code reads when it runs: the block, and the balance of an account. */
export interface ObservedState {
  readonly number: bigint;
  /** Seconds since 1970. */
  readonly timestamp: bigint;
  /** Wei. */
  readonly balance: bigint;
}

/**
 * Returns code that returns three words: NUMBER, TIMESTAMP and BALANCE of an account. It can also run as the code of a
 * creation, for a node without overrides.
 */
export function observerCode(account: string): string {
  return `0x4360005242602052${pushAddress(account)}3160405260606000f3`;
}

/** Code that returns CHAINID. */
export const chainIdCode = "0x4660005260206000f3";

/** @param data - The return data of {@link observerCode}. */
export function readObserved(data: JsonValue | undefined): ObservedState | undefined {
  if (typeof data !== "string" || !/^0x[0-9a-f]{192}$/i.test(data)) return undefined;
  const word = (at: number): bigint => BigInt(`0x${data.slice(2 + 64 * at, 66 + 64 * at)}`);
  return { number: word(0), timestamp: word(1), balance: word(2) };
}

/**
 * Returns code of a creation that writes storage, for 20,000 gas and more, unless an account has this balance. Its estimate
 * shows which balance the node sees.
 */
export function spenderCode(account: string, balance: bigint): string {
  const word = toWord(balance).slice(2);
  return `0x7f${word}${pushAddress(account)}311460405760016000555b00`;
}

/** Whether two estimates of {@link spenderCode} were made with different balances. */
export function estimatesDiffer(one: JsonValue | undefined, other: JsonValue | undefined): boolean | undefined {
  const [a, b] = [quantity(one), quantity(other)];
  if (a === undefined || b === undefined) return undefined;
  return (a > b ? a - b : b - a) > 10_000n;
}

function pushAddress(account: string): string {
  return `73${account.slice(2).toLowerCase()}`;
}
