import { isAddress, isHex, isWord } from "../base/hex.ts";
import { isArray, type JsonValue } from "../base/json.ts";
import type { AbiScope } from "./abiScope.ts";
import {
  dataSlot,
  itemPart,
  keyPart,
  memberParts,
  type Place,
  packedValue,
  type StoredPart,
  slotAfter,
} from "./slots.ts";
import { type Keys, namedKeys, noKeys } from "./storageKey.ts";
import {
  type StorageLayout,
  type StorageType,
  type StoredArray,
  type StoredMapping,
  storedType,
} from "./storageLayout.ts";
import { type Frame, type StoragePlace, variablesOf } from "./storagePlace.ts";
import { layoutsAt } from "./storageScope.ts";

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
  #items(first: Place, type: StoredArray, count: bigint, depth: number): void {
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

/** The values in a slot that was asked for. */
export interface StoredWord {
  readonly layout: StorageLayout;
  /** The place that the request names; `undefined` if it has the slot itself. */
  readonly asked: StoragePlace | undefined;
  readonly parts: readonly SlotPart[];
  /** The contract is known only by the label of its address. */
  readonly byLabel: boolean;
}

const noVariables: ReadonlyMap<string, JsonValue> = new Map();

/**
 * Finds what is stored in the slot that a request asks for.
 *
 * @param params - As they were sent: an address and a slot.
 * @param labels - Names of addresses, by the address in lower case; values of mappings are found by them.
 * @param logged - Words that may be keys of mappings too.
 * @returns `undefined` if no layout of the project says.
 */
export function storedWord(
  layouts: AbiScope["layouts"],
  places: AbiScope["places"],
  params: JsonValue | undefined,
  labels: ReadonlyMap<string, string>,
  logged: readonly string[] = [],
): StoredWord | undefined {
  const [address, position] = isArray(params) ? params : [];
  if (!isHex(position) || position.length < 3 || position.length > 66) return undefined;
  const slot = BigInt(position);
  const asked = places?.find((place) => place.slot === slot);
  if (asked)
    return { layout: asked.layout, asked, parts: partsInSlot(asked.layout, asked.frame, slot), byLabel: false };
  if (layouts.length === 0 || !isAddress(address)) return undefined;
  const { layouts: known, byLabel } = layoutsAt(layouts, address, labels);
  for (const layout of known) {
    const parts = partsOfContract(layout, slot, { variables: noVariables, labels, logged });
    if (parts.length > 0) return { layout, asked: undefined, parts, byLabel };
  }
  return undefined;
}

/** Returns the value of the place that a request names, if it is one value in the word; for `decoded`. */
export function storedValue(
  { places }: AbiScope,
  params: JsonValue | undefined,
  word: JsonValue,
): JsonValue | undefined {
  const position = isArray(params) ? params[1] : undefined;
  if (!isHex(position) || position.length < 3 || position.length > 66) return undefined;
  const place = places?.find(({ slot }) => slot === BigInt(position));
  return place && isWord(word) && place.type.kind === "value" ? packedValue(place.type, word, place.offset) : undefined;
}

/** Names the bytes of a slot that a value takes, from the right; `undefined` if it takes all. */
export function bytesTaken({
  type,
  offset,
}: {
  readonly type: StorageType;
  readonly offset: number;
}): string | undefined {
  if (type.kind !== "value" || type.bytes === 32) return undefined;
  const last = offset + type.bytes - 1;
  return offset === last ? `byte ${offset}` : `bytes ${offset} to ${last}`;
}
