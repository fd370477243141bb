import type { Scope } from "../analysis/scope.ts";
import type { Span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";

/** A few words behind a value. */
export interface InlayHint {
  /** Empty: where the words stand. */
  readonly span: Span;
  /** Plain text. */
  readonly label: string;
  /** Markdown, untrusted. */
  readonly tooltip?: string;
}

/** Says what values mean where their text does not. Asks no network. */
export function inlayHints(_cell: Cell, _scope: Scope): readonly InlayHint[] {
  return [];
}
