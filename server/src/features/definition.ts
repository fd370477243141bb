import type { Scope } from "../analysis/scope.ts";
import type { Cell } from "../notebook/cell.ts";
import type { CellSpan, FilePlace } from "./location.ts";

/** Where the variable, cell, label or endpoint under the cursor is declared. */
export function definition(_cell: Cell, _offset: number, _scope: Scope): readonly (CellSpan | FilePlace)[] {
  return [];
}
