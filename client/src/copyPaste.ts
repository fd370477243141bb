import { env, l10n, window } from "vscode";
import { activeDocument } from "./active.ts";
import { insertCells } from "./insertCells.ts";
import type { Server } from "./languageClient.ts";
import { inform, warn } from "./messages.ts";
import { notebookType } from "./names.ts";
import { showNotes, toCells } from "./pasteConversion.ts";
import { labelText } from "./plainText.ts";
import { cellMeant } from "./wireForm.ts";

/** @param given - The arguments of a code lens or of the menu of a notebook's cell; none from the command palette. */
export async function copyAs(server: Server, given: readonly unknown[]): Promise<void> {
  const cell = cellMeant(given);
  // in a browser there is no shell; elsewhere VS Code reports each use of `navigator` as an error
  const host = env.shell === "" ? { system: globalThis.navigator.platform } : { shell: env.shell };
  const { targets } = await server.request("rpcNotebook/exportTargets", host);
  const target = cell && (await window.showQuickPick(targets, { placeHolder: l10n.t("Copy the request as…") }));
  if (cell && !target) return;
  const made = cell && target && (await server.request("rpcNotebook/export", { ...cell, ...target }));
  if (!made) {
    void inform(l10n.t("Put the cursor in a request first."));
    return;
  }
  await env.clipboard.writeText(made.text);
  const [note] = made.notes;
  if (note) void warn(note.what);
  else window.setStatusBarMessage(l10n.t("The request is on the clipboard."), 3000);
}

/** Inserts what another tool has copied: below the selected cell or in its place if it is empty, or at the cursor of a text. */
export async function pasteAsRequest(server: Server): Promise<void> {
  const uri = activeDocument()?.toString();
  const { cells, notes, summary, needsEndpoint } = await server.request("rpcNotebook/import", {
    text: await env.clipboard.readText(),
    ...(uri !== undefined && { uri }),
  });
  if (cells.length === 0) {
    void warn(notes[0] ?? l10n.t("The clipboard does not contain a request. Copy one first."));
    return;
  }
  const editor = window.activeNotebookEditor;
  if (editor?.notebook.notebookType === notebookType) {
    const { notebook, selections } = editor;
    const last = selections[0] && notebook.getCells()[selections[0].end - 1];
    await insertCells(notebook, last, toCells(cells));
  } else {
    const requests = cells.filter(({ kind }) => kind === "request").map(({ text }) => text);
    await window.activeTextEditor?.edit((builder) => {
      for (const selection of window.activeTextEditor?.selections ?? [])
        builder.replace(selection, requests.join(",\n"));
    });
  }
  if (notes.length > 0) await showNotes(notes, needsEndpoint);
  else if (summary !== undefined) window.setStatusBarMessage(labelText(summary), 10_000);
}
