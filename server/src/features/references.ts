import type { Scope } from "../analysis/scope.ts";
import type { Cell } from "../notebook/cell.ts";
import type { CellSpan } from "./location.ts";

/** A place that names the same thing. */
export interface Use extends CellSpan {
  readonly kind: "declaration" | "use";
}

/** Every place of the notebook that names the variable, cell, label or endpoint under the cursor; none elsewhere. */
export function references(_cell: Cell, _offset: number, _scope: Scope): readonly Use[] {
  return [];
}
