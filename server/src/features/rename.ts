import type { Scope } from "../analysis/scope.ts";
import type { Span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";
import type { CellEdit } from "./location.ts";

/** What can be renamed at a place. */
export interface Renameable {
  readonly span: Span;
  /** The name as it is. */
  readonly name: string;
}

export function renameable(_cell: Cell, _offset: number, _scope: Scope): Renameable | undefined {
  return undefined;
}

/**
 * Renames a variable, cell, label or endpoint of the notebook, everywhere at once.
 *
 * @returns The edits, or a sentence that says why not: a clash, a name that placeholders cannot spell.
 */
export function rename(
  _cell: Cell,
  _offset: number,
  _name: string,
  _scope: Scope,
): readonly CellEdit[] | { readonly refused: string } {
  return { refused: "There is nothing to rename here." };
}
