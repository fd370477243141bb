import { dataSlot, mappingSlot, slotAfter } from "./slots.ts";
import { type Keys, namedKeys, noKeys } from "./storageKey.ts";
import {
  type StorageLayout,
  type StorageType,
  type StorageVariable,
  type StoredArray,
  storedType,
} from "./storageLayout.ts";
import { type Frame, itemPlace, variablesOf } from "./storagePlace.ts";

/** Something that is stored in a slot. */
export interface SlotPart {
  /** `balances[alice].amount` */
  readonly path: string;
  readonly type: StorageType;
  readonly slot: bigint;
  /** Bytes from the right end of the slot. */
  readonly offset: number;
  /** The slot has bytes of a long value from this one on. */
  readonly fromByte?: bigint;
}

/** Limits of one search. */
const most = { hashes: 1_000, depth: 8, items: 4, parts: 64, visits: 20_000 };
/** Items and bytes beyond are not a list of this contract but a coincidence. */
const farthest = 1n << 40n;

/** Returns what the slots of a frame hold in one of them: neighbours in a word. Follows no hash. */
export function partsInSlot(layout: StorageLayout, frame: Frame, slot: bigint): readonly SlotPart[] {
  return new Search(layout, slot, noKeys, 0).inFrame(frame);
}

/** Returns what a contract may store in a slot: its variables, items of its lists, and values of keys that have names. */
export function partsOfContract(layout: StorageLayout, slot: bigint, keys: Keys): readonly SlotPart[] {
  return new Search(layout, slot, keys, most.hashes).inFrame(variablesOf(layout));
}

class Search {
  readonly #layout: StorageLayout;
  readonly #wanted: bigint;
  readonly #keys: Keys;
  readonly #found: SlotPart[] = [];
  #hashes: number;
  #visits = 0;

  constructor(layout: StorageLayout, wanted: bigint, keys: Keys, hashes: number) {
    this.#layout = layout;
    this.#wanted = wanted;
    this.#keys = keys;
    this.#hashes = hashes;
  }

  inFrame({ path, slot, parts }: Frame): readonly SlotPart[] {
    if (parts.kind === "value") this.#visit(path, parts.type, slot, 0, 0);
    else if (parts.kind === "items") this.#items(path, parts.of, slot, farthest, 0);
    else this.#members(path, parts.members, slot, 0);
    return this.#found;
  }

  #members(path: string, list: readonly StorageVariable[], slot: bigint, depth: number): void {
    for (const { name, slot: at, offset, type } of list) {
      this.#visit(
        path === "" ? name : `${path}.${name}`,
        storedType(this.#layout, type),
        slotAfter(slot, at),
        offset,
        depth,
      );
    }
  }

  #visit(path: string, type: StorageType, slot: bigint, offset: number, depth: number): void {
    this.#visits += 1;
    if (depth > most.depth || this.#found.length >= most.parts || this.#visits > most.visits) return;
    const isHere = slot === this.#wanted;
    switch (type.kind) {
      case "value":
        if (isHere) this.#found.push({ path, type, slot, offset });
        return;
      case "bytes":
      case "string":
        if (isHere) this.#found.push({ path, type, slot, offset });
        else this.#longBytes(path, type, slot);
        return;
      case "struct":
        this.#members(path, type.members, slot, depth + 1);
        return;
      case "array":
        if (type.length !== undefined) this.#items(path, type, slot, type.length, depth);
        else if (isHere) this.#found.push({ path: `${path}.length`, type, slot, offset });
        else if (this.#mayHash()) this.#items(path, type, dataSlot(slot), farthest, depth);
        return;
      case "mapping":
        if (isHere) this.#found.push({ path, type, slot, offset });
        else this.#mapping(path, type, slot, depth);
        return;
    }
  }

  #mayHash(): boolean {
    this.#hashes -= 1;
    return this.#hashes >= 0;
  }

  #longBytes(path: string, type: StorageType, slot: bigint): void {
    if (!this.#mayHash()) return;
    const distance = slotAfter(this.#wanted, -dataSlot(slot));
    if (distance < farthest) this.#found.push({ path, type, slot: this.#wanted, offset: 0, fromByte: distance * 32n });
  }

  /** The items that may be in the slot, and the first ones, which may lead to it. */
  #items(path: string, type: StoredArray, slot: bigint, count: bigint, depth: number): void {
    const item = storedType(this.#layout, type.item);
    const distance = slotAfter(this.#wanted, -slot);
    const perSlot = item.kind === "value" ? BigInt(Math.floor(32 / item.bytes)) : 1n;
    const nearest = item.kind === "value" ? distance * perSlot : distance / item.slots;
    const indexes = new Set<bigint>();
    if (distance < farthest) for (let at = 0n; at < perSlot; at++) indexes.add(nearest + at);
    if (item.kind !== "value" && this.#hashes > 0) for (let at = 0n; at < most.items; at++) indexes.add(at);
    for (const at of indexes) {
      if (at >= count) continue;
      const { slots, offset } = itemPlace(this.#layout, type, at);
      this.#visit(`${path}[${at}]`, item, slotAfter(slot, slots), offset, depth + 1);
    }
  }

  #mapping(path: string, type: StorageType & { readonly kind: "mapping" }, slot: bigint, depth: number): void {
    const keyType = storedType(this.#layout, type.key);
    const value = storedType(this.#layout, type.value);
    for (const { name, hex } of this.#hashes > 0 ? namedKeys(keyType, this.#keys) : []) {
      if (!this.#mayHash()) return;
      this.#visit(`${path}[${name}]`, value, mappingSlot(slot, hex), 0, depth + 1);
    }
  }
}
