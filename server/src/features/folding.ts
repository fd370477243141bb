import type { Span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";

/** What can be folded away: from the line of `span.start` to that of `span.end`. */
export interface FoldingRange {
  readonly span: Span;
}

/** Objects and arrays that take more than one line. */
export function foldingRanges(_cell: Cell): readonly FoldingRange[] {
  return [];
}
