import { thingAt } from "../analysis/names.ts";
import type { Scope } from "../analysis/scope.ts";
import type { FilePlace } from "../base/text.ts";
import type { Cell } from "../notebook/cell.ts";
import type { CellSpan } from "./location.ts";

/** Where the variable, cell, label or endpoint under the cursor is declared; a declaration is its own. */
export function definition(cell: Cell, offset: number, scope: Scope): readonly (CellSpan | FilePlace)[] {
  const thing = thingAt(cell, offset, scope);
  if (!thing) return [];
  const { kind, name, at, declarations } = thing;
  if (at.declares) return [{ cell: at.cell, span: at.span }];
  if (kind === "endpoint") return scope.endpoints.flatMap((one) => (one.name === name && one.place) || []);
  return declarations.flatMap(({ cell, span, declares }) => (declares === "label" ? [] : [{ cell, span }]));
}
