/** The state of a cell's execution in a run. */
export interface CellState {
  /** The cell is a subscription and shows rows. */
  readonly isStreamed: boolean;
  /** The cell shows the first part of an answer. */
  readonly isPartial: boolean;
  /** The cell shows why it waits. */
  readonly isWaiting: boolean;
}

/**
 * Decides how to cancel a cell.
 *
 * - `stop-stream`: the rows stay, and the server says how the subscription ended.
 * - `cancel-run`: the run ends, and the server says what is missing of the answer.
 * - `close`: the cell ends without a result; `clears` if it
 *   shows only why it waited, `cancelsRun` if it was the last one.
 */
export type Cancellation =
  | { readonly kind: "stop-stream" }
  | { readonly kind: "cancel-run" }
  | { readonly kind: "close"; readonly clears: boolean; readonly cancelsRun: boolean };

/** @param openCells - Cells of the run that have not ended, this one included. */
export function cancellation({ isStreamed, isPartial, isWaiting }: CellState, openCells: number): Cancellation {
  if (isStreamed) return { kind: "stop-stream" };
  if (isPartial && openCells === 1) return { kind: "cancel-run" };
  return { kind: "close", clears: isWaiting && !isPartial, cancelsRun: openCells === 1 };
}

/** Returns whether to append the last output of a cell, or to replace what it shows. The part of an answer stays. */
export function lastOutput({ isStreamed, isPartial }: CellState): "append" | "replace" {
  return isPartial || isStreamed ? "append" : "replace";
}
