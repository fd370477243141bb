import type { Creatable } from "./code.ts";
import { bundledErrors } from "./errors.ts";
import type { Declarations } from "./events.ts";
import { bundledEvents } from "./events.ts";
import { bundledFunctions } from "./functions.ts";
import type { AbiEvent, AbiItem } from "./item.ts";
import { isEvent, parseItem, selectorOf } from "./item.ts";
import { type Signatures, shapeOf } from "./signatures.ts";

/** Events, errors and functions that decoding may draw on, found by what the chain knows of them. */
export interface AbiScope {
  /** @param address - The contract, in any case: what is given for it comes first, and for another last. */
  events(topic: string, address?: string): readonly AbiEvent[];
  /** Events without a topic of their own. They fit many logs, so they are tried last. */
  readonly anonymous: readonly AbiEvent[];
  errors(selector: string, address?: string): readonly AbiItem[];
  functions(selector: string, address?: string): readonly AbiItem[];
  /** Contracts whose creation can be recognised. */
  readonly creatables: readonly Creatable[];
}

/**
 * Makes a scope of the project's ABIs.
 *
 * @param items - The more trusted ones first: among equals the first one names the arguments.
 */
export function scopeOf(items: Iterable<AbiItem>, creatables: readonly Creatable[] = []): AbiScope {
  const events = new Map<string, AbiEvent[]>();
  const errors = new Map<string, AbiItem[]>();
  const functions = new Map<string, AbiItem[]>();
  const anonymous: AbiEvent[] = [];
  for (const item of items) {
    if (!isEvent(item)) append(item.kind === "error" ? errors : functions, selectorOf(item), item);
    else if (item.anonymous) anonymous.push(item);
    else append(events, item.hash, item);
  }
  return {
    events: (topic, address) => nearerFirst(events.get(topic) ?? [], address),
    anonymous,
    errors: (selector, address) => nearerFirst(errors.get(selector) ?? [], address),
    functions: (selector, address) => nearerFirst(functions.get(selector) ?? [], address),
    creatables,
  };
}

/** A scope that knows some functions first: those that a request writes out. */
export function withFunctions(scope: AbiScope, items: readonly AbiItem[]): AbiScope {
  if (items.length === 0) return scope;
  return {
    ...scope,
    functions: (selector, address) => [
      ...items.filter((item) => selectorOf(item) === selector),
      ...scope.functions(selector, address),
    ],
  };
}

/** Those that are given for a contract first, then those for any, then those for others. */
function nearerFirst<T extends AbiItem>(items: readonly T[], address: string | undefined): readonly T[] {
  if (address === undefined || items.every((item) => item.address === undefined)) return items;
  const contract = address.toLowerCase();
  const distance = (item: T): number => (item.address === contract ? 0 : item.address === undefined ? 1 : 2);
  return items.toSorted((a, b) => distance(a) - distance(b));
}

function append<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

const tables = {
  event: tableOf(bundledEvents, isEvent),
  error: tableOf(bundledErrors, (item): item is AbiItem => item.kind === "error"),
  function: tableOf(bundledFunctions, (item): item is AbiItem => item.kind === "function"),
};

/** What is decoded without an ABI of the project: the best known, then the table of signatures, once it is there. */
export const bundledScope: AbiScope = {
  events: (topic) => withSignatures("event", topic, tables.event.at(topic)).filter(isEvent),
  anonymous: [],
  errors: (selector) => withSignatures("error", selector, tables.error.at(selector)),
  functions: (selector) => withSignatures("function", selector, tables.function.at(selector)),
  creatables: [],
};

/** One for all: it is constant data, like the tables above, that is only read later. */
let signatures: Signatures | undefined;
let wanted = false;

/** The table of signatures is not there, or not yet. */
export function signaturesMissing(): boolean {
  return signatures === undefined;
}

/** Something has been looked up in vain, and the table of signatures that may know it is not there yet. */
export function signaturesWanted(): boolean {
  return wanted && signatures === undefined;
}

/** Says that the table of signatures may know more. */
export function wantSignatures(): void {
  wanted = true;
}

/** @param table - From now on asked for what the best known ones do not say; `undefined` takes it away again. */
export function useSignatures(table: Signatures | undefined): void {
  signatures = table;
  wanted = false;
}

/** Those of the table of signatures whose names begin with a word in any case, at most so many. */
export function signaturesNamed(kind: AbiItem["kind"], word: string, most: number): readonly AbiItem[] {
  if (!signatures) wantSignatures();
  return signatures?.beginningWith(kind, word, most) ?? [];
}

function withSignatures(kind: AbiItem["kind"], hash: string, known: readonly AbiItem[]): readonly AbiItem[] {
  if (!signatures && known.length === 0) wantSignatures();
  const more = signatures?.at(kind, hash) ?? [];
  if (more.length === 0) return known;
  const shapes = new Set(known.map(shapeOf));
  return [...known, ...more.filter((item) => !shapes.has(shapeOf(item)))];
}

/** All that is known without an ABI of the project, the best known first. */
export interface BundledItems {
  readonly events: readonly AbiEvent[];
  readonly errors: readonly AbiItem[];
  readonly functions: readonly AbiItem[];
}

/** Each list is parsed when it is first looked at, which takes milliseconds. */
export function bundledItems(): BundledItems {
  return bundled;
}

const bundled: BundledItems = {
  get events() {
    return tables.event.all();
  },
  get errors() {
    return tables.error.all();
  },
  get functions() {
    return tables.function.all();
  },
};

/** Those of the bundled ones with that name. */
export function bundledNamed(kind: AbiItem["kind"], name: string): readonly AbiItem[] {
  return tables[kind].named(name);
}

/** The names of the bundled ones; none of them has to be parsed for it. */
export function bundledNames(kind: AbiItem["kind"]): Iterable<string> {
  return tables[kind].names();
}

interface Table<T extends AbiItem> {
  /** By topic 0 or selector. */
  at(hash: string): readonly T[];
  all(): readonly T[];
  named(name: string): readonly T[];
  names(): Iterable<string>;
}

/** Declarations are parsed when they are first asked for: hashing all of them at the start would take milliseconds. */
function tableOf<T extends AbiItem>(
  declarations: readonly Declarations[],
  wanted: (item: AbiItem) => item is T,
): Table<T> {
  const texts = new Map<string, { readonly text: string; readonly source: string }[]>();
  const hashes = new Map<string, string[]>();
  for (const { source, items } of declarations) {
    for (const [hash, text] of Object.entries(items)) {
      append(texts, hash, { text, source });
      append(hashes, text.slice(text.indexOf(" ") + 1, text.indexOf("(")), hash);
    }
  }
  const parsed = new Map<string, readonly T[]>();
  const at = (hash: string): readonly T[] => {
    const known = parsed.get(hash);
    if (known) return known;
    const items = (texts.get(hash) ?? [])
      .map(({ text, source }) => parseItem(text, source))
      .filter((item): item is T => item !== undefined && wanted(item));
    if (items.length > 0) parsed.set(hash, items);
    return items;
  };
  let everything: readonly T[] | undefined;
  return {
    at,
    all() {
      everything ??= [...texts.keys()].flatMap(at);
      return everything;
    },
    // a topic or selector may belong to several names: keccak collisions of four bytes are easy to make
    named: (name) => [...new Set(hashes.get(name))].flatMap(at).filter((item) => item.name === name),
    names: () => hashes.keys(),
  };
}
