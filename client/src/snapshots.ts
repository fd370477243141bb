import type { Uri } from "vscode";
import { l10n, NotebookCellKind, ProgressLocation, window, workspace } from "vscode";
import type { RunResult } from "../../server/src/protocol/runs.ts";
import type { EndpointPicker } from "./endpointPicker.ts";
import type { Kernel } from "./kernel.ts";
import type { Server } from "./languageClient.ts";
import { inform, warn } from "./messages.ts";
import { notebookType } from "./names.ts";
import { isHeader } from "./notebook.ts";
import { nextRunId } from "./runId.ts";

/**
 * Runs cells and writes the results into the snapshot beside the file. Runs only when a person asks for it.
 *
 * @param document - A notebook, the text of one, or a cell of a notebook.
 * @param index - Ordinal of the cell in a text; absent for all of them.
 */
export async function updateSnapshot(
  server: Server,
  picker: EndpointPicker,
  kernel: Kernel,
  document: Uri,
  index?: number,
): Promise<void> {
  for (const notebook of workspace.notebookDocuments) {
    if (notebook.notebookType !== notebookType) continue;
    const cells = notebook.getCells().filter((cell) => cell.kind === NotebookCellKind.Code && !isHeader(cell));
    const only = cells.filter((cell) => cell.document.uri.toString() === document.toString());
    const isWhole = notebook.uri.toString() === document.toString();
    if (isWhole || only.length > 0)
      return report(await kernel.run(notebook, isWhole ? cells : only, { snapshot: "update" }));
  }
  if (!(await picker.ensure(document))) return;
  const options = {
    location: ProgressLocation.Notification,
    title: l10n.t("Updating the snapshot"),
    cancellable: true,
  };
  const params = {
    runId: nextRunId(),
    uri: document.toString(),
    snapshot: "update" as const,
    ...(index !== undefined && { cells: [{ index }] }),
  };
  const request = (token: Parameters<Server["request"]>[2]) => server.request("rpcNotebook/run", params, token);
  report(await window.withProgress(options, (_, token) => request(token).catch(() => undefined))); // the client has logged why
}

function report(result: RunResult | undefined): void {
  const { notes = [], fault } = result?.snapshot ?? {};
  if (fault !== undefined) void warn(fault);
  else if (notes.length > 0) void inform(notes.join(" "));
}
