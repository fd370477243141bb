import type { JsonValue } from "../base/json.ts";
import { plural } from "../base/text.ts";
import {
  bytesHead,
  bytesSlots,
  bytesValue,
  dataSlot,
  itemPart,
  keyPart,
  memberParts,
  packedValue,
  type StoredPart,
  type Words,
} from "./slots.ts";
import { type Keys, namedKeys } from "./storageKey.ts";
import type { StorageType } from "./storageLayout.ts";
import {
  type StorageLayout,
  type StoredArray,
  type StoredMapping,
  type StoredValue,
  storedType,
} from "./storageLayout.ts";

/** A stored value, or a part of one, with its value. */
export interface StorageRow extends StoredPart {
  /** `undefined` if its word is not known, or if it has no value of its own, as mappings. */
  readonly value: JsonValue | undefined;
  /** A clause that says what is left out, or wrong. */
  readonly note?: string;
}

/** Whether the value of a row is not known because a word of it is not: mappings and arrays of fixed length have none. */
export function isUnread(type: StorageType, value: StorageRow["value"]): boolean {
  return value === undefined && type.kind !== "mapping" && (type.kind !== "array" || type.length === undefined);
}

export interface StorageRows {
  readonly rows: readonly StorageRow[];
  /** Slots whose words are needed to show more. */
  readonly missing: ReadonlySet<bigint>;
  /** There are more rows than are listed. */
  readonly hasMore: boolean;
  /** Slots with something that compilers do not write for this layout. */
  readonly strange: readonly bigint[];
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
  lister.add(memberParts(layout, { path: "", slot: 0n }, layout.variables), 0);
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

  /** Where something is beside the variables, or a `bool` is neither 0 nor 1. Slots of lists and mappings are not listed whole. */
  get strange(): readonly bigint[] {
    if (this.hasMore) return [];
    const slots = new Map<bigint, StorageRow[]>();
    for (const row of this.rows) slots.set(row.slot, [...(slots.get(row.slot) ?? []), row]);
    return [...slots].flatMap(([slot, rows]) => (isStrange(this.#words.get(slot), rows) ? [slot] : []));
  }

  add(parts: readonly StoredPart[], depth: number): void {
    for (const part of parts) this.#part(part, depth);
  }

  #part(part: StoredPart, depth: number): void {
    this.#visits += 1;
    if (this.rows.length >= most.rows || depth > most.depth || this.#visits > most.visits) {
      this.hasMore = true;
      return;
    }
    const { type } = part;
    switch (type.kind) {
      case "value":
        this.#value(part, type);
        return;
      case "bytes":
      case "string":
        this.#bytes(part, type.kind);
        return;
      case "struct":
        this.add(memberParts(this.#layout, part, type.members), depth + 1);
        return;
      case "array":
        this.#array(part, type, depth);
        return;
      case "mapping":
        this.#mapping(part, type, depth);
        return;
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

  #value(part: StoredPart, type: StoredValue): void {
    const word = this.#word(part.slot);
    this.rows.push({ ...part, value: word === undefined ? undefined : packedValue(type, word, part.offset) });
  }

  #bytes(part: StoredPart, kind: "bytes" | "string"): void {
    const word = this.#word(part.slot);
    const head = word === undefined ? undefined : bytesHead(word);
    if (head === undefined) this.rows.push({ ...part, value: undefined });
    else if (head.kind === "broken") this.rows.push({ ...part, value: word ?? "", note: `it is not a ${kind}` });
    else if (head.kind === "short") this.rows.push({ ...part, value: bytesValue(kind, head.hex) });
    else this.#longBytes(part, kind, head.length);
  }

  #longBytes(part: StoredPart, kind: "bytes" | "string", length: bigint): void {
    const shown = length > BigInt(most.bytes) ? most.bytes : Number(length);
    const words = bytesSlots(part.slot, shown).map((slot) => this.#word(slot));
    const isKnown = words.every((word) => word !== undefined);
    const digits = words.map((word) => word?.slice(2) ?? "").join("");
    const value = isKnown ? bytesValue(kind, `0x${digits.slice(0, shown * 2)}`) : undefined;
    const note = length > BigInt(shown) ? `the first ${shown} of ${length} bytes` : undefined;
    this.rows.push({ ...part, value, ...(note !== undefined && { note }) });
  }

  #array(part: StoredPart, type: StoredArray, depth: number): void {
    const { path, slot } = part;
    const word = type.length === undefined ? this.#word(slot) : undefined;
    const length = type.length ?? (word === undefined ? undefined : BigInt(word));
    const listed = length === undefined ? 0n : length > BigInt(most.items) ? BigInt(most.items) : length;
    const note = length !== undefined && length > listed ? { note: `the first ${listed} of ${length} items` } : {};
    if (type.length === undefined)
      this.rows.push({
        ...part,
        path: `${path}.length`,
        value: length === undefined ? undefined : String(length),
        ...note,
      });
    else if (length !== undefined && length > listed) this.rows.push({ ...part, value: undefined, ...note });
    const first = { path, slot: type.length === undefined && listed > 0n ? dataSlot(slot) : slot };
    for (let at = 0n; at < listed; at++) this.#part(itemPart(this.#layout, first, type, at), depth + 1);
  }

  #mapping(part: StoredPart, type: StoredMapping, depth: number): void {
    const fitting = namedKeys(storedType(this.#layout, type.key), this.#keys);
    const isNested = storedType(this.#layout, type.value).kind === "mapping" && depth > 0;
    const tried = fitting.slice(0, isNested ? most.keys / 4 : most.keys);
    const before = this.rows;
    const found: StorageRow[] = [];
    for (const key of tried) {
      this.rows = [];
      this.#part(keyPart(this.#layout, part, type, key), depth + 1);
      if (this.rows.some((one) => this.#isSet(one))) found.push(...this.rows);
    }
    const note = tried.length === 0 ? "no key of this type is known" : `${plural(tried.length, "key")} tried`;
    this.rows = [...before, ...(depth === 0 ? [{ ...part, value: undefined, note }] : []), ...found];
  }

  #isSet({ slot }: StorageRow): boolean {
    return /[1-9a-f]/i.test(this.#words.get(slot)?.slice(2) ?? "");
  }
}

function isStrange(word: string | undefined, rows: readonly StorageRow[]): boolean {
  if (word === undefined || rows.some(({ path, type }) => path.includes("[") || type.kind !== "value")) return false;
  let rest = BigInt(word);
  for (const { type, offset } of rows) {
    if (type.kind !== "value") continue;
    const own = (BigInt(word) >> BigInt(offset * 8)) % (1n << BigInt(type.bytes * 8));
    if (type.abi.kind === "bool" && own > 1n) return true;
    rest -= own << BigInt(offset * 8);
  }
  return rest !== 0n;
}
