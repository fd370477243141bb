import type { Scope } from "../analysis/scope.ts";
import { type Span, span } from "../base/span.ts";
import { labelText } from "../base/text.ts";
import type { Cell } from "../notebook/cell.ts";
import { tracedMethods } from "../trace/task.ts";
import { readingsOfCell } from "./pastedValue.ts";

/** A line above a cell that can be clicked. */
export interface CodeLens {
  readonly span: Span;
  readonly title: string;
  readonly action: LensAction;
  /** Ordinal of the cell in its document, a header not counted. */
  readonly index: number;
}

/**
 * - `run`: this cell and what it refers to.
 * - `run-above`: all cells up to this one, this one too.
 * - `trace`: run it, and show the calls inside its calls.
 * - `wire-form`: show what it would send.
 * - `copy-as`: write it for another tool, into the clipboard.
 * - `update-snapshot`: run it and record its answer, which is not as recorded.
 * - `explain`: explain its text, which is not a request.
 * - `show-result`: show what came of it.
 */
export type LensAction =
  | "explain"
  | "run"
  | "run-above"
  | "trace"
  | "wire-form"
  | "copy-as"
  | "update-snapshot"
  | "show-result";

/**
 * Offers to run a cell, alone or with all before it, and to show what it sends and what came of it.
 *
 * @param index - Ordinal of the cell in its document, a header not counted.
 */
export function codeLenses(cell: Cell, scope: Scope, index: number): readonly CodeLens[] {
  if (readingsOfCell(cell, scope).length > 0) return [{ span: span(0, 0), title: "Explain", action: "explain", index }];
  if ((cell.kind !== "request" && cell.kind !== "batch") || !cell.root || cell.requests.length === 0) return [];
  const at = span(cell.root.offset, cell.root.offset + 1);
  const lens = (action: LensAction, title: string): CodeLens => ({ span: at, title, action, index });
  const last = scope.lastResult(cell);
  return [
    lens("run", cell.kind === "batch" ? "Run batch" : "Run"),
    ...(index > 0 ? [lens("run-above", "Run above")] : []),
    ...(cell.requests.some(({ method }) => tracedMethods.has(method ?? "")) ? [lens("trace", "Trace")] : []),
    lens("wire-form", "Wire form"),
    lens("copy-as", "Copy as…"),
    ...(last?.differs ? [lens("update-snapshot", "Update snapshot")] : []),
    ...(last
      ? [lens("show-result", `${last.stale ? "stale: " : ""}${last.ok ? "✓" : "✗"} ${labelText(last.summary, 80)}`)]
      : []),
  ];
}
