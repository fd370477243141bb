import type { AbiItem } from "./item.ts";
import { parseItem } from "./item.ts";
import type { AbiParam } from "./type.ts";

type Kind = AbiItem["kind"];

/** Declarations of contracts in well-known packages: a table of thousands, parsed only on demand. */
export interface Signatures {
  /** By topic 0 or selector, `0x` and lower case. Several where names or types differ, or what is indexed. */
  at(kind: Kind, hash: string): readonly AbiItem[];
  /** Those whose names begin with a word in any case; in the order of names, at most so many. */
  beginningWith(kind: Kind, word: string, most: number): readonly AbiItem[];
}

/**
 * Opens the text of a table.
 *
 * @param text - As `scripts/signatures.ts` writes it. Lines that say nothing are passed over.
 */
export function signaturesOf(text: string): Signatures {
  const lines = text.split(/\r?\n/);
  const tables = tablesOf(lines);
  const parsed = new Map<number, AbiItem | undefined>();
  const sorted = new Map<Kind, readonly Named[]>();
  const itemAt = (kind: Kind, { line, source }: Entry): AbiItem | undefined => {
    if (!parsed.has(line)) parsed.set(line, parseItem(plainOf(kind, (lines[line] ?? "").slice(9)), source));
    return parsed.get(line);
  };
  return {
    at: (kind, hash) =>
      (tables[kind].get(hash.slice(2, 10)) ?? []).flatMap((entry) => {
        const item = itemAt(kind, entry);
        return item?.hash.startsWith(hash) ? item : [];
      }),
    beginningWith(kind, word, most) {
      const names = sorted.get(kind) ?? byName(tables[kind], lines);
      sorted.set(kind, names);
      const start = word.toLowerCase();
      const first = lowerBound(names, start);
      const last = Math.min(names.length, first + most);
      const found: AbiItem[] = [];
      for (let at = first; at < last; at++) {
        const { name, entry } = names[at] ?? {};
        if (!entry || !name?.startsWith(start)) break;
        const item = itemAt(kind, entry);
        if (item) found.push(item);
      }
      return found;
    },
  };
}

/** The position of a signature, and the package that it is from. */
interface Entry {
  readonly line: number;
  readonly source: string;
}

type Table = ReadonlyMap<string, readonly Entry[]>;

function tablesOf(lines: readonly string[]): Readonly<Record<Kind, Table>> {
  const tables = {
    event: new Map<string, Entry[]>(),
    function: new Map<string, Entry[]>(),
    error: new Map<string, Entry[]>(),
  };
  let table: Map<string, Entry[]> | undefined;
  let source = "";
  for (const [line, text] of lines.entries()) {
    if (text.charAt(8) === " " && !text.startsWith("@") && !text.startsWith("#")) {
      const key = text.slice(0, 8);
      const entries = table?.get(key);
      if (entries) entries.push({ line, source });
      else table?.set(key, [{ line, source }]);
    } else if (text === "event" || text === "function" || text === "error") table = tables[text];
    else if (text.startsWith("@ ")) source = text.slice(2, text.lastIndexOf(" "));
  }
  return tables;
}

interface Named {
  /** In lower case. */
  readonly name: string;
  readonly entry: Entry;
}

function byName(table: Table, lines: readonly string[]): readonly Named[] {
  const named = [...table.values()].flat().map((entry): Named => {
    const text = lines[entry.line] ?? "";
    return { name: text.slice(9, text.indexOf("(")).toLowerCase(), entry };
  });
  return named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** The first place whose name is not before a word. */
function lowerBound(names: readonly Named[], word: string): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((names[middle]?.name ?? "") < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

const shorts: ReadonlyMap<string, string> = new Map([
  ["address", "a"],
  ["bytes", "b"],
  ["int256", "i"],
  ["string", "s"],
  ["bool", "t"],
  ["uint256", "u"],
  ["bytes32", "w"],
]);
const longs: ReadonlyMap<string, string> = new Map([...shorts].map(([long, short]) => [short, long]));

/**
 * Formats a declaration as a line of the table, without its first four bytes.
 *
 * @example shortOf(transferEvent); //=> "Transfer(a*from,a*to,u value)"
 */
export function shortOf({ name, inputs, outputs }: AbiItem): string {
  return `${name}(${inputs.map(shortParam)})${outputs.length > 0 ? `(${outputs.map(shortParam)})` : ""}`;
}

function shortParam({ type, name, indexed }: AbiParam): string {
  return `${shortType(type)}${indexed ? "*" : name === "" ? "" : " "}${name}`;
}

function shortType(type: AbiParam["type"]): string {
  if (type.kind === "array") return `${shortType(type.of)}[${type.length ?? ""}]`;
  if (type.kind === "tuple") return `(${type.members.map(shortParam)})`;
  return shorts.get(type.text) ?? type.text;
}

/**
 * Formats a line of the table as Solidity.
 *
 * @example plainOf("event", "Transfer(a*from,a*to,u value)"); //=> "event Transfer(address indexed from,address indexed to,uint256 value)"
 */
export function plainOf(kind: Kind, short: string): string {
  const end = matching(short, short.indexOf("("));
  const returned = short.slice(end);
  return `${kind} ${plainTypes(short.slice(0, end))}${returned === "" ? "" : ` returns ${plainTypes(returned)}`}`;
}

function plainTypes(text: string): string {
  const types = text.replace(/([(,])([abistuw])(?=[[*,) ])/g, (_, before, type) => before + (longs.get(type) ?? type));
  return types.replaceAll("*", " indexed ");
}

/** Behind the bracket that closes the one at a place. */
function matching(text: string, open: number): number {
  for (let at = open, depth = 0; at >= 0 && at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")" && --depth === 0) return at + 1;
  }
  return text.length;
}

/** Returns what topics and data can distinguish: the types, and which of them are indexed. */
export function shapeOf({ kind, signature, inputs }: AbiItem): string {
  return `${kind} ${signature} ${inputs.map(({ indexed }) => Number(indexed)).join("")}`;
}
