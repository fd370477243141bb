import assert from "node:assert/strict";
import { check } from "../../server/src/analysis/check.ts";
import type { LastResult, Scope, ScopedEndpoint } from "../../server/src/analysis/scope.ts";
import { severity } from "../../server/src/analysis/severity.ts";
import type { Span } from "../../server/src/base/span.ts";
import { replaced } from "../../server/src/base/text.ts";
import { bundledCatalog } from "../../server/src/catalog/catalog.ts";
import { hover } from "../../server/src/features/hover.ts";
import type { Cell } from "../../server/src/notebook/cell.ts";
import { headerValues } from "../../server/src/notebook/header.ts";
import { readCell } from "../../server/src/notebook/readCell.ts";
import { cadenceOf } from "../../server/src/rpc/cadence.ts";

/** Takes the cursor `|` out of a text; there is exactly one. */
export function cursor(marked: string): { readonly text: string; readonly offset: number } {
  const [before = "", after, ...more] = marked.split("|");
  assert.ok(after !== undefined && more.length === 0, "one | is the cursor");
  return { text: before + after, offset: before.length };
}

/** Splits a text that shows a change, such as `a ‹old→new› text`, into the text before and the text after it. */
export function change(marked: string): readonly [before: string, after: string] {
  const side = (kept: "$1" | "$2"): string => marked.replace(/‹(.*?)→(.*?)›/gs, kept);
  return [side("$1"), side("$2").replace("|", "")];
}

/** The surroundings of a cell in a test. */
export interface Around {
  /** Text of the header. */
  readonly header?: string;
  /** Texts of the other cells, before the tested one. */
  readonly cells?: readonly string[];
  readonly catalog?: Scope["catalog"];
  readonly abis?: Scope["abis"];
  readonly endpoints?: Scope["endpoints"];
  readonly hostNames?: Scope["hostNames"];
  /** Members that are absent are those of `local`. */
  readonly endpoint?: Partial<ScopedEndpoint>;
  /** Members that are absent say that the cell succeeded. */
  readonly lastResult?: (cell: Cell) => Partial<LastResult> | undefined;
}

/** The text after edits, which may be in any order but do not overlap. */
export function edited(text: string, edits: readonly { readonly span: Span; readonly insert: string }[]): string {
  const sorted = edits.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  for (const [at, { span }] of sorted.entries()) assert.ok(span.start >= (sorted[at - 1]?.span.end ?? 0), "no overlap");
  return replaced(text, sorted);
}

/** The text of the hover at the cursor `|`; nothing where there is none. */
export function hoverText(marked: string, around: Around = {}, kind?: "header"): string {
  const { text, offset } = cursor(marked);
  const cell = readCell(text, kind);
  return hover(cell, offset, scopeOf(cell, around))?.markdown ?? "";
}

export const local = { name: "local", host: "127.0.0.1:8545", origin: "built in" } as const;

const ordinary = cadenceOf({ preconfirmed: undefined, chainId: undefined }, {}, 0);
export const preconfirmed = cadenceOf({ preconfirmed: true, chainId: undefined }, {}, 0);

const scopedLocal: ScopedEndpoint = {
  ...local,
  why: "the picker",
  logRange: undefined,
  refuses: [],
  cadence: ordinary,
  chainId: undefined,
  head: undefined,
  explorer: undefined,
  contracts: undefined,
};

export function scopeOf(cell: Cell, around: Around = {}): Scope {
  const header =
    cell.kind === "header" ? cell : around.header === undefined ? undefined : readCell(around.header, "header");
  const others = (around.cells ?? []).map((text) => readCell(text));
  return {
    header,
    cells: cell.kind === "header" ? others : [...others, cell],
    catalog: around.catalog ?? bundledCatalog,
    openrpcProblems: [],
    descriptorProblems: [],
    abis: around.abis ?? { files: new Map(), contracts: [] },
    variables: headerValues(header).variables,
    labels: new Map(),
    endpoints: around.endpoints ?? [local],
    hostNames: around.hostNames,
    endpoint: around.endpoint && { ...scopedLocal, ...around.endpoint },
    lastResult(cell) {
      const last = around.lastResult?.(cell);
      return last && { ok: true, summary: "", values: () => new Map(), ...last };
    },
  };
}

/**
 * Checks the problems of a cell, which are marked in its text: `‹code fact→text›`. A fact is the severity, or a value of
 * the problem, such as the nearest name. Several problems of one place are separated by commas.
 */
export function expectProblems(marked: string, around: Around = {}, kind?: "header"): void {
  const { text, expected } = unmarked(marked);
  const cell = readCell(text, kind);
  const problems = check(cell, scopeOf(cell, around)).toSorted(
    (a, b) => a.span.start - b.span.start || a.span.end - b.span.end,
  );
  const found = problems.map((problem, index) => {
    const known = [problem.code, severity(problem), ...Object.values(problem).flat().map(String)];
    const { start, end } = problem.span;
    const wanted = expected[index]?.facts ?? [];
    return { start, at: text.slice(start, end), facts: wanted.every((one) => known.includes(one)) ? wanted : known };
  });
  assert.deepEqual(found, expected);
}

/** The severity and the code of each problem of a cell. */
export function kindsIn(text: string, around?: Around): readonly string[] {
  const cell = readCell(text);
  return check(cell, scopeOf(cell, around)).map((problem) => `${severity(problem)} ${problem.code}`);
}

export function codesIn(text: string, around?: Around): readonly string[] {
  return kindsIn(text, around).map((kind) => kind.replace(/^\w+ /, ""));
}

interface Expected {
  readonly start: number;
  readonly at: string;
  readonly facts: readonly string[];
}

function unmarked(marked: string): { readonly text: string; readonly expected: readonly Expected[] } {
  const expected: (Expected & { readonly end: number })[] = [];
  const open: { readonly start: number; readonly labels: string }[] = [];
  let text = "";
  for (const [part, labels] of marked.matchAll(/‹([^→]*)→|›|[^‹›]+/g)) {
    if (labels !== undefined) open.push({ start: text.length, labels });
    else if (part !== "›") text += part;
    else {
      const { start, labels } = open.pop() ?? assert.fail("each › has its ‹");
      const end = text.length;
      const at = text.slice(start);
      expected.push(...labels.split(", ").map((facts) => ({ start, end, at, facts: facts.split(" ") })));
    }
  }
  expected.sort((a, b) => a.start - b.start || a.end - b.end);
  return { text, expected: expected.map(({ end: _, ...one }) => one) };
}
