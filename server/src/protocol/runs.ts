import type { FileRange } from "../base/text.ts";
import type { CellRef } from "../notebook/cell.ts";
import type { Action, CellOutput, FailedCheck, Report, TableSection } from "../report/report.ts";

// Messages about a run: what to run, its events and its results.

/** `rpcNotebook/run`: runs cells and the cells that they refer to. Cancel it with `$/cancelRequest`. */
export interface RunParams extends RunOptions {
  /** Chosen by the client. Every notification of this run contains it. */
  readonly runId: string;
}

/** What is run, and how. */
export interface RunOptions {
  /** URI of the notebook or the text document. */
  readonly uri: string;
  /** Cells to run; absent for all. */
  readonly cells?: readonly CellRef[];
  /** Wins over every other choice of endpoint, and does not approve it. */
  readonly endpoint?: string;
  readonly stream?: StreamBounds;
  /** If one cell is run, and it explains a young transaction: go on until that is final, or until it is stopped. */
  readonly follow?: boolean;
  /** Read the calls inside calls: from the endpoint if it serves them, else computed here. */
  readonly trace?: boolean;
  /** Look up contracts that nothing of the project declares, if a person has allowed it: before results are shown, or after. */
  readonly lookup?: "before" | "after";
  /** Keep every request and answer, for `rpcNotebook/saveRecording` and `rpcNotebook/bugReport`. */
  readonly record?: boolean;
  /** Keep the answers that a person sees, as much as fits, for `rpcNotebook/bugReport`. */
  readonly keep?: boolean;
  /**
   * - `check`: compare with the snapshot; cells that ask to be compared fail if they are not in it.
   * - `show`: compare the cells that are in the snapshot.
   * - `update`: write the snapshot again.
   *
   * Absent for a run without a snapshot. From an editor, absent means `show`.
   */
  readonly snapshot?: "check" | "show" | "update";
}

/** When a subscription cell stops by itself. */
export interface StreamBounds {
  /** Milliseconds. */
  readonly forMs?: number;
  readonly rows?: number;
}

export interface RunResult {
  readonly ok: number;
  readonly failed: number;
  readonly cancelled: boolean;
  /** Say in a sentence each why not all contracts were looked up, and which ones nobody verified. */
  readonly lookupNotes?: readonly string[];
  /** Absent if no snapshot was read. */
  readonly snapshot?: SnapshotResult;
}

export interface SnapshotResult {
  /** A sentence each: which cells were compared or recorded, and which are stale. */
  readonly notes: readonly string[];
  /** Says why it could not be read or written. */
  readonly fault?: string;
}

/** `rpcNotebook/saveRecording`: writes the last recorded run of a document to NAME.rpc.recording.json beside it. */
export interface SaveRecordingParams {
  readonly uri: string;
}

/**
 * A sentence that says what was written, or why nothing was. `recording`: the value of the member of a header that replays
 * it.
 */
export type SaveRecordingResult = { readonly note: string; readonly recording?: string } | { readonly fault: string };

/** `rpcNotebook/bugReport`: packs a notebook with the last answers to its requests. Sends and writes nothing. */
export interface BugReportParams {
  readonly uri: string;
  /** The notebook as it would be saved. */
  readonly text: string;
}

/** `null` if none of its answers is kept. */
export type BugReportResult = {
  /** A notebook that answers its own requests. */
  readonly text: string;
  /** Lines that say what it contains, for the person who sends it. */
  readonly contents: readonly string[];
} | null;

/** `rpcNotebook/saveBugReport`: writes one to the file that a person chose. */
export interface SaveBugReportParams {
  readonly uri: string;
  readonly text: string;
}

/** `rpcNotebook/cellStarted`, a notification: the cell's request is sent now. */
export interface CellStarted {
  readonly runId: string;
  readonly cell: CellRef;
}

/** `rpcNotebook/cellWaiting`, a notification: the cell waits for the endpoint, or for what it expects. */
export interface CellWaiting extends CellStarted {
  /** One or two sentences, to be shown until the next event of the cell. */
  readonly why: string;
  /** For the renderer: the part of the answer that has come, if it can be shown. */
  readonly reports?: readonly Report[];
}

/** `rpcNotebook/cellFinished`, a notification. Comes for every cell of the run, also for those never sent. */
export interface CellFinished extends CellStarted {
  readonly output: CellOutput;
  /** Identifies the cell in snapshots and tests. */
  readonly key: string;
  /** The expectations that were not met. Empty for a cell that failed in another way. */
  readonly failures: readonly FailedCheck[];
  readonly verdict: Verdict;
  /** Identifies what the result came from: the request, what it refers to, and where it was sent. For {@link StalenessParams}. */
  readonly origin: string;
}

/** `rpcNotebook/cellRedrawn`, a notification: a result that is shown has other words now. Nothing was sent again for it. */
export interface CellRedrawn {
  readonly cell: CellRef;
  readonly output: CellOutput;
}

/**
 * The end of a cell as a test. A wrong expectation is `failed`. A request without an answer, or that was not sent, is
 * `errored`. A cell that a cancelled run left out is `skipped`.
 */
export type Verdict = "passed" | "failed" | "errored" | "skipped";

/** `rpcNotebook/tests`: lists the cells of a notebook that have expectations, also of a file that is not open. Sends nothing. */
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

/** `rpcNotebook/staleness`: says whether the result that is shown under a cell is out of date. Sends nothing. */
export interface StalenessParams {
  /** The URI of the cell's document. */
  readonly uri: string;
  /** The origin of the result that is shown, if it is from before the server was started. */
  readonly origin?: string;
}

/** `null` if it is not known to be out of date. */
export type StalenessResult = {
  readonly label: string;
  /** Sentences. */
  readonly why: string;
} | null;

/** `rpcNotebook/streamRows`, a notification: the current output of a subscription cell. Comes at most five times a second for each. */
export interface StreamRows extends CellStarted {
  readonly output: CellOutput;
}

/** `rpcNotebook/stream`, a notification to the server: pauses, filters or stops a running subscription cell. */
export interface StreamControl extends StreamChange {
  /** URI of the notebook or the text document. */
  readonly uri: string;
  readonly cell: CellRef;
}

/** What a person does with a running subscription cell. */
export interface StreamChange {
  readonly paused?: boolean;
  /** Shows only rows that contain this text; empty for all. */
  readonly filter?: string;
  readonly stop?: boolean;
}

/** `rpcNotebook/rows`: returns rows of a table of an output, filtered and sorted. */
export interface RowsParams extends RowOrder {
  /** `rest` of the table, or of one of its kinds. */
  readonly rest: string;
  /** The first row, counted from 0 among those that match. */
  readonly from: number;
  /** Maximum of rows. The server may return fewer. */
  readonly count: number;
  /** Returns each row as JSON too. */
  readonly json?: true;
}

/** Which rows of a table, in what order. */
export interface RowOrder {
  /** Text that rows must contain, in any case, as shown or on the wire. */
  readonly filter?: string;
  readonly sort?: { readonly column: number; readonly descending: boolean };
}

/** `null` after the server has deleted the rows: the cell has run again, or many other cells have. */
export type RowsResult = {
  readonly columns: TableSection["columns"];
  readonly rows: TableSection["rows"];
  /** All rows that match. */
  readonly total: number;
  /** Absent unless it was asked for; `""` for a row that is not part of the answer. */
  readonly json?: readonly string[];
} | null;

/**
 * `rpcNotebook/saveRows`: writes the rows of a table to a file that a person chose, as CSV or, by its name, as JSON. To a
 * Parquet or NDJSON file it writes all logs of the cell, also those that the table does not have; to CSV too if reading them failed.
 */
export interface SaveRowsParams {
  readonly uri: string;
  /** `rest` of the table, or of one of its kinds. */
  readonly rest: string;
  /** Text that the rows must contain, as in {@link RowOrder}; absent for all rows. */
  readonly filter?: string;
  /** URI of the cell, if all rows are meant. */
  readonly cell?: string;
}

/** `rpcNotebook/saveProfile`: writes all calls of a trace to a file that a person chose, for speedscope. */
export interface SaveProfileParams {
  readonly uri: string;
  /** `rest` of the flame graph. */
  readonly rest: string;
}

/** Messages of the notebook's webview to the client. */
export type FromRenderer =
  | { readonly stream: StreamControl }
  | { readonly copy: string }
  | { readonly result: ResultAction }
  /** `asked` identifies the answer. */
  | { readonly rows: RowsParams; readonly asked: number };

/** An action of a person in a result. `output` is the identity that the client gave to the output. */
export type ResultAction =
  | { readonly kind: "action"; readonly output: string; readonly action: Action }
  /** Rows of a table, to a file. `filtered`: those that the table shows, if they are not all. */
  | { readonly kind: "save-rows"; readonly output: string; readonly all: RowsToSave; readonly filtered?: RowsToSave }
  /** All calls of a trace, to a file for speedscope. */
  | { readonly kind: "save-profile"; readonly output: string; readonly rest: string }
  /** New cells below, about an address or a hash. */
  | { readonly kind: "about"; readonly output: string; readonly value: string }
  | { readonly kind: "label" | "look-up" | "open-source" | "watch"; readonly address: string }
  /** A page of a block explorer. */
  | { readonly kind: "open"; readonly page: string };

/** Rows that can be saved, and how many they are. */
export type RowsToSave = Omit<SaveRowsParams, "uri" | "cell"> & { readonly total: number };

/** The client's answer in a message to the webview. */
export interface ToRenderer {
  readonly asked: number;
  readonly result: RowsResult;
}
