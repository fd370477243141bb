import { toQuantity } from "../base/hex.ts";
import type { JsonObject } from "../base/json.ts";
import { brief, capitalized, listed, plural } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import { namedByCode } from "./calledLayouts.ts";
import { callFrames, revertPath } from "./callFrames.ts";
import { tracedReason } from "./failurePaths.ts";
import { guessNote } from "./guessNote.ts";
import type { Report, Section } from "./report.ts";
import { traceSections } from "./trace.ts";
import type { ComputedCalls, TracedCallFacts } from "./tracedCall.ts";
import { readByOrigin, storageSections } from "./tracedStorage.ts";
import type { ViewContext } from "./view.ts";

/**
 * Adds the calls inside a call to its report, in the form of a trace that an endpoint serves. They take the place of a tree
 * and of a table that have only a part of them. Logs that the report has already are not listed again.
 */
export function withTracedCall(report: Report, traced: TracedCallFacts, context: ViewContext): Report {
  const hasLogs = report.sections.some((one) => isTable(one, "Logs"));
  const own = report.sections.filter((one) => !("calls" in traced) || !isPart(one));
  const added = sectionsOf(traced, context).filter((one) => !hasLogs || !isTable(one, "Logs"));
  const named =
    "calls" in traced ? withReason({ ...report, sections: own }, traced.calls, namedByCode(traced, context)) : report;
  return { ...named, sections: [...named.sections, ...added, ...guessNote(added)] };
}

/** A revert without a reason gets that of the call in which it began. */
function withReason(report: Report, calls: readonly JsonObject[], context: ViewContext): Report {
  const isSilent = (one: Section): boolean => one.kind === "failure" && one.isSilent === true;
  const reason = report.sections.some(isSilent)
    ? tracedReason(revertPath(callFrames(calls).roots[0]), context)
    : undefined;
  if (reason === undefined) return report;
  const sections = report.sections.map((one) =>
    isSilent(one) ? { ...one, todo: "The calls below show where it failed." } : one,
  );
  return { ...report, summary: `reverted: ${reason}`, headline: [{ text: `Reverted: ${reason}` }], sections };
}

function isPart(section: Section): boolean {
  return (section.kind === "tree" && section.partial !== undefined) || isTable(section, "Calls");
}

function isTable(section: Section, title: string): boolean {
  return section.kind === "table" && section.title === title;
}

function sectionsOf(traced: TracedCallFacts, context: ViewContext): readonly Section[] {
  return [
    ...("calls" in traced ? traceSections(traced.calls, namedByCode(traced, context)) : []),
    ...sourceSections(traced, context),
  ];
}

/** What a trace shows beside its calls: the storage that changes, and where it comes from. */
export function sourceSections(traced: TracedCallFacts, context: ViewContext): readonly Section[] {
  const isComputed = traced.kind === "computed" || traced.kind === "replayed";
  return [
    ...(isComputed ? storageSections(traced, context) : []),
    { kind: "note", text: `${unusableText(traced)}${sourceText(traced)}${gasText(traced)}`, ofCalls: true },
  ];
}

function unusableText({ host, unusable }: TracedCallFacts): string {
  return unusable === undefined ? "" : `The trace that ${host} serves is not used: ${unusable}. `;
}

/** A call does something else with other gas, and the endpoint gives a call what it likes. */
function gasText({ addedGas }: TracedCallFacts): string {
  return addedGas === undefined ? "" : ` A call without \`gas\` had ${grouped(addedGas)}.`;
}

/** Says where the calls come from, and how sure they are; or why there are none. */
function sourceText(traced: TracedCallFacts): string {
  const { host } = traced;
  switch (traced.kind) {
    case "served": {
      const place = traced.block === undefined ? "`pending`" : `block ${grouped(traced.block)}`;
      const note = traced.lacksReceipt ? "There was no receipt to compare it with." : traced.contradiction;
      return `These calls are the trace of ${host} at ${place}.${note === undefined ? "" : ` ${note}`}`;
    }
    case "computed": {
      const { block, isPending, equal, rounds, requests } = traced;
      const place = `${isPending ? "`pending`, which may have changed meanwhile, in " : ""}block ${grouped(block)}`;
      const checked =
        equal.length === 0
          ? `Not checked: ${host} does not say what the call does.`
          : `${capitalized(listed(equal))} equal what ${host} reports.${uncheckedText(equal)}`;
      const sent = `${plural(requests, "request")} in ${plural(rounds, "round")}`;
      return `The calls were computed on this machine from state that ${host} gave at ${place} (${sent}). ${checked}`;
    }
    case "replayed": {
      const { block, transactions, values, isReadTwice, rounds, requests } = traced;
      const sent = `${plural(requests, "request")} in ${plural(rounds, "round")}`;
      const replayed = `All of block ${grouped(block)} was replayed on this machine over the state that ${host} gave at the block before (${sent}).`;
      const receipts = transactions === 1 ? "Its receipt" : `All ${grouped(BigInt(transactions))} receipts`;
      const second = isReadTwice ? "" : " What the block replaced was not read a second time.";
      return `${replayed} ${receipts} and the ${plural(values, "value")} that it read or wrote equal what ${host} reports.${second}`;
    }
    case "differs":
      return `No calls are shown: the ${traced.what} that was computed on this machine (${brief(traced.here, 200)}) is not what ${host} reports (${brief(traced.there, 200)}).`;
    case "failed":
      return `The calls inside are not known. ${traced.why}`;
  }
}

function uncheckedText(equal: readonly string[]): string {
  const others = ["gas", "logs"].filter((one) => !equal.includes(one));
  if (others.length === 0) return "";
  return ` ${capitalized(listed(others))} ${others.length > 1 || others[0] === "logs" ? "are" : "is"} not checked.`;
}

/** The same as JSON. */
export function tracedCallJson(traced: TracedCallFacts): JsonObject {
  const { unusable } = traced;
  return { trace: { ...sourceJson(traced), ...(unusable !== undefined && { unusable }) } };
}

function sourceJson(traced: TracedCallFacts): JsonObject {
  switch (traced.kind) {
    case "served":
      return {
        ...{ source: "endpoint", block: blockJson(traced.block), calls: traced.calls },
        ...(traced.contradiction && { contradiction: traced.contradiction }),
      };
    case "replayed": {
      const { block, transactions, values, isReadTwice } = traced;
      const equal = { receipts: transactions, values, replaced: isReadTwice };
      return { source: "replayed", block: blockJson(block), equal, ...computedJson(traced) };
    }
    case "computed": {
      const { block, isPending, equal } = traced;
      const at = blockJson(isPending ? undefined : block);
      return { source: "computed", block: at, equal, ...computedJson(traced) };
    }
    case "differs":
      return { source: "none", what: traced.what, here: traced.here, there: traced.there };
    case "failed":
      return { source: "none", why: traced.why };
  }
}

function computedJson(traced: ComputedCalls): JsonObject {
  const { fork, calls, changes } = traced;
  const storage = changes.map(({ address, slot, before, after }) => ({ address, slot, before, after }));
  const read = readByOrigin(traced).map(({ address, slot, word }) => ({ address, slot, value: word }));
  return { fork, calls, storage, ...(read.length > 0 && { read }) };
}

function blockJson(block: bigint | undefined): string {
  return block === undefined ? "pending" : toQuantity(block);
}
