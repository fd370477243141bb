import type { Scope } from "../analysis/scope.ts";
import type { Span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";

/** Names of the protocol's own, so that themes colour them. */
export const tokenTypes = ["method", "enumMember", "variable", "property", "keyword", "string", "number"] as const;
export const tokenModifiers = ["declaration", "deprecated", "readonly", "defaultLibrary"] as const;

export interface SemanticToken {
  /** On one line. */
  readonly span: Span;
  readonly type: (typeof tokenTypes)[number];
  readonly modifiers: readonly (typeof tokenModifiers)[number][];
}

/** What the words of a cell are, in the order of the text and without overlap. */
export function semanticTokens(_cell: Cell, _scope: Scope): readonly SemanticToken[] {
  return [];
}
