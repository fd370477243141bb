import type { Explanation } from "../base/error.ts";
import type { JsonValue } from "../base/json.ts";
import { fileName } from "../base/uri.ts";
import { logFileForm } from "../catalog/logFiles.ts";
import { rowFilesOf } from "../evaluate/each.ts";
import type { TakenLogs } from "../gate/endpointQueue.ts";
import { readFile } from "../notebook/readFile.ts";
import type { ExportPageParams } from "../protocol/conversion.ts";
import type {
  BugReportParams,
  SaveBugReportParams,
  SaveProfileParams,
  SaveRecordingResult,
  SaveRowsParams,
} from "../protocol/runs.ts";
import type { RunSupport } from "../run/documentRun.ts";
import type { OpenDocuments } from "../workspace/openDocuments.ts";
import { readRowFiles } from "../workspace/rowFiles.ts";
import { type BugReport, bugReport, saveBugReport } from "./bugReport.ts";
import { exportPage } from "./exportPage.ts";
import { type SaveLogsParams, saveLogs } from "./saveLogs.ts";
import { saveRecording } from "./saveRecording.ts";
import { saveProfile, saveRows } from "./saveRows.ts";
import { type VerifiedLogs, verifyLogs } from "./verifyLogs.ts";

/** Writing what a person asked for, and returning what a client writes. */
export type Saving = ReturnType<typeof openSaving>;

export function openSaving(documents: OpenDocuments, support: RunSupport) {
  return {
    /** Runs a cell and writes its logs to a file while they arrive. Sends what a run would send. */
    async saveLogs(
      params: SaveLogsParams,
      signal: AbortSignal,
      onProgress: (text: string) => void,
      variables: ReadonlyMap<string, JsonValue> = new Map(),
    ): Promise<TakenLogs | undefined> {
      const document = documents.of(params.uri);
      return document && saveLogs(document, params, variables, signal, onProgress, support);
    },
    /**
     * Checks a file of logs against its manifest.
     *
     * @param uri - Of the document whose endpoint names count.
     */
    async verifyLogs(
      uri: string,
      file: Parameters<typeof verifyLogs>[1],
      signal: AbortSignal,
    ): Promise<VerifiedLogs | Explanation | undefined> {
      const document = documents.of(uri);
      return document && verifyLogs(document, file, signal, support);
    },
    async saveRows(
      params: SaveRowsParams,
      signal: AbortSignal,
      onProgress: (text: string) => void = () => {},
    ): Promise<SaveRecordingResult> {
      const { uri, cell, rest } = params;
      const form = logFileForm(uri);
      const document = cell === undefined ? undefined : documents.of(cell);
      const index = cell === undefined ? undefined : document?.placeAt(cell, 0)?.index;
      const hasLogs = document?.cells[index ?? -1]?.requests[0]?.method === "eth_getLogs";
      const goesOn = form !== "csv" || (hasLogs && support.rowStore.isPartial(rest));
      if (form === undefined || !goesOn) return saveRows(params, support, signal);
      if (!document || index === undefined)
        return { fault: "Such a file has all logs of a cell. Choose CSV or JSON for some of its rows." };
      const target = { uri: document.uri, index, to: uri, name: fileName(uri), form, force: true };
      const { done, notes, fault } = await saveLogs(document, target, new Map(), signal, onProgress, support);
      const texts = fault ? [fault.what, fault.todo, ...notes] : [done ?? "Cancelled.", ...notes];
      return done === undefined || fault ? { fault: texts.join(" ") } : { note: texts.join(" ") };
    },
    saveProfile: (params: SaveProfileParams): Promise<SaveRecordingResult> => saveProfile(params, support),
    page: (params: ExportPageParams): Promise<string> => exportPage(params, support),
    saveRecording: (uri: string): Promise<SaveRecordingResult> => saveRecording(uri, support),
    saveBugReport: (params: SaveBugReportParams): Promise<SaveRecordingResult> => saveBugReport(params, support),
    bugReport: (params: BugReportParams): Promise<BugReport | undefined> => packedNotebook(params, support),
  };
}

/** Packs a notebook with the last answers to its requests. Sends nothing. */
async function packedNotebook({ uri, text }: BugReportParams, support: RunSupport): Promise<BugReport | undefined> {
  const { contracts, signatures, mask, recordings } = support;
  const recorded = recordings.seen(uri);
  if (!recorded) return undefined;
  const paths = readFile(text)
    .cells.flatMap(rowFilesOf)
    .map(({ path }) => path);
  const rowFiles = await readRowFiles(paths, uri, support);
  return bugReport(text, recorded, { abis: signatures.with(contracts.declared({ uri })), rowFiles }, mask);
}
