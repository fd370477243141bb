import type { Span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";

/** A place in a cell of the notebook, perhaps another one than that looked at. */
export interface CellSpan {
  readonly cell: Cell;
  readonly span: Span;
}

/** A replacement in a cell. */
export interface CellEdit extends CellSpan {
  readonly insert: string;
}
