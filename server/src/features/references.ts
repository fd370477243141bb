import { mentionsOf, thingAt } from "../analysis/names.ts";
import type { Scope } from "../analysis/scope.ts";
import type { Cell } from "../notebook/cell.ts";
import type { CellSpan } from "./location.ts";

/** A place that names the same thing. */
export interface Use extends CellSpan {
  readonly kind: "declaration" | "use";
}

/** Every place of the notebook that names the variable, cell, address or endpoint under the cursor; none elsewhere. */
export function references(cell: Cell, offset: number, scope: Scope): readonly Use[] {
  const thing = thingAt(cell, offset, scope);
  if (!thing) return [];
  return mentionsOf(thing, scope).map(({ cell, span, declares }) => ({
    cell,
    span,
    kind: declares ? "declaration" : "use",
  }));
}
