import { type NotebookCell, type NotebookDocument, window } from "vscode";
import type { Server } from "./languageClient.ts";
import { inform, warn } from "./messages.ts";
import { besideUri } from "./notebook.ts";
import { fileStem } from "./saveRows.ts";

/** Asks for a file, and has the server write all calls of a trace to it, for speedscope. */
export async function saveProfile(
  server: Server,
  { uri }: NotebookDocument,
  cell: NotebookCell | undefined,
  rest: string,
): Promise<void> {
  const target = await window.showSaveDialog({
    defaultUri: besideUri(uri, `${fileStem(cell?.document.getText() ?? "")}.speedscope.json`),
    filters: { speedscope: ["json"] },
  });
  if (!target) return;
  const saved = await server.request("rpcNotebook/saveProfile", { uri: target.toString(), rest });
  void ("note" in saved ? inform(saved.note) : warn(saved.fault));
}
