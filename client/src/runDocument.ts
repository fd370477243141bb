import { l10n, type Uri } from "vscode";
import type { RunResult } from "../../server/src/protocol/runs.ts";
import type { EndpointPicker } from "./endpointPicker.ts";
import { nextRunId } from "./executions.ts";
import type { Kernel, RunMore } from "./kernel.ts";
import type { Server } from "./languageClient.ts";
import { inform, showProgress, warn } from "./messages.ts";
import { cellAt, notebookAt, requestCells } from "./notebook.ts";

export interface RunParts {
  readonly server: Server;
  readonly picker: EndpointPicker;
  readonly kernel: Kernel;
}

/**
 * Runs cells: in an open notebook, as its buttons do; in a text, behind a message.
 *
 * @param document - A notebook, the text of one, or a cell of a notebook.
 * @param title - What the message says while a text runs.
 * @param index - Ordinal of the cell in a text; absent for all of them.
 * @returns `undefined` if the run did not end.
 */
export async function runDocument(
  { server, picker, kernel }: RunParts,
  document: Uri,
  title: string,
  more: RunMore,
  index?: number,
): Promise<RunResult | undefined> {
  const only = cellAt(document.toString());
  const notebook = only?.notebook ?? notebookAt(document);
  if (notebook) return kernel.run(notebook, requestCells(only ? [only] : notebook.getCells()), more);
  const cells = index === undefined ? {} : { cells: [{ index }] };
  const params = { runId: nextRunId(), uri: document.toString(), keep: true, ...cells, ...more };
  return picker.withEndpoint(
    document,
    () => showProgress(title, (token) => server.request("rpcNotebook/run", params, token).catch(() => undefined)), // the client has logged why
  );
}

/**
 * Runs cells and writes the results into the snapshot beside the file. Runs only when a person asks for it.
 *
 * @param document - A notebook, the text of one, or a cell of a notebook.
 * @param index - Ordinal of the cell in a text; absent for all of them.
 */
export async function updateSnapshot(parts: RunParts, document: Uri, index?: number): Promise<void> {
  const result = await runDocument(parts, document, l10n.t("Updating the snapshot"), { snapshot: "update" }, index);
  const { notes = [], fault } = result?.snapshot ?? {};
  if (fault !== undefined) void warn(fault);
  else if (notes.length > 0) void inform(notes.join(" "));
}
