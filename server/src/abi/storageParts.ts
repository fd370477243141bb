import { mappingSlot, slotAfter } from "./slots.ts";
import type { EncodedKey } from "./storageKey.ts";
import {
  type StorageLayout,
  type StorageType,
  type StorageVariable,
  type StoredArray,
  type StoredMapping,
  storedType,
} from "./storageLayout.ts";

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

/** Returns the value of a key in a mapping. */
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
