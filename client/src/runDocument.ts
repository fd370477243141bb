import type { Uri } from "vscode";
import type { RunResult } from "../../server/src/protocol/runs.ts";
import type { EndpointPicker } from "./endpointPicker.ts";
import type { Kernel, RunMore } from "./kernel.ts";
import type { Server } from "./languageClient.ts";
import { showProgress } from "./messages.ts";
import { cellAt, notebookAt, requestCells } from "./notebook.ts";
import { nextRunId } from "./runId.ts";

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
