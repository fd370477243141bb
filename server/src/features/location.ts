import type { Span } from "../base/span.ts";
import type { LineColumn } from "../base/text.ts";
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

/** A place in a file that is no notebook, such as `rpc-endpoints.json`. */
export interface FilePlace {
  readonly uri: string;
  readonly place: LineColumn;
}
