import type { ProblemCode } from "../analysis/problem.ts";
import type { Scope } from "../analysis/scope.ts";
import type { Span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";
import type { CellEdit } from "./location.ts";

/** A change that can be made with a click. */
export interface CodeAction {
  readonly title: string;
  readonly kind: "quickfix" | "refactor" | "source.fixAll";
  /** What it mends: code and place of a diagnostic of the cell looked at. */
  readonly fixes?: { readonly code: ProblemCode; readonly span: Span };
  /** The one answer to a problem; an editor applies it on a key. */
  readonly preferred: boolean;
  readonly edits: readonly CellEdit[];
}

/** Fixes of the problems that touch a range, the best first, then refactorings at its start, then all fixes of the cell at once. */
export function codeActions(_cell: Cell, _range: Span, _scope: Scope): readonly CodeAction[] {
  return [];
}
