import type { Span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";

/** The ranges around an offset, the innermost first, each in the next: a placeholder, a string's content, the string, the member, the object… */
export function selectionRanges(_cell: Cell, _offset: number): readonly Span[] {
  return [];
}
