import { keccak256 } from "viem/utils";
import { type Hex, isHex, toWord } from "../base/hex.ts";
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
export function shownSymbol(data: JsonValue | undefined, mask: Mask): string | undefined {
  const symbol = tokenSymbol(data);
  return symbol && mask.text(symbol);
}

/** @param data - What `symbol()` or `name()` returned: a string, or 32 bytes of text as old tokens have it. */
export function tokenSymbol(data: JsonValue | undefined): string | undefined {
  if (!isHex(data) || data.length > 4096) return undefined;
  if (data.length === 66) return utf8Text(data.replace(/(?:00)+$/, ""));
  const params = text ? [{ name: "", type: text, indexed: false }] : [];
  const { values, faults } = decodeParams(params, data.toLowerCase(), 2);
  return faults.length === 0 && typeof values[0] === "string" ? values[0].replace(/(?<!\0)\0+$/, "") : undefined;
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

/**
 * Where a token keeps the number of an account or of two: the balance of a holder, or what an owner lets a spender spend.
 *
 * - `solidity`: `keccak256(key . slot)`, for two accounts once more with the second. Also of namespaced storage.
 * - `vyper`: `keccak256(slot . key)`.
 * - `solady`: the account and a seed, hashed together.
 *
 * @see https://docs.soliditylang.org/en/v0.8.30/internals/layout_in_storage.html#mappings-and-dynamic-arrays
 * @see https://docs.vyperlang.org/en/stable/scoping-and-declarations.html#storage-layout
 * @see https://github.com/Vectorized/solady/blob/main/src/tokens/ERC20.sol
 */
export interface SlotFormula {
  readonly layout: "solidity" | "vyper" | "solady";
  /** Of the mapping; a seed for `solady`. */
  readonly slot: bigint;
  /** The second account is the outer key. */
  readonly swapped?: true;
}

/** The slot of the numbers of these accounts: one account, or two. */
export function slotBy({ layout, slot, swapped }: SlotFormula, accounts: readonly string[]): bigint {
  const keys = swapped ? accounts.toReversed() : accounts;
  if (layout === "solady") return hash(soladyText(slot, keys));
  let here = slot;
  for (const key of keys) {
    const word = toWord(here).slice(2);
    here = hash(layout === "solidity" ? padded(key) + word : word + padded(key));
  }
  return here;
}

/** OpenZeppelin's ERC-7201 namespace `openzeppelin.storage.ERC20`: balances, then allowances. */
const openZeppelin5 = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n;
/** Seeds of Solady's balances and allowances. */
const soladySeeds = [0x87a211a2n, 0x7f5e9f20n] as const;
const mappings: readonly bigint[] = [
  ...Array.from({ length: 61 }, (_, slot) => BigInt(slot)),
  ...[101n, 102n, 151n, 152n, 201n, 202n, 251n, 252n, 301n, 302n, openZeppelin5, openZeppelin5 + 1n],
];

/** Every layout that is tried, for numbers of one account or of two. */
export function slotFormulas(accounts: 1 | 2): readonly SlotFormula[] {
  return accounts === 1 ? formulasOfOne : formulasOfTwo;
}

const formulasOfOne: readonly SlotFormula[] = [
  ...mappings.map((slot): SlotFormula => ({ layout: "solidity", slot })),
  { layout: "solady", slot: soladySeeds[0] },
  ...mappings.map((slot): SlotFormula => ({ layout: "vyper", slot })),
];

const formulasOfTwo: readonly SlotFormula[] = [
  ...mappings.map((slot): SlotFormula => ({ layout: "solidity", slot })),
  { layout: "solady", slot: soladySeeds[1] },
  ...mappings.map((slot): SlotFormula => ({ layout: "vyper", slot })),
  ...mappings.map((slot): SlotFormula => ({ layout: "solidity", slot, swapped: true })),
  ...mappings.map((slot): SlotFormula => ({ layout: "vyper", slot, swapped: true })),
];

/** `owner . 0 (8 bytes) . seed (4 bytes)`, with the spender behind it. */
function soladyText(seed: bigint, [owner = "", spender = ""]: readonly string[]): string {
  return `${owner.slice(2)}${seed.toString(16).padStart(24, "0")}${spender.slice(2)}`;
}

function hash(digits: string): bigint {
  const hex: Hex = `0x${digits}`;
  return BigInt(keccak256(hex));
}

function padded(address: string): string {
  return address.slice(2).padStart(64, "0");
}
