import type { CellRef } from "../../notebook/cell.ts";
import type { CellOutput, Shown } from "../../report/report.ts";
import type { DocumentRun } from "../documentRun.ts";
import type { CellResult } from "./cellResult.ts";

/** Events of a run. */
export interface RunEvents {
  /** The ordinals of all cells of the run, in the order of the notebook; comes before everything else. */
  planned?(indices: readonly number[]): void;
  /** The cell's request is sent now. */
  started(event: { readonly cell: CellRef }): void;
  /** The cell waits for the endpoint, or for what it expects. Comes any number of times. */
  waiting?(event: WaitingEvent): void;
  /** A subscription cell has new rows; comes at most five times a second for each. */
  streamed?(event: StreamUpdate): void;
  /** Comes once for every planned cell, also for those never sent. */
  finished(event: CellResult): void;
}

/** A subscription cell that has changed. */
export interface StreamUpdate {
  readonly cell: CellRef;
  /** Ordinal of the cell, from 0. */
  readonly index: number;
  readonly output: CellOutput;
  /** The rows that are new since the last change, the oldest first. */
  readonly rows: readonly (readonly Shown[])[];
  /** Changes of the connection since the last event, a sentence each. */
  readonly connectionMessages: readonly string[];
}

export interface WaitingEvent {
  readonly cell: CellRef;
  readonly why: string;
  /** Makes reports of the part of an answer that has come; absent if that cannot be shown. */
  readonly soFar?: () => CellOutput["reports"];
}

/** A run, and what is called when something happens in it. */
export interface RunWithEvents extends DocumentRun {
  readonly events: RunEvents;
}
