import type { FileRange } from "../base/text.ts";
import type { CellRef } from "../notebook/cellRef.ts";
import type { CellOutput } from "../report/cellOutput.ts";
import type { Report, TableSection } from "../report/report.ts";
import type { FailedCheck } from "../run/failedCheck.ts";

// Messages about a run: what to run, what came, and what is kept of it.

/** `rpcNotebook/run`: runs cells and what they refer to. Resolves when all is done; cancel by `$/cancelRequest`. */
export interface RunParams {
  /** Chosen by the client; comes back in every notification of this run. */
  readonly runId: string;
  /** URI of the notebook or the text document. */
  readonly uri: string;
  /** Cells to run; absent for all of them. */
  readonly cells?: readonly CellRef[];
  /** Wins over every other choice of endpoint. Does not approve it. */
  readonly endpoint?: string;
  readonly stream?: StreamBounds;
  /**
   * - `check`: compare with the snapshot; cells that ask to be compared fail where nothing is recorded of them.
   * - `show`: compare as far as something is recorded.
   * - `update`: write the snapshot afresh.
   *
   * Absent for a run without it; from an editor that is as `show`.
   */
  readonly snapshot?: "check" | "show" | "update";
}

/** How much of a subscription cell is wanted where nobody stops it. */
export interface StreamBounds {
  /** Milliseconds. */
  readonly forMs?: number;
  readonly rows?: number;
}

export interface RunResult {
  readonly ok: number;
  readonly failed: number;
  readonly cancelled: boolean;
  /** Absent where no snapshot was looked at. */
  readonly snapshot?: SnapshotResult;
}

export interface SnapshotResult {
  /** A sentence each: what was compared or recorded, what is stale. */
  readonly notes: readonly string[];
  /** Why it could not be read or written. */
  readonly fault?: string;
}

/** `rpcNotebook/cellStarted`, a notification: the cell's request goes out now. */
export interface CellStarted {
  readonly runId: string;
  readonly cell: CellRef;
}

/** `rpcNotebook/cellWaiting`, a notification: the cell waits for the endpoint, or for what it expects. */
export interface CellWaiting extends CellStarted {
  /** A sentence or two, to be shown until the next comes or the cell ends. */
  readonly why: string;
  /** For the renderer: what has come so far, where that can be shown. */
  readonly reports?: readonly Report[];
}

/** `rpcNotebook/cellFinished`, a notification. One comes for every cell of the run, also for those never sent. */
export interface CellFinished extends CellStarted {
  readonly output: CellOutput;
  /** By which snapshots and tests know the cell. */
  readonly key: string;
  /** What was expected and did not come. Empty for a cell that failed in another way. */
  readonly failures: readonly FailedCheck[];
}

/** `rpcNotebook/tests`: the cells of a notebook that say what must hold. A file that is not open is read; nothing is sent. */
export interface TestsParams {
  readonly uri: string;
}

export interface TestsResult {
  readonly tests: readonly CellTest[];
}

export interface CellTest {
  readonly key: string;
  readonly title: string;
  /** Ordinal of the cell, a header not counted: for `rpcNotebook/run`, which takes files that are not open too. */
  readonly index: number;
  readonly place: FileRange;
}

/** `rpcNotebook/staleness`: whether what a notebook shows under a cell is still what the cell would give. Sends nothing. */
export interface StalenessParams {
  /** Of the cell's document. */
  readonly uri: string;
}

/** `null` where nothing is known against it. */
export type StalenessResult = {
  readonly label: string;
  /** Sentences. */
  readonly why: string;
} | null;

/** `rpcNotebook/streamRows`, a notification: a subscription cell as it looks now. At most five a second come for a cell. */
export interface StreamRows extends CellStarted {
  readonly output: CellOutput;
}

/** `rpcNotebook/stream`, a notification to the server: what is wanted of a subscription cell that runs. */
export interface StreamControl {
  /** URI of the notebook or the text document. */
  readonly uri: string;
  readonly cell: CellRef;
  readonly paused?: boolean;
  /** Only rows that contain this text are shown; empty for all. */
  readonly filter?: string;
  readonly stop?: boolean;
}

/** `rpcNotebook/rows`: rows of a table beyond those that its output carries. */
export interface RowsParams {
  /** `rest` of the table. */
  readonly rest: string;
  /** The row to begin at, counted from 0. */
  readonly from: number;
  /** Rows at most; a page of the server's is smaller. */
  readonly count: number;
  /** Only rows in which this text occurs, in any case; in what is shown or in its wire form. */
  readonly filter?: string;
}

/** `null` where the rows are not kept any more: the cell has run again, or many others have. */
export type RowsResult = {
  readonly rows: TableSection["rows"];
  /** Where the next page begins; `null` after the last row. A page may be empty and not the last. */
  readonly next: number | null;
} | null;

/** Messages of the notebook's webview to the client. */
export type FromRenderer =
  | { readonly stream: StreamControl }
  | { readonly copy: string }
  /** @param asked - Comes back with the answer. */
  | { readonly rows: RowsParams; readonly asked: number };

/** The client's answer in a message to the webview. */
export interface ToRenderer {
  readonly asked: number;
  readonly result: RowsResult;
}
