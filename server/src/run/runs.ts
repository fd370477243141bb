import type { JsonValue } from "../base/json.ts";
import { cellNumbers } from "../notebook/key.ts";
import type { CellTest, RowsParams, RowsResult, RunOptions, RunResult, StreamControl } from "../protocol/runs.ts";
import { type Document, fileRange } from "../workspace/documents.ts";
import { indexOfRef, keysOf, type OpenDocuments } from "../workspace/openDocuments.ts";
import { titleOf } from "./cellRun.ts";
import type { RunSupport } from "./documentRun.ts";
import { expectNodes } from "./judge/failedChecks.ts";
import type { RunEvents } from "./result/runEvents.ts";
import { runCells } from "./runCells.ts";

/** Running cells, and what their runs left to look at. */
export type Runs = ReturnType<typeof openRuns>;

/** @param begins - Called before an open document runs. */
export function openRuns(documents: OpenDocuments, support: RunSupport, begins: (document: Document) => void) {
  return {
    /**
     * Runs cells and what they refer to, also of a file that is not open.
     *
     * @param variables - Override those of the header.
     */
    async run(
      params: RunOptions,
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
  };
}

/** Returns the cells of a notebook that have expectations, as tests of an editor. */
function cellTests(document: Document): readonly CellTest[] {
  const keys = keysOf(document);
  const numbers = cellNumbers(document.cells);
  return document.cells.flatMap((cell, index): readonly CellTest[] => {
    const key = keys[index];
    const place = fileRange(document, cell, { start: cell.root?.offset ?? 0, end: cell.text.trimEnd().length });
    if (key === undefined || !place || expectNodes(cell).length === 0) return [];
    return [{ key, index, title: titleOf({ number: numbers[index] ?? 0, cell }), place }];
  });
}
