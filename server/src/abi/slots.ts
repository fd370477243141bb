import { keccak256, stringToHex } from "viem/utils";
import { type Hex, toBytes, toWord } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { Reader, utf8Text } from "./decode.ts";
import type { EncodedKey } from "./storageKey.ts";
import {
  type StorageLayout,
  type StorageType,
  type StorageVariable,
  type StoredArray,
  type StoredMapping,
  type StoredValue,
  storedType,
} from "./storageLayout.ts";

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

/** The words of storage that are known, by slot, as `0x` and 64 digits. */
export type Words = ReadonlyMap<bigint, string>;

/** Returns a value that shares its word with others. */
export function packedValue({ abi, bytes }: StoredValue, word: string, offset: number): JsonValue {
  const digits = word.slice(66 - 2 * (offset + bytes), 66 - 2 * offset).toLowerCase();
  if (abi.kind === "fixedBytes") return `0x${digits}`;
  const number = BigInt(`0x${digits}`);
  const extended = abi.kind === "int" ? BigInt.asIntN(bytes * 8, number) : number;
  return new Reader("", 0).word(abi, toWord(BigInt.asUintN(256, extended)).slice(2)) ?? `0x${digits}`;
}

/** The content of the word of a `bytes` or `string` variable. */
type BytesHead =
  | { readonly kind: "short"; readonly hex: string }
  | { readonly kind: "long"; readonly length: bigint }
  /** No compiler writes such a word. */
  | { readonly kind: "broken" };

/** @see https://docs.soliditylang.org/en/v0.8.30/internals/layout_in_storage.html#bytes-and-string */
export function bytesHead(word: string): BytesHead {
  const number = BigInt(word);
  if (number & 1n) return number > 63n ? { kind: "long", length: (number - 1n) / 2n } : { kind: "broken" };
  const length = Number(number & 0xffn) / 2;
  return length <= 31 ? { kind: "short", hex: word.slice(0, 2 + length * 2) } : { kind: "broken" };
}

/** Returns the slots of the first bytes of a long value. */
export function bytesSlots(slot: bigint, bytes: number): readonly bigint[] {
  const first = dataSlot(slot);
  return Array.from({ length: Math.ceil(bytes / 32) }, (_, at) => slotAfter(first, BigInt(at)));
}

/** Returns stored bytes as JSON: text of UTF-8 for a `string`, else hex. */
export function bytesValue(kind: "bytes" | "string", hex: string): string {
  return kind === "bytes" ? hex : (utf8Text(hex) ?? new TextDecoder().decode(toBytes(hex)));
}

/** A stored value, or a part of one, with its place. */
export interface StoredPart extends Place {
  readonly type: StorageType;
  /** Bytes from the right end of the slot. */
  readonly offset: number;
}

/** Where a value begins. */
export interface Place {
  /** `orders[0].amount` */
  readonly path: string;
  readonly slot: bigint;
}

/** Returns the path of a variable, or of a member of a struct. */
export function memberPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** Returns the members of a struct, or the variables of a contract. */
export function memberParts(
  layout: StorageLayout,
  { path, slot }: Place,
  members: readonly StorageVariable[],
): readonly StoredPart[] {
  return members.map((one) => ({
    path: memberPath(path, one.name),
    type: storedType(layout, one.type),
    slot: slotAfter(slot, one.slot),
    offset: one.offset,
  }));
}

/** @param first - The array, with the slot of its first item. */
export function itemPart(layout: StorageLayout, first: Place, type: StoredArray, index: bigint): StoredPart {
  const { slots, offset } = itemPlace(layout, type, index);
  const item = storedType(layout, type.item);
  return { path: `${first.path}[${index}]`, type: item, slot: slotAfter(first.slot, slots), offset };
}

export function keyPart(
  layout: StorageLayout,
  { path, slot }: Place,
  type: StoredMapping,
  { name, hex }: EncodedKey,
): StoredPart {
  const value = storedType(layout, type.value);
  return { path: `${path}[${name}]`, type: value, slot: mappingSlot(slot, hex), offset: 0 };
}

/** Returns the place of an item, from the first slot of its array: values of up to 16 bytes share slots. */
export function itemPlace(
  layout: StorageLayout,
  { item }: StoredArray,
  index: bigint,
): { readonly slots: bigint; readonly offset: number } {
  const type = storedType(layout, item);
  if (type.kind !== "value") return { slots: index * type.slots, offset: 0 };
  const perSlot = BigInt(Math.floor(32 / type.bytes));
  return { slots: index / perSlot, offset: Number(index % perSlot) * type.bytes };
}
