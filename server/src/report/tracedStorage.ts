import type { Words } from "../abi/slots.ts";
import { layoutSetting } from "../abi/storageScope.ts";
import { storedWord } from "../abi/storageSearch.ts";
import { isWord } from "../base/hex.ts";
import { oneLine, shortHex } from "../base/text.ts";
import { calledLayouts } from "./calledLayouts.ts";
import { callFrames, hasFailed, revertPath } from "./callFrames.ts";
import type { Section, Shown } from "./report.ts";
import { addressShown, inlineText } from "./shown.ts";
import { isWholeIn, partShown } from "./storage.ts";
import { table } from "./table.ts";
import type { ComputedCalls, StorageChange, StoredWord } from "./tracedCall.ts";
import type { ViewContext } from "./view.ts";

const [changesTitle, readsTitle] = ["Storage changes", "Storage read by the call that failed"];
export const storageTitles: ReadonlySet<string> = new Set([changesTitle, readsTitle]);

/** The storage that computed calls change, and that the call read in which a revert began. */
export function storageSections(traced: ComputedCalls, context: ViewContext): readonly Section[] {
  const { changes, calls, hashed, codes } = traced;
  const reads = readByOrigin(traced);
  if (changes.length + reads.length === 0) return [];
  const { labels, scope } = context;
  const called = scope && calledLayouts(scope, callFrames(calls).frames, labels, codes);
  const named = scope && called && { ...context, scope: { ...scope, layouts: [...scope.layouts, ...called] } };
  const keys = hashed.filter(isWord);
  const values = (words: readonly StorageChange[]): readonly StoredValue[] => {
    const known = knownWords(words);
    const all = words.flatMap((one, at) => valuesOf(one, known, at < maxNamed ? keys : undefined, named ?? context));
    const wholes = new Set(all.flatMap(({ whole }) => whole ?? []));
    return all.filter(({ partOf }) => partOf === undefined || !wholes.has(partOf));
  };
  const changed = values(changes);
  const read = values(reads.map(({ address, slot, word }) => ({ address, slot, before: word, after: "" })));
  const place = [
    { name: "Contract", of: ({ address }: StoredValue) => addressShown(address, labels) },
    { name: "Stored in", of: (one: StoredValue) => one.place },
  ];
  const [before, after] = [({ before: value }: StoredValue) => value, ({ after: value }: StoredValue) => value];
  return [
    ...(changed.length === 0
      ? []
      : [table(changed, [...place, { name: "Before", of: before }, { name: "After", of: after }], changesTitle)]),
    ...(read.length === 0 ? [] : [table(read, [...place, { name: "Value", of: before }], readsTitle)]),
    ...(scope && scope.creatables.length > 0 && scope.layouts.length === 0 ? [noLayouts] : []),
  ];
}

const noLayouts: Section = {
  kind: "note",
  text: `Storage has names if the compiler writes where variables are: ${layoutSetting}.`,
};

/** What the call read in which the first revert began, with the calls inside it. */
export function readByOrigin({ calls, reads }: ComputedCalls): readonly StoredWord[] {
  if (reads.length === 0) return [];
  const failed = callFrames(calls).roots.find(hasFailed);
  const origin = revertPath(failed).at(-1);
  return reads.find(({ frame }) => frame === origin?.index)?.words ?? [];
}

/** A value of storage, before and after; only before if it was read. */
interface StoredValue {
  readonly address: string;
  readonly place: Shown;
  readonly before: Shown;
  readonly after: Shown;
  /** The text that a row shows with all its words. */
  readonly whole?: string | undefined;
  /** The text of which a row shows one word. */
  readonly partOf?: string | undefined;
}

/** The words of each contract, before and after. */
type KnownWords = ReadonlyMap<string, { readonly before: Words; readonly after: Words }>;

function knownWords(changes: readonly StorageChange[]): KnownWords {
  const known = new Map<string, { before: Map<bigint, string>; after: Map<bigint, string> }>();
  for (const { address, slot, before, after } of changes) {
    if (!isWord(slot) || !isWord(before)) continue; // it is hidden
    const words = known.get(address) ?? { before: new Map(), after: new Map() };
    known.set(address, words);
    words.before.set(BigInt(slot), before);
    if (isWord(after)) words.after.set(BigInt(slot), after);
  }
  return known;
}

/** Words whose variables are looked for: each may take a thousand hashes. */
const maxNamed = 50;

/**
 * Finds the variables of the contract in a word, if the project has its layout: those that changed, or all. A word can hold several.
 *
 * @param keys - Words that may be keys of mappings; `undefined` if variables are not looked for.
 */
function valuesOf(
  { address, slot, before, after }: StorageChange,
  known: KnownWords,
  keys: readonly string[] | undefined,
  { scope, labels }: ViewContext,
): readonly StoredValue[] {
  const isHidden = [before, after].some((word) => word !== "" && !isWord(word));
  const stored =
    keys && scope && !isHidden ? storedWord(scope.layouts, scope.places, [address, slot], labels, keys) : undefined;
  const { parts = [], layout, byLabel } = stored ?? {};
  const contract = layout && !byLabel ? `${layout.contract}.` : ""; // the label is beside it
  const words = known.get(address);
  const values = parts.map((part): StoredValue => {
    const text = `${address} ${part.path}`;
    const isWhole = isWholeIn(part, before, words?.before) && (after === "" || isWholeIn(part, after, words?.after));
    return {
      address,
      place: { text: placeText(`${contract}${part.path}`), raw: slot },
      before: partShown(part, before, labels, words?.before),
      after: after === "" ? wordShown(after) : partShown(part, after, labels, words?.after),
      whole: isWhole ? text : undefined,
      partOf: part.fromByte === undefined ? undefined : text,
    };
  });
  const shown = after === "" ? values : values.filter((one) => inlineText(one.before) !== inlineText(one.after));
  const plain = { address, place: wordShown(slot), before: wordShown(before), after: wordShown(after) };
  return shown.length > 0 ? shown : [plain];
}

/** Characters of the name of a stored value. */
const maxPlace = 120;

/** A name that is too long has short keys, and keeps its end: neighbours differ there. */
function placeText(path: string): string {
  const text = path.length <= maxPlace ? path : path.replace(/0x[0-9a-fA-F]{16,}/g, shortHex);
  if (text.length <= maxPlace) return oneLine(text);
  return oneLine(`${text.slice(0, maxPlace / 2)}…${text.slice(-maxPlace / 2)}`);
}

/** A word without the zeros before it. */
function wordShown(word: string): Shown {
  return { text: word.replace(/^0x0*(?=.)/, "0x"), raw: word, role: "bytes" };
}
