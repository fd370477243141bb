import type { JsonValue } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { dataSlot, mappingSlot, slotAfter } from "./slots.ts";
import { type Keys, namedKeys } from "./storageKey.ts";
import {
  type StorageLayout,
  type StorageType,
  type StorageVariable,
  type StoredArray,
  type StoredValue,
  storedType,
} from "./storageLayout.ts";
import { itemPlace, type StoragePlace } from "./storagePlace.ts";
import { bytesHead, bytesSlots, bytesValue, packedValue, type Words } from "./storageValue.ts";

/** A stored value, or a part of one, with its place. */
export interface StorageRow {
  /** `orders[0].amount` */
  readonly path: string;
  readonly slot: bigint;
  readonly offset: number;
  readonly type: StorageType;
  /** `undefined` if its word is not known, or if it has no value of its own, as mappings. */
  readonly value: JsonValue | undefined;
  /** A clause that says what is left out, or wrong. */
  readonly note?: string;
}

/** Whether the value of a row is not known because a word of it is not: mappings and arrays of fixed length have none. */
export function isUnread({ type, value }: Pick<StorageRow, "type" | "value">): boolean {
  return value === undefined && type.kind !== "mapping" && (type.kind !== "array" || type.length === undefined);
}

export interface StorageRows {
  readonly rows: readonly StorageRow[];
  /** Slots whose words are needed to show more. */
  readonly missing: ReadonlySet<bigint>;
  /** There are more rows than are listed. */
  readonly hasMore: boolean;
}

/** Limits of one list. */
const most = { rows: 500, slots: 2_000, items: 16, bytes: 1_024, depth: 12, keys: 32, visits: 20_000 };

/**
 * Lists the variables of a contract as far as the words of its storage are known: call it again with the missing words
 * until none is missing. Lists and texts are listed up to a limit; mappings have rows for the keys that have names, if
 * anything is stored there.
 */
export function storageRows(layout: StorageLayout, words: Words, keys: Keys): StorageRows {
  const lister = new Lister(layout, words, keys);
  lister.members("", layout.variables, 0n, 0);
  return lister;
}

/** Lists a stored value in the same way: one row, or one for each of its parts. */
export function rowsAt({ layout, path, type, slot, offset }: StoragePlace, words: Words, keys: Keys): StorageRows {
  const lister = new Lister(layout, words, keys);
  lister.visit(path, type, slot, offset, 0);
  return lister;
}

class Lister implements StorageRows {
  rows: StorageRow[] = [];
  readonly missing = new Set<bigint>();
  hasMore = false;
  #visits = 0;
  readonly #layout: StorageLayout;
  readonly #words: Words;
  readonly #keys: Keys;

  constructor(layout: StorageLayout, words: Words, keys: Keys) {
    this.#layout = layout;
    this.#words = words;
    this.#keys = keys;
  }

  members(path: string, list: readonly StorageVariable[], slot: bigint, depth: number): void {
    for (const one of list) {
      const name = path === "" ? one.name : `${path}.${one.name}`;
      this.visit(name, storedType(this.#layout, one.type), slotAfter(slot, one.slot), one.offset, depth);
    }
  }

  visit(path: string, type: StorageType, slot: bigint, offset: number, depth: number): void {
    this.#visits += 1;
    if (this.rows.length >= most.rows || depth > most.depth || this.#visits > most.visits) {
      this.hasMore = true;
      return;
    }
    const row = { path, slot, offset, type };
    switch (type.kind) {
      case "value":
        this.#value(row, type);
        return;
      case "bytes":
      case "string":
        this.#bytes(row, type.kind);
        return;
      case "struct":
        this.members(path, type.members, slot, depth + 1);
        return;
      case "array":
        this.#array(row, type, depth);
        return;
      case "mapping":
        this.#mapping(row, type, depth);
        return;
    }
  }

  items(path: string, type: StoredArray, slot: bigint, count: bigint, depth: number): void {
    const item = storedType(this.#layout, type.item);
    for (let at = 0n; at < count; at++) {
      const { slots, offset } = itemPlace(this.#layout, type, at);
      this.visit(`${path}[${at}]`, item, slotAfter(slot, slots), offset, depth + 1);
    }
  }

  #word(slot: bigint): string | undefined {
    const word = this.#words.get(slot);
    if (word === undefined) {
      if (this.missing.size < most.slots) this.missing.add(slot);
      else this.hasMore = true;
    }
    return word;
  }

  #value(row: Omit<StorageRow, "value">, type: StoredValue): void {
    const word = this.#word(row.slot);
    this.rows.push({ ...row, value: word === undefined ? undefined : packedValue(type, word, row.offset) });
  }

  #bytes(row: Omit<StorageRow, "value">, kind: "bytes" | "string"): void {
    const word = this.#word(row.slot);
    const head = word === undefined ? undefined : bytesHead(word);
    if (head === undefined) this.rows.push({ ...row, value: undefined });
    else if (head.kind === "broken") this.rows.push({ ...row, value: word ?? "", note: `it is not a ${kind}` });
    else if (head.kind === "short") this.rows.push({ ...row, value: bytesValue(kind, head.hex) });
    else this.#longBytes(row, kind, head.length);
  }

  #longBytes(row: Omit<StorageRow, "value">, kind: "bytes" | "string", length: bigint): void {
    const shown = length > BigInt(most.bytes) ? most.bytes : Number(length);
    const words = bytesSlots(row.slot, shown).map((slot) => this.#word(slot));
    const isKnown = words.every((word) => word !== undefined);
    const digits = words.map((word) => word?.slice(2) ?? "").join("");
    const value = isKnown ? bytesValue(kind, `0x${digits.slice(0, shown * 2)}`) : undefined;
    const note = length > BigInt(shown) ? `the first ${shown} of ${length} bytes` : undefined;
    this.rows.push({ ...row, value, ...(note !== undefined && { note }) });
  }

  #array(row: Omit<StorageRow, "value">, type: StoredArray, depth: number): void {
    const { path, slot } = row;
    const word = type.length === undefined ? this.#word(slot) : undefined;
    const length = type.length ?? (word === undefined ? undefined : BigInt(word));
    const listed = length === undefined ? 0n : length > BigInt(most.items) ? BigInt(most.items) : length;
    const note = length !== undefined && length > listed ? { note: `the first ${listed} of ${length} items` } : {};
    if (type.length === undefined)
      this.rows.push({
        ...row,
        path: `${path}.length`,
        value: length === undefined ? undefined : String(length),
        ...note,
      });
    else if (length !== undefined && length > listed) this.rows.push({ ...row, value: undefined, ...note });
    if (listed > 0n) this.items(path, type, type.length === undefined ? dataSlot(slot) : slot, listed, depth);
  }

  #mapping(row: Omit<StorageRow, "value">, type: StorageType & { readonly kind: "mapping" }, depth: number): void {
    const keyType = storedType(this.#layout, type.key);
    const fitting = namedKeys(keyType, this.#keys);
    const value = storedType(this.#layout, type.value);
    const isNested = value.kind === "mapping" && depth > 0;
    const tried = fitting.slice(0, isNested ? most.keys / 4 : most.keys);
    const before = this.rows;
    const found: StorageRow[] = [];
    for (const { name, hex } of tried) {
      this.rows = [];
      this.visit(`${row.path}[${name}]`, value, mappingSlot(row.slot, hex), 0, depth + 1);
      if (this.rows.some((one) => this.#isSet(one))) found.push(...this.rows);
    }
    const note = tried.length === 0 ? "no key of this type is known" : `${plural(tried.length, "key")} tried`;
    this.rows = [...before, ...(depth === 0 ? [{ ...row, value: undefined, note }] : []), ...found];
  }

  #isSet({ slot }: StorageRow): boolean {
    return /[1-9a-f]/i.test(this.#words.get(slot)?.slice(2) ?? "");
  }
}
