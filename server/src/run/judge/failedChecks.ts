import { type JsonObject, printJson } from "../../base/json.ts";
import type { Span } from "../../base/span.ts";
import { brief, type FileRange, oneLine, visible } from "../../base/text.ts";
import { type Difference, differenceText } from "../../evaluate/diff.ts";
import type { Cell } from "../../notebook/cell.ts";
import { type JsonNode, member, spanOf } from "../../notebook/json.ts";
import type { Action, FailedCheck, FailureSection, Field, Report, Section } from "../../report/report.ts";
import type { CellRun, Verdict } from "../cellRun.ts";
import { type AssertionFailure, failureDifferences } from "./checkExpectation.ts";
import type { SnapshotVerdict } from "./snapshot.ts";

/** Differences that are shown of one value. */
const maxShown = 12;

/** Adds failed expectations to a report, with the actual values and the differences. */
export function assertionNotes(report: Report, misses: readonly AssertionFailure[], of = ""): Report {
  const sections = misses.map(
    (miss): FailureSection => ({
      kind: "failure",
      what: failureText(miss, of),
      todo: oneLine(miss.found),
      fields: fieldsOf(failureDifferences(miss)),
    }),
  );
  return failed(report, sections);
}

/** @example failureText({ path: "result", expected: "to be 2", … }) //=> "Expected result to be 2." */
export function failureText(miss: AssertionFailure, of = ""): string {
  const { path, expected, row } = miss;
  return `${row ? `${rowText(row)}: expected` : "Expected"} ${oneLine(path)}${of} ${expected}.`;
}

/** @example rowText({ holder: "alice", block: 17 }) //=> "holder alice, block 17" */
function rowText(row: JsonObject): string {
  return oneLine(
    Object.entries(row)
      .map(([name, value]) => `${name} ${typeof value === "string" ? value : printJson(value)}`)
      .join(", "),
  );
}

/** Returns a failure with both values, for a comparison side by side. */
export function failedExpectation(miss: AssertionFailure, place: FileRange | undefined): FailedCheck {
  const { operator, wanted, actual, found } = miss;
  const shows = operator === "==" && actual !== undefined;
  return {
    message: [`${failureText(miss)} ${oneLine(found)}`, ...linesOf(failureDifferences(miss))].join("\n"),
    ...(shows && { expected: visible(printJson(wanted, 2)), actual: visible(printJson(actual, 2)) }),
    ...(place && { place }),
  };
}

export function snapshotCheck(verdict: SnapshotVerdict, place: FileRange | undefined): FailedCheck {
  const { what, todo } = verdict.kind === "same" ? { what: "", todo: "" } : snapshotText(verdict);
  const found = verdict.kind === "differs" ? verdict.found : [];
  return { message: [`${what} ${todo}`, ...linesOf(found)].join("\n"), ...(place && { place }) };
}

/** Returns one line for each difference. */
function linesOf(found: Iterable<Difference>): readonly string[] {
  return fieldsOf(found).map(({ name, value }) => `${name}: ${value.text}`);
}

/** Adds the comparison with a snapshot to a report. */
export function compared(report: Report, verdict: SnapshotVerdict): Report {
  if (verdict.kind === "same") return noted(report, "Same as its snapshot.");
  const { what, todo } = snapshotText(verdict);
  const actions: readonly Action[] = [{ kind: "update-snapshot", label: "Update Snapshot" }];
  if (!verdict.fails) return noted(report, `${what} ${todo}`, actions);
  const fields = verdict.kind === "differs" ? fieldsOf(verdict.found) : [];
  return failed(report, [{ kind: "failure", what, todo, fields, actions }]);
}

/** Explains the comparison with a snapshot, and what to do. */
export function snapshotText(verdict: Exclude<SnapshotVerdict, { readonly kind: "same" }>): {
  readonly what: string;
  readonly todo: string;
} {
  switch (verdict.kind) {
    case "differs":
      return {
        what: `It differs from its snapshot of ${day(verdict.at)}.`,
        todo: `If the new answer is right, update the snapshot: ${howTo}.`,
      };
    case "stale":
      return {
        what: `Its request differs from the one in its snapshot of ${day(verdict.at)}.`,
        todo: `Update the snapshot: ${howTo}.`,
      };
    case "missing":
      return { what: "It has no snapshot yet.", todo: `Create one: ${howTo}.` };
  }
}

const howTo = "“Update Snapshots” in the editor, or a run with `--snapshot update`";

function day(at: string): string {
  return brief(at.replace("T", " ").replace(/(?:\.\d+)?Z$/, " UTC"), 40);
}

function noted(report: Report, text: string, actions: readonly Action[] = []): Report {
  const note: Section = { kind: "note", text, ...(actions.length > 0 && { actions }) };
  return { ...report, sections: [...report.sections, note] };
}

/** An expectation fails on a missing answer for that reason only. */
function failed(report: Report, sections: readonly Section[]): Report {
  const all = report.status === "failed" ? [...report.sections, ...sections] : [...sections, ...report.sections];
  return { ...report, status: "failed", sections: all };
}

/** Returns one line for each difference: `logs[3].data  "0x10" (16) → "0x11" (17)`. */
function fieldsOf(found: Iterable<Difference>): readonly Field[] {
  const fields: Field[] = [];
  for (const one of found) {
    if (fields.length === maxShown) return [...fields, { name: "…", value: { text: "there are more" } }];
    fields.push({ name: brief(one.path, 80), value: { text: differenceText(one) } });
  }
  return fields;
}

/** Returns the `expect` of a batch, then those of its requests; `undefined` for a request without one. */
function expectsOf(cell: Cell): readonly (JsonNode | undefined)[] {
  const ofBatch = cell.kind === "batch" ? member(cell.root, "expect") : undefined;
  return [ofBatch, ...cell.requests.map(({ members }) => members.get("expect")?.value)];
}

/** Returns the `expect` values that a cell has. */
export function expectNodes(cell: Cell): readonly JsonNode[] {
  return expectsOf(cell).filter((node) => node !== undefined);
}

/** Returns, for each failed expectation of a cell, the span of its member: the path and the expected value. */
export function failurePlaces({ step: { cell }, batch, verdicts }: CellRun): readonly Span[] {
  const all: readonly (Verdict | undefined)[] = [batch, ...verdicts];
  const nodes = expectsOf(cell);
  return all.flatMap((verdict, at) => {
    const node = nodes[at] ?? (cell.kind === "request" ? nodes[1] : undefined); // one for all rows
    if (!node) return [];
    return (verdict?.misses ?? []).map(({ path }) => {
      const property = node.children?.findLast(({ children }) => children?.[0]?.value === path);
      return spanOf(property ?? node);
    });
  });
}
