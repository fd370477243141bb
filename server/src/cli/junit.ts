import type { SealedKind } from "../base/hash.ts";
import { printJson } from "../base/json.ts";
import { lineColumn, unicodeEscape, visible } from "../base/text.ts";
import { differenceText } from "../evaluate/diff.ts";
import type { Verdict } from "../protocol/runs.ts";
import { failureText, snapshotText } from "../run/judge/failedChecks.ts";
import type { CellResult } from "../run/result/cellResult.ts";
import { type FileResult, firstDifferences, placeOf } from "./results.ts";

/**
 * Writes the report that CI systems read: a suite for each notebook, a case for each cell. A wrong expectation is a
 * failure. A request without an answer, or that was not sent, is an error. A cell that a cancelled run left out is skipped.
 *
 * @see https://github.com/testmoapp/junitxml
 */
export function junit(results: readonly FileResult[]): string {
  const seconds = results.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000;
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<testsuites${attributes({ name: "rpc-notebook", ...counts(results), time: seconds.toFixed(3) })}>`,
    ...results.flatMap(suite),
    "</testsuites>",
  ].join("\n");
}

/** Sealed where it is written: until then, values are masked in it. */
export const junitKind: SealedKind = {
  begins: /^<\?xml [^>]*>\n<testsuites name="rpc-notebook"[^>]*>\n/,
  seal: (hash) => `  <!-- content ${hash} -->\n`,
};

function suite(result: FileResult): readonly string[] {
  const { file, cells, startedAt, durationMs, snapshot } = result;
  const timestamp = new Date(startedAt).toISOString().replace(/\.\d+Z$/, "");
  const lines = [
    `  <testsuite${attributes({ name: file.name, file: file.name, ...counts([result]), timestamp, time: (durationMs / 1000).toFixed(3) })}>`,
    ...cells.flatMap((cell) => testCase(cell, result)),
  ];
  const { fault, notes = [] } = snapshot ?? {};
  if (fault !== undefined) {
    const error = `<error${attributes({ message: fault, type: "snapshot" })}/>`;
    lines.push(`    <testcase${attributes({ classname: file.name, name: "snapshot" })}>${error}</testcase>`);
  }
  if (notes.length > 0) lines.push(`    <system-out>${escaped(notes.join("\n"))}</system-out>`);
  return [...lines, "  </testsuite>"];
}

function testCase(cell: CellResult, { file }: FileResult): readonly string[] {
  const { line } = lineColumn(file.text, cell.span.start);
  const head = {
    classname: file.name,
    name: cell.title,
    file: file.name,
    line,
    time: (cell.durationMs / 1000).toFixed(3),
  };
  return [
    `    <testcase${attributes(head)}>`,
    ...outcome(cell, placeOf(cell, file)),
    `      <system-out>${escaped(cell.output.text)}</system-out>`,
    "    </testcase>",
  ];
}

function outcome(cell: CellResult, place: string): readonly string[] {
  switch (cell.verdict) {
    case "passed":
      return [];
    case "skipped":
      return [`      <skipped${attributes({ message: "The run was cancelled." })}/>`];
    case "errored": {
      const message =
        cell.notSent?.what ?? cell.output.reports.find(({ status }) => status === "failed")?.summary ?? "";
      const type = cell.notSent ? "not sent" : cell.uncertain ? "may have been executed" : "request";
      return [`      <error${attributes({ message, type })}>${escaped(`${message}\nat ${place}`)}</error>`];
    }
    case "failed": {
      const type = cell.misses.length > 0 ? "expectation" : "snapshot";
      const [first = "", ...more] = failureLines(cell);
      return [
        `      <failure${attributes({ message: first, type })}>${escaped([first, ...more, `at ${place}`].join("\n"))}</failure>`,
      ];
    }
  }
}

/** Lists the expected values, the actual ones and their differences. */
function failureLines(cell: CellResult): readonly string[] {
  const misses = cell.misses.flatMap((miss) => [
    `${failureText(miss)} ${miss.found}`,
    `  expected: ${printJson(miss.operator === "==" || !miss.operator ? miss.wanted : { [miss.operator]: miss.wanted })}`,
    `  actual:   ${miss.actual === undefined ? "nothing" : printJson(miss.actual)}`,
    ...firstDifferences(miss).map((one) => `  ${one.path}: ${differenceText(one)}`),
  ]);
  const { snapshot } = cell;
  if (misses.length > 0 || !snapshot || snapshot.kind === "same") return misses;
  const { what, todo } = snapshotText(snapshot);
  const found = snapshot.kind === "differs" ? snapshot.found : [];
  return [`${what} ${todo}`, ...found.map((one) => `  ${one.path}: ${differenceText(one)}`)];
}

/** Counts cases. A snapshot that could not be read or written is an error with its own case. */
function counts(results: readonly FileResult[]): Readonly<Record<string, number>> {
  const cells = results.flatMap((one) => one.cells);
  const faults = results.filter(({ snapshot }) => snapshot?.fault !== undefined).length;
  const of = (verdict: Verdict): number => cells.filter((cell) => cell.verdict === verdict).length;
  const errors = of("errored") + faults;
  return { tests: cells.length + faults, failures: of("failed"), errors, skipped: of("skipped") };
}

function attributes(all: Readonly<Record<string, string | number>>): string {
  return Object.entries(all)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replace(/[\n\t]/g, " ")}"`)
    .join("");
}

/** Characters that XML 1.0 does not allow, not even escaped, beside control characters. */
const unrepresentable = /[\ufffe\uffff]|\p{Surrogate}/gu;
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return visible(text)
    .replace(unrepresentable, unicodeEscape)
    .replace(/[&<>"]/g, (mark) => entities[mark] ?? mark);
}
