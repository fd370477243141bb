import type { JsonValue } from "../base/json.ts";
import type { Audit } from "../live/audit.ts";
import type { CompareParams } from "../protocol/endpoints.ts";
import type { CellTest, RowsParams, RowsResult, RunParams, RunResult, StreamControl } from "../protocol/runs.ts";
import type { CellOutput } from "../report/cellOutput.ts";
import { indexOfRef, keysOf } from "../workspace/cellIdentity.ts";
import type { Document } from "../workspace/documents.ts";
import type { OpenDocuments } from "../workspace/openDocuments.ts";
import { cellTests } from "./cellTests.ts";
import { compareCell } from "./compareCell.ts";
import type { RunSupport } from "./documentRun.ts";
import { auditEndpoint, probeEndpoint } from "./probeEndpoint.ts";
import { runCells } from "./runCells.ts";
import type { RunEvents } from "./runEvents.ts";

/** Everything that sends requests because a person asked for it. */
export interface Execution {
  /**
   * Runs cells and what they refer to, also of a file that is not open.
   *
   * @param variables - Win over those of the header.
   */
  run(
    params: Omit<RunParams, "runId">,
    events: RunEvents,
    signal: AbortSignal,
    variables?: ReadonlyMap<string, JsonValue>,
  ): Promise<RunResult>;
  /** Pauses, filters or stops a running subscription cell. */
  stream(control: StreamControl): void;
  /** Returns the cells that have expectations, also of a file that is not open. */
  tests(uri: string): Promise<readonly CellTest[]>;
  /** Returns rows of a table beyond those that its output contains. */
  rows(params: RowsParams, signal: AbortSignal): Promise<RowsResult>;
  /**
   * Measures what the endpoint of a document's header can do. Completions and warnings use what it measured.
   *
   * @param endpoint - In place of that one.
   */
  probe(uri: string, endpoint: string | undefined, signal: AbortSignal): Promise<CellOutput | undefined>;
  /**
   * Compares what an endpoint shows as pre-confirmed with what is sealed.
   *
   * @param forMs - Milliseconds.
   * @param progress - Called after each sealed block, with the audit until then.
   */
  audit(
    uri: string,
    options: { readonly endpoint?: string | undefined; readonly forMs: number },
    signal: AbortSignal,
    progress?: (audit: Audit) => void,
  ): Promise<CellOutput | undefined>;
  /**
   * Runs a cell's request at several blocks, or at two endpoints. Keeps no results.
   *
   * @param variables - Win over those of the header.
   */
  compare(
    params: CompareParams,
    signal: AbortSignal,
    variables?: ReadonlyMap<string, JsonValue>,
  ): Promise<CellOutput | undefined>;
}

/** @param begins - Called before an open document runs. */
export function openExecution(
  documents: OpenDocuments,
  support: RunSupport,
  begins: (document: Document) => void,
): Execution {
  return {
    async run(params, events, signal, variables = new Map()) {
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
    stream({ uri, cell, ...control }) {
      const document = documents.of(uri);
      const key = document && keysOf(document)[indexOfRef(document, cell) ?? -1];
      if (key !== undefined) support.streamControls.control(document?.uri ?? uri, key, control);
    },
    async tests(uri) {
      const document = await documents.read(uri);
      return document ? cellTests(document) : [];
    },
    rows: async (params, signal) => support.mask.value(await support.rowStore.page(params, signal)),
    async probe(uri, endpoint, signal) {
      const document = documents.of(uri);
      return document && probeEndpoint(document, endpoint, signal, support);
    },
    async audit(uri, { endpoint, forMs }, signal, progress) {
      const document = documents.of(uri);
      return document && auditEndpoint(document, { endpoint, forMs }, signal, { ...support, progress });
    },
    async compare({ uri, index, offset, ...compared }, signal, variables = new Map()) {
      const document = documents.of(uri);
      const at = index ?? document?.placeAt(uri, offset ?? 0)?.index;
      return document && at !== undefined ? compareCell(document, at, compared, variables, signal, support) : undefined;
    },
  };
}
