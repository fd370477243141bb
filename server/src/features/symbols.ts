import type { Span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";

/** A line of the outline. */
export interface DocumentSymbol {
  readonly name: string;
  readonly detail: string;
  readonly kind: "header" | "variable" | "label" | "request" | "batch" | "markdown";
  /** All of it. */
  readonly span: Span;
  /** What is selected when one goes there; lies in `span`. */
  readonly selection: Span;
  readonly children: readonly DocumentSymbol[];
}

/**
 * Names a cell in the outline.
 *
 * @param number - Of the cell, from 1, for those that have no name; `undefined` for the header.
 */
export function symbols(_cell: Cell, _number: number | undefined): readonly DocumentSymbol[] {
  return [];
}
