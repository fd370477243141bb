import { commands, env, l10n, type NotebookCell, NotebookCellKind, Uri, window, workspace } from "vscode";
import { notebookStem } from "../../server/src/base/uri.ts";
import type { ExportPageParams } from "../../server/src/protocol/conversion.ts";
import type { Server } from "./languageClient.ts";
import { inform, warn } from "./messages.ts";
import { reportMime } from "./names.ts";
import { besideUri, isHeader, notebookAt } from "./notebook.ts";
import { replaceFile } from "./replaceFile.ts";

type PageCell = ExportPageParams["cells"][number];

/** Writes an open notebook, with the results that it shows, to an HTML page that a person chooses. Runs nothing. */
export async function exportPage(server: Server, extension: Uri, document: Uri): Promise<void> {
  const notebook = notebookAt(document);
  if (!notebook) return;
  const title = notebookStem(document.path.split("/").at(-1) ?? "");
  const target = await window.showSaveDialog({
    defaultUri: besideUri(document, `${title}.html`),
    filters: { HTML: ["html"] },
  });
  if (!target) return;
  const script = new TextDecoder().decode(await workspace.fs.readFile(Uri.joinPath(extension, "dist", "page.js")));
  const cells = notebook.getCells().map(pageCell);
  const page = await server.request("rpcNotebook/exportPage", { title, cells, script });
  if (!page) {
    const showLog = l10n.t("Show Log");
    const choice = await warn(l10n.t("The page could not be created. The log has the reason."), showLog);
    if (choice === showLog) await commands.executeCommand("rpcNotebook.showLog");
    return;
  }
  try {
    await replaceFile(target, page.text);
  } catch (error) {
    void warn(l10n.t("The page could not be written: {0}", error instanceof Error ? error.message : String(error)));
    return;
  }
  const open = l10n.t("Open");
  const saved = l10n.t("Saved {0}.", target.path.split("/").at(-1) ?? "");
  if ((await inform(saved, open)) === open) await openPage(target);
}

function pageCell(cell: NotebookCell): PageCell {
  const text = cell.document.getText();
  if (isHeader(cell)) return { kind: "header", text, reports: [] };
  if (cell.kind === NotebookCellKind.Markup) return { kind: "markdown", text, reports: [] };
  return { kind: "request", text, reports: cell.outputs.flatMap(({ items }) => items.flatMap(reportsIn)) };
}

function reportsIn({ mime, data }: NotebookCell["outputs"][number]["items"][number]): PageCell["reports"] {
  return mime === reportMime ? JSON.parse(new TextDecoder().decode(data)) : []; // written by our own kernel
}

/** Opens a page in the browser, or as text if it is not on this machine. */
async function openPage(page: Uri): Promise<void> {
  if (page.scheme === "file" && env.remoteName === undefined) await env.openExternal(page);
  else await commands.executeCommand("vscode.open", page);
}
