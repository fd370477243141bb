import { type Uri, window } from "vscode";
import type { ResultAction } from "../../server/src/protocol/runs.ts";
import type { Server } from "./languageClient.ts";
import { inform, warn } from "./messages.ts";
import { besideUri } from "./notebook.ts";

type SaveRows = Extract<ResultAction, { readonly kind: "save-rows" }>;

/** Asks for a file, and has the server write all rows of a table to it. */
export async function saveRows(server: Server, notebook: Uri, { rest, name }: SaveRows): Promise<void> {
  const target = await window.showSaveDialog({
    defaultUri: besideUri(notebook, `${name.replace(/[^\p{L}\p{N}]+/gu, "-")}.csv`),
    filters: { CSV: ["csv"], JSON: ["json"] },
  });
  if (!target) return;
  const saved = await server.request("rpcNotebook/saveRows", { uri: target.toString(), rest });
  void ("note" in saved ? inform(saved.note) : warn(saved.fault));
}
