import { storedWord } from "../abi/storageSearch.ts";
import { isWord, toQuantity } from "../base/hex.ts";
import type { JsonObject } from "../base/json.ts";
import { brief, capitalized, listed, oneLine, plural } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import type { Report, Section, Shown, TableSection } from "./report.ts";
import { addressShown, inlineText } from "./shown.ts";
import { partShown } from "./storage.ts";
import { table } from "./table.ts";
import { traceSections } from "./trace.ts";
import type { ComputedCalls, StorageChange, TracedCallFacts } from "./tracedCall.ts";
import type { ViewContext } from "./view.ts";

/**
 * Adds the calls inside a call to its report, in the form of a trace that an endpoint serves. They take the place of a tree
 * that has only a part of them.
 */
export function withTracedCall(report: Report, traced: TracedCallFacts, context: ViewContext): Report {
  const isPart = (section: Section): boolean =>
    "calls" in traced && section.kind === "tree" && section.partial !== undefined;
  return { ...report, sections: [...report.sections.filter((one) => !isPart(one)), ...sectionsOf(traced, context)] };
}

function sectionsOf(traced: TracedCallFacts, context: ViewContext): readonly Section[] {
  return [...("calls" in traced ? traceSections(traced.calls, context) : []), ...sourceSections(traced, context)];
}

/** What a trace shows beside its calls: the storage that changes, and where it comes from. */
export function sourceSections(traced: TracedCallFacts, context: ViewContext): readonly Section[] {
  const isComputed = traced.kind === "computed" || traced.kind === "replayed";
  const changes = isComputed && traced.changes.length > 0 ? [changesTable(traced, context)] : [];
  return [...changes, { kind: "note", text: sourceText(traced) }];
}

/** Says where the calls come from, and how sure they are; or why there are none. */
function sourceText(traced: TracedCallFacts): string {
  const { host } = traced;
  switch (traced.kind) {
    case "served":
      return `These calls are the trace of ${host} at ${traced.block === undefined ? "`pending`" : `block ${grouped(traced.block)}`}.`;
    case "computed": {
      const { block, isPending, equal, rounds, requests } = traced;
      const place = `${isPending ? "`pending`, which may have changed meanwhile, in " : ""}block ${grouped(block)}`;
      const checked =
        equal.length === 0
          ? `Not checked: ${host} does not say what the call does.`
          : `${capitalized(listed(equal))} equal what ${host} reports.${equal.includes("gas") ? "" : " Gas is not checked."}`;
      const sent = `${plural(requests, "request")} in ${plural(rounds, "round")}`;
      return `The calls were computed on this machine from state that ${host} gave at ${place} (${sent}). ${checked}`;
    }
    case "replayed": {
      const { block, transactions, values, rounds, requests } = traced;
      const sent = `${plural(requests, "request")} in ${plural(rounds, "round")}`;
      const replayed = `All of block ${grouped(block)} was replayed on this machine over the state that ${host} gave at the block before (${sent}).`;
      const receipts = transactions === 1 ? "Its receipt" : `All ${grouped(BigInt(transactions))} receipts`;
      return `${replayed} ${receipts} and the ${plural(values, "value")} that it read or wrote equal what ${host} reports.`;
    }
    case "differs":
      return `No calls are shown: the ${traced.what} that was computed on this machine (${brief(traced.here, 200)}) is not what ${host} reports (${brief(traced.there, 200)}).`;
    case "failed":
      return `The calls inside are not known. ${traced.why}`;
  }
}

/** A value of storage before and after. */
interface ChangedValue {
  readonly address: string;
  readonly place: Shown;
  readonly before: Shown;
  readonly after: Shown;
}

/** Changes whose variables are looked for: each may take a thousand hashes. */
const maxNamed = 50;

function changesTable({ changes, hashed }: ComputedCalls, context: ViewContext): TableSection {
  const keys = hashed.filter(isWord);
  const rows = changes.flatMap((change, at) =>
    at < maxNamed ? namedValues(change, keys, context) : [plainValue(change)],
  );
  return table(
    rows,
    [
      { name: "Contract", of: ({ address }) => addressShown(address, context.labels) },
      { name: "Stored in", of: ({ place }) => place },
      { name: "Before", of: ({ before }) => before },
      { name: "After", of: ({ after }) => after },
    ],
    "Storage changes",
  );
}

/** Finds the variables of the contract that changed, if the project has its layout. A word can hold several. */
function namedValues(
  change: StorageChange,
  keys: readonly string[],
  { scope, labels }: ViewContext,
): readonly ChangedValue[] {
  const { address, slot, before, after } = change;
  const parts = (scope && storedWord(scope, [address, slot], labels, keys)?.parts) ?? [];
  const values = parts.map((part) => ({
    address,
    place: { text: oneLine(part.path, 120), raw: slot },
    before: partShown(part, before, labels),
    after: partShown(part, after, labels),
  }));
  const changed = values.filter((one) => inlineText(one.before) !== inlineText(one.after));
  return changed.length > 0 ? changed : [plainValue(change)];
}

function plainValue({ address, slot, before, after }: StorageChange): ChangedValue {
  return { address, place: wordShown(slot), before: wordShown(before), after: wordShown(after) };
}

/** A word without the zeros before it. */
function wordShown(word: string): Shown {
  return { text: word.replace(/^0x0*(?=.)/, "0x"), raw: word, role: "bytes" };
}

/** The same as JSON. */
export function tracedCallJson(traced: TracedCallFacts): JsonObject {
  switch (traced.kind) {
    case "served":
      return { trace: { source: "endpoint", block: blockJson(traced.block), calls: traced.calls } };
    case "replayed": {
      const { block, fork, transactions, values, calls, changes } = traced;
      const equal = { receipts: transactions, values };
      return {
        trace: { source: "replayed", block: blockJson(block), fork, equal, calls, storage: storageJson(changes) },
      };
    }
    case "computed": {
      const { block, isPending, fork, equal, calls, changes } = traced;
      const storage = storageJson(changes);
      return {
        trace: { source: "computed", block: blockJson(isPending ? undefined : block), fork, equal, calls, storage },
      };
    }
    case "differs":
      return { trace: { source: "none", what: traced.what, here: traced.here, there: traced.there } };
    case "failed":
      return { trace: { source: "none", why: traced.why } };
  }
}

function storageJson(changes: readonly StorageChange[]): readonly JsonObject[] {
  return changes.map(({ address, slot, before, after }) => ({ address, slot, before, after }));
}

function blockJson(block: bigint | undefined): string {
  return block === undefined ? "pending" : toQuantity(block);
}
