import type { JsonValue } from "../base/json.ts";
import type { Audit } from "../live/audit.ts";
import type { ExportPageParams } from "../protocol/conversion.ts";
import type {
  ComparedOutput,
  CompareParams,
  ContractStorageParams,
  StorageContractsResult,
} from "../protocol/endpoints.ts";
import type {
  BugReportParams,
  CellTest,
  RowsParams,
  RowsResult,
  RunParams,
  RunResult,
  SaveBugReportParams,
  SaveProfileParams,
  SaveRecordingResult,
  SaveRowsParams,
  StreamControl,
} from "../protocol/runs.ts";
import type { CellOutput } from "../report/cellOutput.ts";
import { indexOfRef, keysOf } from "../workspace/cellIdentity.ts";
import type { Document } from "../workspace/documents.ts";
import type { OpenDocuments } from "../workspace/openDocuments.ts";
import { type BugReport, bugReport } from "./bugReport.ts";
import { cellTests } from "./cellTests.ts";
import { compareCell } from "./compareCell.ts";
import type { RunSupport } from "./documentRun.ts";
import { exportPage } from "./exportPage.ts";
import { auditEndpoint, probeEndpoint } from "./probeEndpoint.ts";
import { runCells } from "./runCells.ts";
import type { RunEvents } from "./runEvents.ts";
import { saveProfile } from "./saveProfile.ts";
import { saveBugReport, saveRecording } from "./saveRecording.ts";
import { saveRows } from "./saveRows.ts";
import { showStorage, storageChoices } from "./showStorage.ts";

/** Everything that sends requests because a person asked for it. */
export type Execution = ReturnType<typeof openExecution>;

/** @param begins - Called before an open document runs. */
export function openExecution(documents: OpenDocuments, support: RunSupport, begins: (document: Document) => void) {
  return {
    /**
     * Runs cells and what they refer to, also of a file that is not open.
     *
     * @param variables - Win over those of the header.
     */
    async run(
      params: Omit<RunParams, "runId">,
      events: RunEvents,
      signal: AbortSignal,
      variables: ReadonlyMap<string, JsonValue> = new Map(),
    ): Promise<RunResult> {
      const open = documents.of(params.uri);
      const document = open ?? (await documents.read(params.uri));
      if (!document) return { ok: 0, failed: 0, cancelled: false };
      if (open) begins(document);
      else documents.add(document); // for this run
      try {
        return await runCells(document, params, variables, events, signal, support);
      } finally {
        if (!open && documents.has(document)) documents.close(document.uri);
      }
    },
    /** Pauses, filters or stops a running subscription cell. */
    stream({ uri, cell, ...control }: StreamControl): void {
      const document = documents.of(uri);
      const key = document && keysOf(document)[indexOfRef(document, cell) ?? -1];
      if (key !== undefined) support.streamControls.control(document?.uri ?? uri, key, control);
    },
    /** Returns the cells that have expectations, also of a file that is not open. */
    async tests(uri: string): Promise<readonly CellTest[]> {
      const document = await documents.read(uri);
      return document ? cellTests(document) : [];
    },
    /** Returns rows of a table of an output, filtered and sorted. */
    rows: async (params: RowsParams, signal: AbortSignal): Promise<RowsResult> =>
      support.mask.own(await support.rowStore.page(params, signal)),
    /** Writes all rows of a table to a file. */
    saveRows: (params: SaveRowsParams, signal: AbortSignal): Promise<SaveRecordingResult> =>
      saveRows(params, support, signal),
    /** Writes all calls of a trace to a file for speedscope. */
    saveProfile: (params: SaveProfileParams): Promise<SaveRecordingResult> => saveProfile(params, support),
    /** Writes a notebook with results as one HTML page. */
    page: (params: ExportPageParams): Promise<string> => exportPage(params, support),
    ...recordedRuns(support),
    ...measurements(documents, support),
  };
}

function recordedRuns(support: RunSupport) {
  return {
    /** Writes the last recorded run of a document beside it. */
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

function measurements(documents: OpenDocuments, support: RunSupport) {
  return {
    /**
     * Measures what the endpoint of a document's header can do. Completions and warnings use what it measured.
     *
     * @param endpoint - In place of that one.
     */
    async probe(uri: string, endpoint: string | undefined, signal: AbortSignal): Promise<CellOutput | undefined> {
      const document = documents.of(uri);
      return document && probeEndpoint(document, endpoint, signal, support);
    },
    /** Lists what a contract stores, at one block or at two with the differences. */
    async contractStorage(
      { uri, ...params }: ContractStorageParams,
      signal: AbortSignal,
    ): Promise<CellOutput | undefined> {
      const document = documents.of(uri);
      return document && showStorage(document, params, signal, support);
    },
    /** Returns the contracts with a storage layout, and the addresses that have names. */
    async storageContracts(uri: string): Promise<StorageContractsResult> {
      const document = documents.of(uri);
      return document ? storageChoices(document, support) : { contracts: [], addresses: [] };
    },
    /**
     * Compares what an endpoint shows as pre-confirmed with what is sealed.
     *
     * @param forMs - Milliseconds.
     * @param progress - Called after each sealed block, with the audit until then.
     */
    async audit(
      uri: string,
      { endpoint, forMs }: { readonly endpoint?: string | undefined; readonly forMs: number },
      signal: AbortSignal,
      progress?: (audit: Audit) => void,
    ): Promise<CellOutput | undefined> {
      const document = documents.of(uri);
      return document && auditEndpoint(document, { endpoint, forMs }, signal, { ...support, progress });
    },
    /**
     * Runs a cell's request at several blocks, or at two endpoints. Keeps no results.
     *
     * @param variables - Win over those of the header.
     */
    async compare(
      { uri, index, offset, ...compared }: CompareParams,
      signal: AbortSignal,
      variables: ReadonlyMap<string, JsonValue> = new Map(),
    ): Promise<ComparedOutput | undefined> {
      const document = documents.of(uri);
      const at = index ?? document?.placeAt(uri, offset ?? 0)?.index;
      return document && at !== undefined ? compareCell(document, at, compared, variables, signal, support) : undefined;
    },
  };
}
