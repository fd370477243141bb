import type { Scope } from "../analysis/scope.ts";
import { type Span, span } from "../base/span.ts";
import { brief } from "../base/text.ts";
import type { Cell } from "../notebook/cell.ts";

/** A line above a cell that can be clicked. */
export interface CodeLens {
  readonly span: Span;
  readonly title: string;
  readonly action: "run" | "show-result";
  /** Ordinal of the cell in its document, a header not counted. */
  readonly index: number;
}

/**
 * Offers to run a cell and shows its last result.
 *
 * @param index - Ordinal of the cell in its document, a header not counted.
 */
export function codeLenses(cell: Cell, scope: Scope, index: number): readonly CodeLens[] {
  if ((cell.kind !== "request" && cell.kind !== "batch") || !cell.root || cell.requests.length === 0) return [];
  const at = span(cell.root.offset, cell.root.offset + 1);
  const last = scope.lastResult(cell);
  const run: CodeLens = { span: at, title: cell.kind === "batch" ? "Run batch" : "Run", action: "run", index };
  if (!last) return [run];
  return [run, { span: at, title: `${last.ok ? "✓" : "✗"} ${brief(last.summary, 80)}`, action: "show-result", index }];
}
