import type { Report } from "./report.ts";

/** A finished cell, ready to show in three forms of the same result. */
export interface CellOutput {
  readonly ok: boolean;
  /** For the renderer. One a request: a batch has several. */
  readonly reports: readonly Report[];
  readonly text: string;
  /** The JSON-RPC answer as it came, pretty-printed; cut with a note when very large. */
  readonly json: string;
  readonly startedAt: number;
  readonly durationMs: number;
}
