import type { Scope } from "../analysis/scope.ts";
import type { Span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";

/** Something to follow with a click. */
export interface Link {
  readonly span: Span;
  /** An address on the web, or a path from the notebook's folder. */
  readonly target: { readonly url: string } | { readonly path: string };
  readonly tooltip: string;
}

/** ABI files, and what a block explorer shows: addresses and hashes. */
export function links(_cell: Cell, _scope: Scope): readonly Link[] {
  return [];
}
