import { keccak256, stringToHex } from "viem/utils";
import { type Hex, toWord } from "../base/hex.ts";

/** Returns the slot that is a number of slots after another one. Storage wraps around. */
export function slotAfter(slot: bigint, count: bigint): bigint {
  return BigInt.asUintN(256, slot + count);
}

/**
 * Returns the slot of a value in a mapping.
 *
 * @param key - Encoded: a word, or the bytes of a string.
 * @see https://docs.soliditylang.org/en/v0.8.30/internals/layout_in_storage.html#mappings-and-dynamic-arrays
 */
export function mappingSlot(slot: bigint, key: Hex): bigint {
  return BigInt(keccak256(`${key}${toWord(slot).slice(2)}`));
}

/** Returns the first slot of the items of an array without a fixed length, or of the bytes of a long string. */
export function dataSlot(slot: bigint): bigint {
  return BigInt(keccak256(toWord(slot)));
}

/**
 * Returns the slot at which the storage of a namespace begins: `erc7201:example.main`.
 *
 * @returns `undefined` for other texts.
 * @see https://eips.ethereum.org/EIPS/eip-7201
 */
export function namespaceSlot(text: string): bigint | undefined {
  const [, id] = /^erc7201:(\S{1,200})$/.exec(text) ?? [];
  if (id === undefined) return undefined;
  const inner = BigInt(keccak256(stringToHex(id))) - 1n;
  const hash = BigInt(keccak256(toWord(BigInt.asUintN(256, inner))));
  return hash & ~0xffn;
}
