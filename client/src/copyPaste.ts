import { env, l10n, window } from "vscode";
import type { WireFormParams, WireFormResult } from "../../server/src/protocol/conversion.ts";
import { activeDocument } from "./active.ts";
import type { Server } from "./languageClient.ts";
import { inform, warn } from "./messages.ts";
import { fileLanguage, notebookType } from "./names.ts";
import { insertCells } from "./notebook.ts";
import { showNotes, toCells } from "./pasteConversion.ts";
import { labelText } from "./plainText.ts";
import type { TextView } from "./textView.ts";

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

/** Shows what a cell would send. @param given - As those of {@link copyAs}. */
export async function showWireForm(server: Server, textView: TextView, given: readonly unknown[]): Promise<void> {
  const form = await wireFormOf(server, given);
  if (form) await textView.show("text" in form ? form.text : form.unsent);
}

export async function copyWireForm(server: Server, given: readonly unknown[]): Promise<void> {
  const form = await wireFormOf(server, given);
  if (!form) return;
  if ("unsent" in form) return void warn(form.unsent);
  await env.clipboard.writeText(form.text);
  window.setStatusBarMessage(l10n.t("The wire form is on the clipboard."), 3000);
}

async function wireFormOf(server: Server, given: readonly unknown[]): Promise<WireFormResult> {
  const cell = cellMeant(given);
  const form = cell && (await server.request("rpcNotebook/wireForm", cell));
  if (!form) void inform(l10n.t("Put the cursor in a request first."));
  return form ?? null;
}

/** Returns the cell of a code lens or a menu, otherwise the selected one. */
export function cellMeant([first, second]: readonly unknown[]): WireFormParams | undefined {
  if (typeof first === "string" && typeof second === "number") return { uri: first, index: second };
  if (isCell(first)) return { uri: first.document.uri.toString() };
  const notebook = window.activeNotebookEditor;
  if (notebook?.notebook.notebookType === notebookType) {
    const at = notebook.selections[0]?.start ?? 0;
    return at < notebook.notebook.cellCount ? { uri: notebook.notebook.cellAt(at).document.uri.toString() } : undefined;
  }
  const text = window.activeTextEditor;
  if (text?.document.languageId !== fileLanguage) return undefined;
  return { uri: text.document.uri.toString(), offset: text.document.offsetAt(text.selection.active) };
}

function isCell(value: unknown): value is { readonly document: { readonly uri: { toString(): string } } } {
  return typeof value === "object" && value !== null && "document" in value && "notebook" in value;
}
