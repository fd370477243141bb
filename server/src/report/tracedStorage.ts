import { storedWord } from "../abi/storageSearch.ts";
import { isWord } from "../base/hex.ts";
import { oneLine } from "../base/text.ts";
import { calledLayouts } from "./calledLayouts.ts";
import { callFrames, hasFailed, revertPath } from "./callFrames.ts";
import type { Section, Shown } from "./report.ts";
import { addressShown, inlineText } from "./shown.ts";
import { partShown } from "./storage.ts";
import { table } from "./table.ts";
import type { ComputedCalls, StorageChange, StoredWord } from "./tracedCall.ts";
import type { ViewContext } from "./view.ts";

const [changesTitle, readsTitle] = ["Storage changes", "Storage read by the call that failed"];
export const storageTitles: ReadonlySet<string> = new Set([changesTitle, readsTitle]);

/** The storage that computed calls change, and that the call read in which a revert began. */
export function storageSections(traced: ComputedCalls, context: ViewContext): readonly Section[] {
  const { changes, calls, hashed } = traced;
  const reads = readByOrigin(traced);
  if (changes.length + reads.length === 0) return [];
  const { labels, scope } = context;
  const called = scope && calledLayouts(scope, callFrames(calls).frames, labels);
  const named = scope && called && { ...context, scope: { ...scope, layouts: [...scope.layouts, ...called] } };
  const keys = hashed.filter(isWord);
  const changed = changes.flatMap((change, at) => valuesOf(change, at < maxNamed ? keys : undefined, named ?? context));
  const read = reads.flatMap(({ address, slot, word }, at) =>
    valuesOf({ address, slot, before: word, after: "" }, at < maxNamed ? keys : undefined, named ?? context),
  );
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
  ];
}

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
  keys: readonly string[] | undefined,
  { scope, labels }: ViewContext,
): readonly StoredValue[] {
  const { parts = [], layout, byLabel } = (keys && scope && storedWord(scope, [address, slot], labels, keys)) ?? {};
  const contract = layout && !byLabel ? `${layout.contract}.` : ""; // the label is beside it
  const values = parts.map((part) => ({
    address,
    place: { text: oneLine(`${contract}${part.path}`, 120), raw: slot },
    before: partShown(part, before, labels),
    after: after === "" ? wordShown(after) : partShown(part, after, labels),
  }));
  const shown = after === "" ? values : values.filter((one) => inlineText(one.before) !== inlineText(one.after));
  const plain = { address, place: wordShown(slot), before: wordShown(before), after: wordShown(after) };
  return shown.length > 0 ? shown : [plain];
}

/** A word without the zeros before it. */
function wordShown(word: string): Shown {
  return { text: word.replace(/^0x0*(?=.)/, "0x"), raw: word, role: "bytes" };
}
