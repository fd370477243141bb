import { brief, nearest } from "../base/text.ts";
import { type IsOpen, wholeNumber } from "./encode.ts";
import { dataSlot, itemPlace, mappingSlot, type StoredPart, slotAfter } from "./slots.ts";
import { type Keys, keyHex } from "./storageKey.ts";
import {
  type StorageLayout,
  type StorageType,
  type StorageVariable,
  type StoredArray,
  storedType,
} from "./storageLayout.ts";
import { type KeyStep, type PathStep, parseStoragePath } from "./storagePath.ts";

/** A stored value that a path names. Its path is as it was written. */
export interface StoragePlace extends StoredPart {
  readonly layout: StorageLayout;
  /** How its slot is worked out: `keccak256(alice . 3) + 1`. */
  readonly formula: string;
  /** The values next to it in storage. */
  readonly frame: Frame;
}

/** Variables or a value whose parts follow each other in storage, without a hash between them. */
export interface Frame {
  /** Before the names of its parts: `balances[alice]`; empty for the variables of a contract. */
  readonly path: string;
  readonly slot: bigint;
  readonly parts:
    | { readonly kind: "members"; readonly members: readonly StorageVariable[] }
    | { readonly kind: "value"; readonly type: StorageType }
    | { readonly kind: "items"; readonly of: StoredArray };
}

export function variablesOf({ variables }: StorageLayout): Frame {
  return { path: "", slot: 0n, parts: { kind: "members", members: variables } };
}

export type FoundPlace =
  | { readonly kind: "place"; readonly place: StoragePlace }
  /** Valid, but parts of it are not known yet. */
  | { readonly kind: "open" }
  | PathFault;

export interface PathFault {
  readonly kind: "fault";
  /** A clause without a full stop. */
  readonly what: string;
  /** In the path's text. */
  readonly start: number;
  readonly end: number;
}

/** The start of a path that is not one of the contract's own variables: a struct at a slot, as in a namespace. */
export interface StructAt {
  /** The name of a struct of the layout. */
  readonly type: string;
  readonly slot: bigint;
}

/**
 * Finds a variable of a contract, or a part of it.
 *
 * @param path - `balances[alice].amount`
 * @param keys - Names that may be written for keys.
 * @see https://docs.soliditylang.org/en/v0.8.30/internals/layout_in_storage.html
 */
export function findPlace(
  layout: StorageLayout,
  path: string,
  keys: Keys,
  isOpen: IsOpen,
  base?: StructAt,
): FoundPlace {
  const { steps, ...parsed } = parseStoragePath(path);
  if (isOpen(path) && parsed.fault !== undefined) return { kind: "open" };
  if (parsed.fault !== undefined) return fault(parsed.fault, parsed.at, path.length);
  const start = base ? structFrame(layout, base) : variablesOf(layout);
  if (start === undefined)
    return fault(
      `\`${layout.contract}\` has no struct \`${brief(base?.type ?? "", 60)}\` in its layout`,
      0,
      path.length,
    );
  return new PathResolver(layout, path, keys, isOpen, start).to(steps);
}

/**
 * Returns the place that several layouts give to one path.
 *
 * @param found - One for each layout, at least one.
 * @returns `several` if they do not agree, or if only some of them have it.
 */
export function commonPlace(found: readonly FoundPlace[]): FoundPlace | { readonly kind: "several" } {
  const places = found.flatMap((one) => (one.kind === "place" ? [one.place] : []));
  const [place] = places;
  if (!place) return found.find(({ kind }) => kind === "open") ?? found[0] ?? { kind: "several" };
  const agrees = places.every(({ slot, offset }) => slot === place.slot && offset === place.offset);
  return agrees && places.length === found.length ? { kind: "place", place } : { kind: "several" };
}

/** Returns the frame of a struct at a slot; `undefined` if the layout does not have the struct. */
function structFrame(layout: StorageLayout, { type, slot }: StructAt): Frame | undefined {
  for (const one of layout.types.values()) {
    const name = one.kind === "struct" ? one.label.replace(/^struct /, "") : undefined;
    if (one.kind === "struct" && (name === type || name?.split(".").at(-1) === type))
      return { path: "", slot, parts: { kind: "members", members: one.members } };
  }
  return undefined;
}

function fault(what: string, start: number, end: number): PathFault {
  return { kind: "fault", what, start, end: Math.max(start, end) };
}

/** Follows a path step by step. */
class PathResolver {
  readonly #layout: StorageLayout;
  readonly #path: string;
  readonly #keys: Keys;
  readonly #isOpen: IsOpen;
  #slot: bigint;
  #offset = 0;
  #type: StorageType | undefined;
  #frame: Frame;
  /** Names that a path may begin with. */
  readonly #start: readonly StorageVariable[];
  #formula: { readonly base: string; readonly added: bigint };
  #isUnknown = false;

  constructor(layout: StorageLayout, path: string, keys: Keys, isOpen: IsOpen, start: Frame) {
    this.#layout = layout;
    this.#path = path;
    this.#keys = keys;
    this.#isOpen = isOpen;
    this.#slot = start.slot;
    this.#frame = start;
    this.#start = start.parts.kind === "members" ? start.parts.members : [];
    this.#formula = { base: "", added: start.slot };
  }

  to(steps: readonly PathStep[]): FoundPlace {
    for (const step of steps) {
      const wrong = step.kind === "member" ? this.#member(step) : this.#key(step);
      if (wrong) return wrong;
    }
    const type = this.#type;
    if (type === undefined) return fault("expected the name of a variable", 0, 0);
    if (this.#isUnknown) return { kind: "open" };
    if (type.kind === "mapping")
      return fault(
        `it is a ${brief(type.label, 80)}: add a key, as in \`${brief(this.#path, 60)}[…]\``,
        0,
        this.#path.length,
      );
    return {
      kind: "place",
      place: {
        layout: this.#layout,
        path: this.#path,
        slot: this.#slot,
        offset: this.#offset,
        type,
        formula: this.#formulaText(),
        frame: this.#frame,
      },
    };
  }

  #member({ name, start, end }: PathStep & { readonly kind: "member" }): PathFault | undefined {
    const type = this.#type;
    const isFirst = type === undefined;
    if (type?.kind === "array" && type.length === undefined && name === "length") {
      this.#type = wholeWord;
      return undefined;
    }
    const list = isFirst ? this.#start : type.kind === "struct" ? type.members : undefined;
    if (!list) return fault(`\`${name}\` does not exist: this is ${aType(type)}, which has no members`, start, end);
    const found = list.filter((one) => one.name === name);
    const [first, second] = found;
    if (!first) return this.#unknownName(name, list, isFirst, start, end);
    if (second)
      return fault(
        `several variables are called \`${name}\`, at the slots ${found.map(({ slot }) => slot).join(" and ")}: write the slot`,
        start,
        end,
      );
    this.#move(first.slot);
    this.#offset = first.offset;
    this.#type = storedType(this.#layout, first.type);
    return undefined;
  }

  #unknownName(
    name: string,
    list: readonly StorageVariable[],
    isFirst: boolean,
    start: number,
    end: number,
  ): PathFault {
    if (isFirst && this.#layout.transient.includes(name))
      return fault(`\`${name}\` is in transient storage, which is empty after each transaction`, start, end);
    const names = list.map((one) => one.name);
    const near = nearest(name, names, 1)[0];
    const known =
      near === undefined ? `known are ${names.slice(0, 8).join(", ") || "none"}` : `a similar name is \`${near}\``;
    const what = isFirst
      ? `\`${this.#layout.contract}\` has no variable \`${name}\` in storage`
      : `it has no member \`${name}\``;
    return fault(`${what}: ${known}`, start, end);
  }

  #key(step: KeyStep): PathFault | undefined {
    const type = this.#type;
    const { start, end } = step;
    if (type?.kind === "array") return this.#item(type, step);
    if (type?.kind !== "mapping") return fault(`no key is expected here: this is ${aType(type)}`, start, end);
    const key = keyHex(storedType(this.#layout, type.key), step, this.#keys, this.#isOpen);
    if (key.kind === "faults") return fault(key.faults[0]?.what ?? "the key does not fit", start, end);
    if (key.kind === "open") this.#isUnknown = true;
    else this.#slot = mappingSlot(this.#slot, key.hex);
    this.#formula = { base: `keccak256(${brief(step.text, 66)} . ${this.#formulaText()})`, added: 0n };
    this.#enter(storedType(this.#layout, type.value), end);
    return undefined;
  }

  #item(type: StoredArray, { text, quoted, start, end }: KeyStep): PathFault | undefined {
    if (this.#isOpen(text)) {
      this.#isUnknown = true;
      this.#type = storedType(this.#layout, type.item);
      return undefined;
    }
    const named = quoted ? undefined : (wholeNumber(text) ?? wholeNumber(this.#keys.variables.get(text) ?? null));
    if (named === undefined || named < 0n)
      return fault(`expected the index of an item of ${type.label}: a whole number, zero or more`, start, end);
    if (type.length !== undefined && named >= type.length)
      return fault(`${type.label} has the items 0 to ${type.length - 1n}`, start, end);
    if (type.length === undefined) {
      this.#slot = dataSlot(this.#slot);
      this.#formula = { base: `keccak256(${this.#formulaText()})`, added: 0n };
      this.#frame = {
        path: this.#path.slice(0, this.#path.lastIndexOf("[", start)),
        slot: this.#slot,
        parts: { kind: "items", of: type },
      };
    }
    const { slots, offset } = itemPlace(this.#layout, type, named);
    this.#move(slots);
    this.#offset = offset;
    this.#type = storedType(this.#layout, type.item);
    return undefined;
  }

  #enter(type: StorageType, end: number): void {
    const path = this.#path.slice(0, this.#path.indexOf("]", end) + 1);
    this.#frame = { path, slot: this.#slot, parts: { kind: "value", type } };
    this.#offset = 0;
    this.#type = type;
  }

  #move(slots: bigint): void {
    this.#slot = slotAfter(this.#slot, slots);
    this.#formula = { ...this.#formula, added: this.#formula.added + slots };
  }

  #formulaText(): string {
    const { base, added } = this.#formula;
    if (base === "") return added < 1n << 64n ? String(added) : `0x${added.toString(16)}`;
    return added === 0n ? base : `${base} + ${added}`;
  }
}

const wholeWord: StorageType = {
  kind: "value",
  label: "uint256",
  slots: 1n,
  bytes: 32,
  abi: { kind: "uint", text: "uint256", size: 32, words: 1, dynamic: false },
  guess: false,
};

function aType(type: StorageType | undefined): string {
  return type === undefined ? "a variable" : `\`${brief(type.label, 80)}\``;
}
