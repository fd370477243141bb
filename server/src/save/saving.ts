import type { ExportPageParams } from "../protocol/conversion.ts";
import type {
  BugReportParams,
  SaveBugReportParams,
  SaveProfileParams,
  SaveRecordingResult,
  SaveRowsParams,
} from "../protocol/runs.ts";
import type { RunSupport } from "../run/documentRun.ts";
import { type BugReport, bugReport, saveBugReport } from "./bugReport.ts";
import { exportPage } from "./exportPage.ts";
import { saveRecording } from "./saveRecording.ts";
import { saveProfile, saveRows } from "./saveRows.ts";

/** Writing what a person asked for, and returning what a client writes. Sends nothing. */
export type Saving = ReturnType<typeof openSaving>;

export function openSaving(support: RunSupport) {
  return {
    saveRows: (params: SaveRowsParams, signal: AbortSignal): Promise<SaveRecordingResult> =>
      saveRows(params, support, signal),
    saveProfile: (params: SaveProfileParams): Promise<SaveRecordingResult> => saveProfile(params, support),
    page: (params: ExportPageParams): Promise<string> => exportPage(params, support),
    saveRecording: (uri: string): Promise<SaveRecordingResult> => saveRecording(uri, support),
    saveBugReport: (params: SaveBugReportParams): Promise<SaveRecordingResult> => saveBugReport(params, support),
    /** Packs a notebook with the last answers to its requests. Sends nothing. */
    bugReport({ uri, text }: BugReportParams): BugReport | undefined {
      const recorded = support.recordings.seen(uri);
      const { contracts, signatures, mask } = support;
      return recorded && bugReport(text, recorded, signatures.with(contracts.of({ uri })), mask);
    },
  };
}
