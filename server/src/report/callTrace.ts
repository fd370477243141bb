import { toQuantity } from "../base/hex.ts";
import type { JsonObject } from "../base/json.ts";
import { brief, capitalized, listed, plural } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import type { Report, Section, TableSection } from "./report.ts";
import { addressShown } from "./shown.ts";
import { table } from "./table.ts";
import { traceSections } from "./trace.ts";
import type { ViewContext } from "./view.ts";

/** The calls inside a call, and where they come from. */
export type TracedCallFacts = { readonly host: string } & (
  | { readonly kind: "served"; readonly calls: readonly JsonObject[]; readonly block: bigint }
  | {
      readonly kind: "computed";
      readonly calls: readonly JsonObject[];
      readonly block: bigint;
      readonly fork: string;
      /** What the endpoint says of the call, and is equal; empty if it says nothing. */
      readonly equal: readonly string[];
      readonly changes: readonly StorageChange[];
      readonly rounds: number;
      readonly requests: number;
    }
  | { readonly kind: "differs"; readonly what: string; readonly here: string; readonly there: string }
  | { readonly kind: "failed"; readonly why: string }
);

export interface StorageChange {
  readonly address: string;
  readonly slot: string;
  readonly before: string;
  readonly after: string;
}

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
  const note: Section = { kind: "note", text: sourceText(traced) };
  if (!("calls" in traced)) return [note];
  const changes =
    traced.kind === "computed" && traced.changes.length > 0 ? [changesTable(traced.changes, context)] : [];
  return [...traceSections(traced.calls, context), ...changes, note];
}

/** Says where the calls come from, and how sure they are; or why there are none. */
function sourceText(traced: TracedCallFacts): string {
  const { host } = traced;
  switch (traced.kind) {
    case "served":
      return `These calls are the trace of ${host} at block ${grouped(traced.block)}.`;
    case "computed": {
      const { block, equal, rounds, requests } = traced;
      const checked =
        equal.length === 0
          ? `Not checked: ${host} does not say what the call does.`
          : `${capitalized(listed(equal))} equal what ${host} reports.${equal.includes("gas") ? "" : " Gas is not checked."}`;
      const sent = `${plural(requests, "request")} in ${plural(rounds, "round")}`;
      return `The calls were computed on this machine from state that ${host} gave at block ${grouped(block)} (${sent}). ${checked}`;
    }
    case "differs":
      return `No calls are shown: the ${traced.what} that was computed on this machine (${brief(traced.here, 200)}) is not what ${host} reports (${brief(traced.there, 200)}).`;
    case "failed":
      return `The calls inside are not known. ${traced.why}`;
  }
}

function changesTable(changes: readonly StorageChange[], { labels }: ViewContext): TableSection {
  return table(
    changes,
    [
      { name: "Contract", of: ({ address }) => addressShown(address, labels) },
      { name: "Slot", of: ({ slot }) => wordShown(slot) },
      { name: "Before", of: ({ before }) => wordShown(before) },
      { name: "After", of: ({ after }) => wordShown(after) },
    ],
    "Storage changes",
  );
}

/** A word without the zeros before it. */
function wordShown(word: string) {
  return { text: word.replace(/^0x0*(?=.)/, "0x"), raw: word, role: "bytes" as const };
}

/** The same as JSON. */
export function tracedCallJson(traced: TracedCallFacts): JsonObject {
  switch (traced.kind) {
    case "served":
      return { trace: { source: "endpoint", block: toQuantity(traced.block), calls: traced.calls } };
    case "computed": {
      const { block, fork, equal, calls, changes } = traced;
      const storage = changes.map(({ address, slot, before, after }) => ({ address, slot, before, after }));
      return { trace: { source: "computed", block: toQuantity(block), fork, equal, calls, storage } };
    }
    case "differs":
      return { trace: { source: "none", what: traced.what, here: traced.here, there: traced.there } };
    case "failed":
      return { trace: { source: "none", why: traced.why } };
  }
}
