import { memoByObject } from "../base/memo.ts";
import { bundledErrors } from "./errors.ts";
import { bundledEvents, type Declarations } from "./events.ts";
import { bundledFunctions } from "./functions.ts";
import { type AbiEvent, type AbiItem, isEvent, parseItem, selectorOf } from "./item.ts";
import { type Signatures, shapeOf } from "./signatures.ts";

/** Finds declarations by what the chain has of them: topic 0 or selector, in lower case. */
export interface AbiLookup {
  /** @param address - The contract, in any case: what is given for it comes first, and for another last. */
  events(topic: string, address?: string): readonly AbiEvent[];
  errors(selector: string, address?: string): readonly AbiItem[];
  functions(selector: string, address?: string): readonly AbiItem[];
}

const tables = {
  event: tableOf(bundledEvents, isEvent),
  error: tableOf(bundledErrors, (item): item is AbiItem => item.kind === "error"),
  function: tableOf(bundledFunctions, (item): item is AbiItem => item.kind === "function"),
};

/** The declarations that are part of the program: ERC standards, and contracts that many chains have. */
export const wellKnownAbis: AbiLookup = {
  events: (topic) => tables.event.at(topic),
  errors: (selector) => tables.error.at(selector),
  functions: (selector) => tables.function.at(selector),
};

/** The well-known declarations, then those of the table of signatures, if it is loaded. */
export function bundledAbis(signatures: Signatures | undefined): AbiLookup {
  return signatures ? withSignatures(signatures) : wellKnownAbis;
}

const withSignatures = memoByObject((signatures: Signatures): AbiLookup => {
  const at = (kind: AbiItem["kind"], hash: string): readonly AbiItem[] => {
    const first = tables[kind].at(hash);
    const more = signatures.at(kind, hash);
    if (more.length === 0) return first;
    const shapes = new Set(first.map(shapeOf));
    return [...first, ...more.filter((item) => !shapes.has(shapeOf(item)))];
  };
  return {
    events: (topic) => at("event", topic).filter(isEvent),
    errors: (selector) => at("error", selector),
    functions: (selector) => at("function", selector),
  };
});

/** The well-known declarations as lists. */
interface WellKnownItems {
  readonly events: readonly AbiEvent[];
  readonly errors: readonly AbiItem[];
  readonly functions: readonly AbiItem[];
}

/** Each list is parsed when it is first read, which takes milliseconds. */
export const wellKnownItems: WellKnownItems = {
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

function wellKnownNamed(kind: AbiItem["kind"], name: string): readonly AbiItem[] {
  return tables[kind].named(name);
}

/** The names of the well-known declarations; none has to be parsed for it. */
function wellKnownNames(kind: AbiItem["kind"]): Iterable<string> {
  return tables[kind].names();
}

interface Table<T extends AbiItem> {
  /** By topic 0 or selector. */
  at(hash: string): readonly T[];
  all(): readonly T[];
  named(name: string): readonly T[];
  names(): Iterable<string>;
}

/** Declarations are parsed at their first use: hashing all of them at the start would take milliseconds. */
function tableOf<T extends AbiItem>(
  declarations: readonly Declarations[],
  isKind: (item: AbiItem) => item is T,
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
    const earlier = parsed.get(hash);
    if (earlier) return earlier;
    const items = (texts.get(hash) ?? [])
      .map(({ text, source }) => parseItem(text, source))
      .filter((item): item is T => item !== undefined && isKind(item));
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

export function append<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/**
 * Finds the functions or events that a text names: by a name (`transfer`), a signature
 * (`transfer(address,uint256) returns (bool)`), a selector or a topic 0. Well-known ABIs count only if the project's have
 * none. The table of signatures does not count: what a request sends must not depend on what has been loaded.
 *
 * @param own - ABIs of the project, the nearer first.
 * @returns All overloads, the likelier first. An unknown signature is its own declaration. Empty for unknown names and
 *   texts that are not a signature.
 */
export function itemsCalled(kind: "event" | "function", written: string, own: readonly AbiItem[]): readonly AbiItem[] {
  const text = written.trim().replace(new RegExp(`^${kind}\\s+`), "");
  const fits = fitting(kind, text);
  if (!fits) return [];
  const project = (fits.name === undefined ? own : (byName(own).get(fits.name) ?? [])).filter(
    (item) => item.kind === kind && fits.test(item),
  );
  const declaredHere = project.filter(({ isRemembered }) => !isRemembered);
  const known = [declaredHere, fits.bundled().filter(fits.test), project].find(({ length }) => length > 0) ?? project;
  const { declared } = fits;
  if (!declared) return known;
  // what is written out counts as it is written; what it leaves open, others may know
  return saysMore(declared) || known.length === 0 ? [declared] : known;
}

/** By name, in order: a project may have ten thousand items, and every cell looks for some. */
const byName = memoByObject((own: readonly AbiItem[]): ReadonlyMap<string, readonly AbiItem[]> => {
  const groups = new Map<string, AbiItem[]>();
  for (const item of own) {
    const group = groups.get(item.name);
    if (group) group.push(item);
    else groups.set(item.name, [item]);
  }
  return groups;
});

interface Fitting {
  /** The name that all have which fit; `undefined` where they may have any. */
  readonly name: string | undefined;
  readonly declared: AbiItem | undefined;
  test(item: AbiItem): boolean;
  bundled(): readonly AbiItem[];
}

function fitting(kind: "event" | "function", text: string): Fitting | undefined {
  if (/^0x[0-9a-fA-F]*$/.test(text)) {
    const hash = text.toLowerCase();
    const hashOf = kind === "event" ? (item: AbiItem): string => item.hash : selectorOf;
    const bundled = () => (kind === "event" ? wellKnownAbis.events(hash) : wellKnownAbis.functions(hash));
    return { name: undefined, declared: undefined, test: (item) => hashOf(item) === hash, bundled };
  }
  if (/^[A-Za-z_$][\w$]*$/.test(text)) {
    const test = ({ name }: AbiItem): boolean => name === text;
    return { name: text, declared: undefined, test, bundled: () => wellKnownNamed(kind, text) };
  }
  const declared = parseItem(`${kind} ${text}`, "as written");
  if (!declared) return undefined;
  const test = ({ signature }: AbiItem): boolean => signature === declared.signature;
  return { name: declared.name, declared, test, bundled: () => wellKnownNamed(kind, declared.name) };
}

/** More than the types of its arguments: which are indexed, or what it returns. */
function saysMore({ inputs, outputs, anonymous }: AbiItem): boolean {
  return outputs.length > 0 || anonymous || inputs.some(({ indexed }) => indexed);
}

/** Names of functions or events, those of the project first. */
export function namesOf(kind: "event" | "function", own: readonly AbiItem[]): readonly string[] {
  return [...new Set([...own.flatMap((item) => (item.kind === kind ? item.name : [])), ...wellKnownNames(kind)])];
}
