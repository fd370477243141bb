import type { Scope } from "../analysis/scope.ts";
import type { Cell } from "../notebook/cell.ts";

/** What a cell would send now. */
export type WireForm = { readonly text: string } | { readonly unsent: string };

/** The exact text of a cell's requests with placeholders filled from variables and last results, or why there is none. */
export function wireForm(_cell: Cell, _scope: Scope): WireForm {
  return { unsent: "" };
}
