import { cellKeys, requestHash } from "../../server/src/notebook/key.ts";
import { readCell } from "../../server/src/notebook/readCell.ts";
import type { CellOutput } from "../../server/src/report/report.ts";

/** Identifies a cell after edits, and in later sessions. */
export interface CellIdentity {
  /** The name, or the hash of the request; with an ordinal if there are several. */
  readonly key: string;
  readonly request: string;
  readonly methods: string;
}

export interface ShownResult {
  /** The hash of the request that it answers. */
  readonly request: string;
  /** Identifies everything that it came from, for the server. */
  readonly origin: string;
  readonly output: CellOutput;
}

export interface KeptResult extends ShownResult {
  readonly cell: CellIdentity;
}

/** @param texts - The text of each cell with a request, in order. */
export function identify(texts: readonly string[]): readonly CellIdentity[] {
  const cells = texts.map((text) => readCell(text));
  const keys = cellKeys(cells);
  return cells.map((cell, at) => ({
    key: keys[at] ?? "",
    request: requestHash(cell),
    methods: cell.requests.map(({ method }) => method).join(),
  }));
}

/**
 * Finds the results of cells whose file was edited or opened again: first by key, then in order among the rest with the
 * same methods.
 *
 * @returns The result of each cell, `undefined` if it has none.
 */
export function matchResults<Result extends { readonly cell: CellIdentity }>(
  cells: readonly CellIdentity[],
  results: readonly Result[],
): readonly (Result | undefined)[] {
  const rest = new Set(results);
  const take = (is: (one: Result) => boolean): Result | undefined => {
    for (const one of rest) {
      if (!is(one)) continue;
      rest.delete(one);
      return one;
    }
    return undefined;
  };
  const byKey = cells.map(({ key }) => take(({ cell }) => cell.key === key));
  return cells.map(
    ({ methods }, at) => byKey[at] ?? (methods === "" ? undefined : take(({ cell }) => cell.methods === methods)),
  );
}

/** Returns whether to keep results: a workspace can forbid it, and cannot allow what the person forbids. */
export function keepsResults(
  setting: { readonly globalValue?: unknown; readonly workspaceValue?: unknown } = {},
): boolean {
  return setting.globalValue !== false && setting.workspaceValue !== false;
}

/** Bytes of the results of one notebook. */
const maxFileBytes = 2_000_000;

/** Returns the text of a file of results. Leaves out the largest results if all are too large. */
export function printResults(document: string, results: readonly KeptResult[]): string {
  const encoder = new TextEncoder();
  const sized = results.map((result) => ({ result, bytes: encoder.encode(JSON.stringify(result)).length }));
  let total = 0;
  const kept = new Set<KeptResult>();
  for (const { result, bytes } of sized.toSorted((a, b) => a.bytes - b.bytes)) {
    total += bytes;
    if (total <= maxFileBytes) kept.add(result);
  }
  return JSON.stringify({ version: 1, document, results: results.filter((result) => kept.has(result)) });
}

/** Reads a file of results. Ignores a file that is cut off or belongs to another document. */
export function parseResults(document: string, text: string): readonly KeptResult[] {
  try {
    const file: unknown = JSON.parse(text);
    if (!isRecord(file) || file.version !== 1 || file.document !== document || !Array.isArray(file.results)) return [];
    return file.results.filter(isKeptResult);
  } catch {
    return [];
  }
}

function isKeptResult(value: unknown): value is KeptResult {
  if (!isRecord(value) || !hasStrings(value, "request", "origin")) return false;
  const { cell, output } = value;
  return (
    isRecord(cell) &&
    hasStrings(cell, "key", "request", "methods") &&
    isRecord(output) &&
    hasStrings(output, "text", "json") &&
    typeof output.ok === "boolean" &&
    Array.isArray(output.reports) &&
    typeof output.startedAt === "number" &&
    typeof output.durationMs === "number"
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function hasStrings(value: Readonly<Record<string, unknown>>, ...keys: readonly string[]): boolean {
  return keys.every((key) => typeof value[key] === "string");
}
