import type { JsonValue } from "../base/json.ts";
import { lineColumn, oneLine, type Paint, plural } from "../base/text.ts";
import { formatDuration } from "../base/units.ts";
import { type Difference, differenceText } from "../evaluate/diff.ts";
import type { SnapshotResult } from "../protocol/runs.ts";
import type { Report } from "../report/report.ts";
import { reportText } from "../report/text.ts";
import { type AssertionFailure, failureDifferences } from "../run/judge/checkExpectation.ts";
import type { CellResult } from "../run/result/cellResult.ts";
import type { NotebookFile } from "./files.ts";
import type { Terminal } from "./terminal.ts";

export interface FileResult {
  readonly file: NotebookFile;
  /** The cells that ran, in the order of the file. */
  readonly cells: readonly CellResult[];
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly snapshot: SnapshotResult | undefined;
  /** Say in a sentence each why not all contracts were looked up, and which ones nobody verified. */
  readonly lookupNotes: readonly string[];
  /** Why cells do not show the calls inside, as sentences, in a command that is there to show them. */
  readonly untraced: ReadonlyMap<CellResult, string>;
}

export function isFine({ cells, snapshot, untraced }: FileResult): boolean {
  return snapshot?.fault === undefined && untraced.size === 0 && cells.every(({ ok }) => ok);
}

/** Rows of a table on a terminal by default. */
const rowsOnScreen = 20;

export interface CellTextOptions {
  /** Whether its rows have already been printed. */
  readonly isStreamed?: boolean;
  /** Rows of a table. The default is 20 on a terminal, and elsewhere all rows of the report. */
  readonly rows?: number | undefined;
  /** The command has `--json` in place of `--report json`, and no `--rows`. */
  readonly hasJson?: boolean | undefined;
  /** What is not found is a failure. */
  readonly isLookup?: boolean | undefined;
  /** It does not show the calls that it is there to show. */
  readonly isUntraced?: boolean;
}

/** Prints a cell with its reports, and if it failed with its place in the file. */
export function cellText(
  cell: CellResult,
  file: NotebookFile,
  terminal: Terminal,
  { isStreamed = false, isLookup = false, isUntraced = false, ...options }: CellTextOptions = {},
): string {
  const { paint } = terminal;
  const mark = cell.ok && !isUntraced && !(isLookup && cell.isUnknown) ? paint("green", "✓") : paint("red", "✗");
  const { reports } = cell.output;
  const alone = reports.length === 1;
  const body = reports.map((report) =>
    reportText(isStreamed && report.status === "ok" ? { ...report, sections: [] } : report, {
      ...textOptions(terminal, options),
      mark: !alone,
    }),
  );
  const items = body.map((text) => text.replace(/^(?=.)/gm, "  "));
  const text = alone ? (body[0] ?? "") : [oneLine(cell.title, 200), ...items].join("\n");
  const place = cell.ok || file.inMemory ? "" : `\n  ${paint("dim", `at ${placeOf(cell, file)}`)}`;
  return `${mark} ${text}${place}\n`;
}

export function reportsText(reports: readonly Report[], terminal: Terminal, options: CellTextOptions): string {
  const texts = reports.map((report) => reportText(report, { ...textOptions(terminal, options), mark: false }));
  return `${texts.join("\n")}\n`;
}

function textOptions({ paint, width }: Terminal, { rows, hasJson = false }: CellTextOptions) {
  const more = rows === undefined && width !== undefined ? "--rows 100 prints more, " : "";
  return {
    paint,
    rest: hasJson ? "--json has all" : `${more}--report json has all`,
    rows: rows ?? (width === undefined ? undefined : rowsOnScreen),
    short: true,
    ...(width !== undefined && { width: width - 2 }),
  };
}

/** Returns `file:line:column` of the first failed expectation, else of the cell. */
export function placeOf(cell: CellResult, file: NotebookFile): string {
  const at = (cell.unreached ? undefined : cell.missSpans[0]) ?? cell.span;
  const { line, column } = lineColumn(file.text, at.start);
  return `${file.name}:${line}:${column}`;
}

/** Lists the failed cells and counts all. */
export function summary(results: readonly FileResult[], cancelled: boolean, paint: Paint): string {
  const cells = results.flatMap((one) => one.cells);
  const where = results.length > 1 ? ` in ${plural(results.length, "notebook")}` : "";
  if (cells.length === 0) return `Nothing to run: no cell with a request${where}.`;
  const untraced = new Map(results.flatMap((one) => [...one.untraced]));
  const good = cells.filter((cell) => cell.ok && !untraced.has(cell)).length;
  const stopped = cells.filter((cell) => cell.cancelled).length;
  const bad = cells.length - good - stopped;
  const time = formatDuration(wallTime(results));
  const parts = [
    `${good < cells.length ? `${good} of ${plural(cells.length, "cell")}` : plural(good, "cell")} ok`,
    ...(bad > 0 ? [paint("red", `${bad} failed`)] : []),
    ...(stopped > 0 ? [`${stopped} without an answer`] : []),
  ];
  const line = `${cancelled ? "Cancelled: " : ""}${parts.join(", ")}${where}, ${time}`;
  const failed = cells.length > 1 ? failedLines(results, paint) : [];
  return [...failed, ...optionLines(cells), ...snapshotLines(results), line].join("\n");
}

/** Returns the time from the first start to the last end, since notebooks run at once. */
function wallTime(results: readonly FileResult[]): number {
  const begun = Math.min(...results.map(({ startedAt }) => startedAt));
  return Math.max(...results.map(({ startedAt, durationMs }) => startedAt + durationMs)) - begun;
}

function failedLines(results: readonly FileResult[], paint: Paint): readonly string[] {
  const lines = results.flatMap(({ file, cells, untraced }) =>
    cells
      .filter((cell) => (!cell.ok && !cell.cancelled) || untraced.has(cell))
      .map((cell) => `  ${placeOf(cell, file)}  ${oneLine(cell.title, 200)}: ${untraced.get(cell) ?? reasonOf(cell)}`),
  );
  return lines.length === 0 ? [] : [paint("red", "Failed:"), ...lines];
}

/** Lists the options that allow all cells, if there are several: a single one is shown with its cell. */
function optionLines(cells: readonly CellResult[]): readonly string[] {
  const options = new Set(cells.flatMap(({ notSent }) => notSent?.option ?? []));
  return options.size > 1 ? [`To allow all cells, add: ${[...options].join(" ")}`] : [];
}

function reasonOf(cell: CellResult): string {
  const [miss, ...others] = cell.misses;
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  if (miss && !cell.unreached) return `expected ${oneLine(`${miss.path} ${miss.expected}. ${miss.found}`)}${more}`;
  if (cell.notSent) return oneLine(cell.notSent.what);
  const failures = cell.output.reports.filter(({ status }) => status === "failed");
  const section = failures[0]?.sections.find(({ kind }) => kind === "failure");
  return section?.kind === "failure" && cell.snapshot?.fails ? section.what : (failures[0]?.summary ?? "it failed");
}

function snapshotLines(results: readonly FileResult[]): readonly string[] {
  return results.flatMap(({ snapshot }) => snapshot?.notes ?? []);
}

export function fileJson(result: FileResult): JsonValue {
  const { file, cells, durationMs, snapshot, untraced } = result;
  return {
    file: file.name,
    ok: isFine(result),
    durationMs,
    ...(snapshot && { snapshot: { notes: snapshot.notes, ...(snapshot.fault && { fault: snapshot.fault }) } }),
    cells: cells.map((cell) => ({
      key: cell.key,
      title: cell.title,
      ok: cell.ok && !untraced.has(cell),
      durationMs: cell.durationMs,
      ...(cell.notSent && { notSent: { what: cell.notSent.what, todo: cell.notSent.todo } }),
      answers: cell.answers(),
      misses: cell.misses.map(missJson),
      ...(cell.snapshot && { snapshot: snapshotJson(cell.snapshot) }),
    })),
  };
}

export function firstDifferences(miss: AssertionFailure): readonly Difference[] {
  const first: Difference[] = [];
  for (const one of failureDifferences(miss)) {
    if (first.length === maxDifferences) break;
    first.push(one);
  }
  return first;
}

const maxDifferences = 50;

/** Leaves out `actual` if there is no value. */
function missJson(miss: AssertionFailure): JsonValue {
  const { path, expected, found, operator, wanted, actual } = miss;
  const differences = firstDifferences(miss).map(differenceJson);
  return {
    path,
    expected,
    found,
    ...(operator && { operator, wanted }),
    ...(actual !== undefined && { actual }),
    ...(differences.length > 0 && { differences }),
  };
}

function differenceJson(one: Difference): JsonValue {
  return { path: one.path, difference: differenceText(one) };
}

function snapshotJson(verdict: NonNullable<CellResult["snapshot"]>): JsonValue {
  if (verdict.kind !== "differs") return { state: verdict.kind };
  return {
    state: verdict.kind,
    differences: verdict.found.map(differenceJson),
  };
}

/** Prints reports with an empty line between them. */
export function printReports(
  reports: readonly Report[],
  { print, paint, width }: Terminal,
  layout: Parameters<typeof reportText>[1] = {},
): void {
  const fitted = { ...layout, paint, ...(width !== undefined && { width }) };
  print(reports.map((report) => reportText(report, fitted)).join("\n\n"));
}
