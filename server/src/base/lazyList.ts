import { type JsonValue, printJson } from "./json.ts";

/** A long list of logs in a body. */
export interface ListedItems {
  readonly length: number;
  /** All members of the items. */
  readonly names: ReadonlySet<string>;
  /** The texts before the opening bracket and behind the closing one. */
  readonly around: readonly [before: string, after: string];
  /** JSON in ASCII without escapes and spaces. Doubles hold its numbers. */
  textAt(index: number): string;
  /** The kind of an item, negative if it is not known: logs of one kind have the same contract, topic 0, number of topics, and data as text. */
  kindAt(index: number): number;
  /** The whole list. */
  text(): string;
  /** Characters of the whole list. */
  readonly textLength: number;
}

/** The items of a list as they are in a body. */
type InBody = Pick<ListedItems, "names" | "textAt" | "kindAt" | "textLength">;
const inBody = new WeakMap<object, InBody>();
/** The texts of items as they are printed, if they need not be made for that. */
const printed = new WeakMap<object, (index: number) => string>();
const lazy = new WeakSet<object>();
/** How to print lists that are made when they are looked at. */
const madeLater = new WeakMap<object, () => NextText>();

/** A list whose items are read when they are looked at, and not kept: a hundred thousand are too many to hold. */
export function listOfTexts(items: ListedItems): readonly JsonValue[] {
  const list = lazyList(items.length, (index) => JSON.parse(items.textAt(index)) as JsonValue);
  inBody.set(list, items);
  return list;
}

/** Returns how to get the text of an item of a {@link listOfTexts}: JSON in ASCII without escapes and spaces. */
export function itemTexts(list: object): ((index: number) => string) | undefined {
  return inBody.get(list)?.textAt;
}

/** Returns how long a {@link listOfTexts} is as text. */
export function lengthOfText(list: object): number | undefined {
  return inBody.get(list)?.textLength;
}

/** Returns how to get the kind of an item of a {@link listOfTexts}, negative if it is not known. */
export function itemKinds(list: object): ((index: number) => number) | undefined {
  return inBody.get(list)?.kindAt;
}

/** Whether an item of a {@link listOfTexts} has a member. */
export function hasMember(list: object, name: string): boolean {
  return inBody.get(list)?.names.has(name) === true;
}

/** Returns the text of the next item; `undefined` after the last one. */
export type NextText = () => string | undefined;

/** Returns how to print the items of a list, one after the other, if they need not be made for that. */
export function printedItems(list: readonly JsonValue[]): NextText | undefined {
  const print = madeLater.get(list);
  if (print) return print();
  const textAt = itemTexts(list) ?? printed.get(list);
  let at = 0;
  return textAt && (() => (at < list.length ? textAt(at++) : undefined));
}

/** Whether to look at anything of a list, its length too, makes all of it. */
export function isMadeLater(list: readonly JsonValue[]): boolean {
  return madeLater.has(list);
}

/**
 * Maps a list; the items of a lazy one are mapped when they are looked at.
 *
 * @param textAt - Prints an item as it would be mapped, if that is possible without looking at it.
 */
export function mapped(
  list: readonly JsonValue[],
  map: (item: JsonValue, index: number) => JsonValue,
  textAt?: ((index: number) => string | undefined) | undefined,
): readonly JsonValue[] {
  if (!lazy.has(list)) return list.map(map);
  const item = (index: number): JsonValue => map(list[index] ?? null, index);
  const made = lazyList(list.length, item);
  if (textAt) printed.set(made, (index) => textAt(index) ?? printJson(item(index)));
  return made;
}

/**
 * A list that is made when it is looked at.
 *
 * @param print - Returns how to print its items, so that none is held.
 */
export function listMadeLater(make: () => readonly JsonValue[], print: () => NextText): readonly JsonValue[] {
  const filled = (items: JsonValue[]): JsonValue[] => {
    if (items.length === 0) for (const item of make()) items.push(item);
    return items;
  };
  const list = new Proxy<JsonValue[]>([], {
    get: (items, key, receiver) => Reflect.get(filled(items), key, receiver),
    has: (items, key) => Reflect.has(filled(items), key),
    ownKeys: (items) => Reflect.ownKeys(filled(items)),
    getOwnPropertyDescriptor: (items, key) => Reflect.getOwnPropertyDescriptor(filled(items), key),
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
  });
  madeLater.set(list, print);
  return list;
}

const noItems: InBody = { names: new Set(), textAt: () => "null", kindAt: () => -1, textLength: 2 };

/** Puts lists together. If one of them is lazy, so is the whole. */
export function concatenated(lists: readonly (readonly JsonValue[])[]): readonly JsonValue[] {
  const [only] = lists;
  if (only && lists.length === 1) return only;
  if (!lists.some((list) => lazy.has(list))) return lists.flat(1);
  const starts: number[] = [];
  let length = 0;
  for (const list of lists) {
    starts.push(length);
    length += list.length;
  }
  let at = 0;
  const find = (index: number): readonly [list: readonly JsonValue[], index: number] => {
    while (index < (starts[at] ?? 0)) at--;
    while (index >= (starts[at + 1] ?? length)) at++;
    return [lists[at] ?? [], index - (starts[at] ?? 0)];
  };
  const list = lazyList(length, (index) => {
    const [part, inPart] = find(index);
    return part[inPart] ?? null;
  });
  const parts = lists.map((part) => (part.length === 0 ? noItems : inBody.get(part)));
  if (parts.every((part) => part !== undefined))
    inBody.set(list, {
      names: new Set(parts.flatMap(({ names }) => [...names])),
      textAt(index) {
        const [part, inPart] = find(index);
        return itemTexts(part)?.(inPart) ?? "null";
      },
      textLength: parts.reduce((sum, part) => sum + part.textLength - 1, 1), // one pair of brackets, and commas
      kindAt(index) {
        const [part, inPart] = find(index);
        const kind = itemKinds(part)?.(inPart) ?? -1;
        return kind < 0 ? kind : kind * lists.length + at; // parts count their kinds for themselves
      },
    });
  return list;
}

/** The list is an array for everyone. Of its items only the last one is kept, since a row asks for each of its cells. */
function lazyList(length: number, make: (index: number) => JsonValue): readonly JsonValue[] {
  let last = -1;
  let item: JsonValue = null;
  const itemAt = (index: number): JsonValue => {
    if (index !== last) item = make(index);
    last = index;
    return item;
  };
  const indexOf = (key: string | symbol): number | undefined => {
    if (typeof key === "symbol") return undefined;
    const index = Number(key);
    return Number.isInteger(index) && index >= 0 && index < length && String(index) === key ? index : undefined;
  };
  const list = new Proxy<JsonValue[]>([], {
    get(target, key, receiver) {
      if (key === "length") return length;
      const index = indexOf(key);
      return index === undefined ? Reflect.get(target, key, receiver) : itemAt(index);
    },
    has: (target, key) => indexOf(key) !== undefined || Reflect.has(target, key),
    ownKeys: (target) => [...Array.from({ length }, (_, index) => String(index)), ...Reflect.ownKeys(target)],
    getOwnPropertyDescriptor(target, key) {
      const index = indexOf(key);
      if (index === undefined) return Reflect.getOwnPropertyDescriptor(target, key);
      return { value: itemAt(index), enumerable: true, configurable: true, writable: true };
    },
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
  });
  lazy.add(list);
  return list;
}
