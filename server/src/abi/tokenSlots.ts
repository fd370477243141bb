import { keccak256 } from "viem/utils";
import { type Hex, toWord } from "../base/hex.ts";

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
