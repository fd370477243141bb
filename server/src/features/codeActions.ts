import { check } from "../analysis/check.ts";
import { labels } from "../analysis/labels.ts";
import type { Problem, ProblemCode } from "../analysis/problem.ts";
import type { Scope } from "../analysis/scope.ts";
import type { Hex } from "../base/hex.ts";
import type { Span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";
import { headerValues } from "../notebook/header.ts";
import { readCell } from "../notebook/readCell.ts";
import { addressAt } from "./addressAt.ts";
import { changed, type Draft, draftOf, editsOf } from "./edits.ts";
import { type Fix, inTitle } from "./fix.ts";
import { fixesOf } from "./fixes.ts";
import type { Replacement } from "./formatting.ts";
import type { CellEdit } from "./location.ts";
import { readingsOfCell } from "./pastedValue.ts";
import { refactorings } from "./refactorings.ts";

/** A change that can be made with a click. */
export interface CodeAction {
  readonly title: string;
  readonly kind: "quickfix" | "refactor" | "source.fixAll";
  /** The diagnostic that it fixes, by code and span. */
  readonly fixes?: { readonly code: ProblemCode; readonly span: Span };
  /** The one answer to a problem; an editor applies it on a key. */
  readonly preferred: boolean;
  readonly edits: readonly CellEdit[];
  /** In place of edits: a person is asked for the value of this secret. */
  readonly setsSecret?: string;
  /** An editor that can ask for a name does so for this address; `edits` give it one to begin with. */
  readonly namesAddress?: Hex;
}

/** Fixes of the problems that touch a range, the best first, then refactorings at its start, then all fixes of the cell at once. */
export function codeActions(cell: Cell, range: Span, scope: Scope): readonly CodeAction[] {
  const problems = check(cell, scope);
  const touched = problems.filter(({ span }) => span.start <= range.end && range.start <= span.end);
  const fixes = withoutFurtherFaults(touched).flatMap((problem) =>
    fixesOf(problem, { cell, scope }).map((fix) => quickFix(fix, problem)),
  );
  return [
    ...fixes.sort((a, b) => Number(b.preferred) - Number(a.preferred)),
    ...refactorings(cell, range.start, scope).map((made) => ({ ...made, kind: "refactor" as const, preferred: false })),
    ...nameAction(cell, range.start, scope),
    ...explainActions(cell, scope),
    ...fixAll(cell, scope, problems),
  ];
}

/** Names the address under the cursor. The editor layer adds the edits, also to a notebook without a header. */
function nameAction(cell: Cell, offset: number, scope: Scope): readonly CodeAction[] {
  const address = addressAt(cell, offset, scope)?.address;
  if (address === undefined) return [];
  const title = labels(scope).has(address.toLowerCase()) ? "Rename this address…" : "Name this address…";
  return [{ title, kind: "refactor", preferred: false, edits: [], namesAddress: address }];
}

/** Readings of a value that are offered. */
const maxReadings = 4;

/** Puts a request about a value in place of the value, if that is all that the cell has. */
function explainActions(cell: Cell, scope: Scope): readonly CodeAction[] {
  const span = { start: 0, end: cell.text.length };
  return readingsOfCell(cell, scope)
    .slice(0, maxReadings)
    .map(({ name, cells: [insert = ""] }) => ({
      title: `Explain as ${inTitle(name)}`,
      kind: "refactor",
      preferred: false,
      edits: [{ cell, span, insert }],
    }));
}

/** One fix repairs the JSON of the whole cell, so only the first of its faults counts. */
function withoutFurtherFaults(problems: readonly Problem[]): readonly Problem[] {
  const first = problems.find(({ code }) => code === "json-syntax");
  return problems.filter((problem) => problem.code !== "json-syntax" || problem === first);
}

function quickFix(fix: Fix, { code, span }: Problem): CodeAction {
  return { ...fix, kind: "quickfix", fixes: { code, span } };
}

/** One fix may uncover the next problem, as a comma does in broken JSON; more rounds than these lead nowhere. */
const maxRounds = 40;

/** Whatever has one answer, over and over until nothing has; only where what comes out is JSON. */
function fixAll(cell: Cell, scope: Scope, problems: readonly Problem[]): readonly CodeAction[] {
  let draft = draftOf(cell);
  let here = cell;
  let found: readonly Problem[] = problems;
  for (let round = 0; round < maxRounds; round++) {
    const edits = sureEdits(here, scopeWith(scope, cell, here), found);
    if (edits.length === 0) return round === 0 || here.faults.length > 0 ? [] : [wholeAction(cell, draft)];
    draft = changed(draft, edits);
    here = readCell(draft.text, cell.kind === "header" ? "header" : undefined);
    found = check(here, scopeWith(scope, cell, here));
  }
  return [];
}

function wholeAction(cell: Cell, draft: Draft): CodeAction {
  const edits = editsOf(draft, cell.text.length).map((edit) => ({ cell, ...edit }));
  return {
    title: "Fix all problems in this cell that have only one fix",
    kind: "source.fixAll",
    preferred: false,
    edits,
  };
}

/** The sure fix of each problem, in the order of the text, without those that touch one before. */
function sureEdits(cell: Cell, scope: Scope, problems: readonly Problem[]): readonly Replacement[] {
  const taken: Replacement[] = [];
  for (const problem of withoutFurtherFaults(problems)) {
    const sure = sureFix(cell, scope, problem);
    if (!sure || sure.some((edit) => taken.some((one) => meet(one.span, edit.span)))) continue;
    taken.push(...sure.map(({ span, insert }) => ({ span, insert })));
  }
  return taken;
}

function sureFix(cell: Cell, scope: Scope, problem: Problem): readonly CellEdit[] | undefined {
  const sure = fixesOf(problem, { cell, scope }).find(({ preferred }) => preferred);
  return sure?.edits.every((edit) => edit.cell === cell) ? sure.edits : undefined;
}

function meet(a: Span, b: Span): boolean {
  return a.start <= b.end && b.start <= a.end;
}

/** The notebook with the changed cell in place of the old one. */
function scopeWith(scope: Scope, old: Cell, cell: Cell): Scope {
  if (cell === old) return scope;
  if (old === scope.header) return { ...scope, header: cell, variables: headerValues(cell).variables };
  return { ...scope, cells: scope.cells.map((one) => (one === old ? cell : one)) };
}
