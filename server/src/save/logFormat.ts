import type { LogManifest } from "./logManifest.ts";
import type { LogRow } from "./logRows.ts";

/** How a file holds rows. */
export interface LogFormat {
  readonly columns: readonly string[];
  /** The text before the first piece; empty if there is none. */
  readonly head: string;
  /** Returns after how many milliseconds a piece ends, in a run that has taken so many. A kill loses that much work. */
  pieceMs(elapsed: number): number;
  /** Makes what a piece adds to the file at an offset. */
  piece(rows: Iterable<LogRow>, start: number): LogPieceParts;
  /** Whether the rows of a piece would be written alike now: declarations of events may have changed. Absent if nothing can tell. */
  readonly readsAlike?: (text: string) => boolean;
  /** Makes what comes after the last piece; absent if nothing does. */
  readonly end?: (manifest: LogManifest) => Uint8Array;
}

interface LogPieceParts {
  readonly parts: Iterable<string | Uint8Array>;
  /** What the end of the file says of it. */
  readonly group?: string;
}
