import { dataSlot, slotAfter } from "./slots.ts";
import { type Keys, namedKeys, noKeys } from "./storageKey.ts";
import { type StorageLayout, type StoredArray, type StoredMapping, storedType } from "./storageLayout.ts";
import { itemPart, keyPart, memberParts, type StoredPart } from "./storageParts.ts";
import { type Frame, variablesOf } from "./storagePlace.ts";

/** Something that is stored in a slot. */
export interface SlotPart extends StoredPart {
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
    if (parts.kind === "value") this.#part({ path, type: parts.type, slot, offset: 0 }, 0);
    else if (parts.kind === "items") this.#items({ path, slot }, parts.of, farthest, 0);
    else this.#all(memberParts(this.#layout, { path, slot }, parts.members), 0);
    return this.#found;
  }

  #all(parts: readonly StoredPart[], depth: number): void {
    for (const part of parts) this.#part(part, depth);
  }

  #part(part: StoredPart, depth: number): void {
    this.#visits += 1;
    if (depth > most.depth || this.#found.length >= most.parts || this.#visits > most.visits) return;
    const { path, type, slot } = part;
    const isHere = slot === this.#wanted;
    switch (type.kind) {
      case "value":
        if (isHere) this.#found.push(part);
        return;
      case "bytes":
      case "string":
        if (isHere) this.#found.push(part);
        else this.#longBytes(part);
        return;
      case "struct":
        this.#all(memberParts(this.#layout, part, type.members), depth + 1);
        return;
      case "array":
        if (type.length !== undefined) this.#items(part, type, type.length, depth);
        else if (isHere) this.#found.push({ ...part, path: `${path}.length` });
        else if (this.#mayHash()) this.#items({ path, slot: dataSlot(slot) }, type, farthest, depth);
        return;
      case "mapping":
        if (isHere) this.#found.push(part);
        else this.#mapping(part, type, depth);
        return;
    }
  }

  #mayHash(): boolean {
    this.#hashes -= 1;
    return this.#hashes >= 0;
  }

  #longBytes(part: StoredPart): void {
    if (!this.#mayHash()) return;
    const distance = slotAfter(this.#wanted, -dataSlot(part.slot));
    if (distance < farthest) this.#found.push({ ...part, slot: this.#wanted, offset: 0, fromByte: distance * 32n });
  }

  /**
   * Tries the items that may be in the slot, and the first ones, which may lead to it.
   *
   * @param first - The array, with the slot of its first item.
   */
  #items(first: Pick<StoredPart, "path" | "slot">, type: StoredArray, count: bigint, depth: number): void {
    const item = storedType(this.#layout, type.item);
    const distance = slotAfter(this.#wanted, -first.slot);
    const perSlot = item.kind === "value" ? BigInt(Math.floor(32 / item.bytes)) : 1n;
    const nearest = item.kind === "value" ? distance * perSlot : distance / item.slots;
    const indexes = new Set<bigint>();
    if (distance < farthest) for (let at = 0n; at < perSlot; at++) indexes.add(nearest + at);
    if (item.kind !== "value" && this.#hashes > 0) for (let at = 0n; at < most.items; at++) indexes.add(at);
    for (const at of indexes) if (at < count) this.#part(itemPart(this.#layout, first, type, at), depth + 1);
  }

  #mapping(part: StoredPart, type: StoredMapping, depth: number): void {
    const keys = this.#hashes > 0 ? namedKeys(storedType(this.#layout, type.key), this.#keys) : [];
    for (const key of keys) {
      if (!this.#mayHash()) return;
      this.#part(keyPart(this.#layout, part, type, key), depth + 1);
    }
  }
}
