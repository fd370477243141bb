import type { NotebookCell, NotebookDocument, QuickPickItem, Uri } from "vscode";
import { env, l10n, window, workspace } from "vscode";
import type { ExplainResult } from "../../server/src/protocol/conversion.ts";
import type { EndpointPicker } from "./endpointPicker.ts";
import type { Server } from "./languageClient.ts";
import { inform, warn } from "./messages.ts";
import { notebookType } from "./names.ts";
import { insertCells, newUri, requestCells, runCell } from "./notebook.ts";
import { toCells } from "./pasteConversion.ts";
import { labelText } from "./plainText.ts";

type Reading = ExplainResult["readings"][number];

/**
 * Says what a text is: the selection, or what a person types or has copied. Puts the cells of the reading that they choose
 * below the selected cell, and runs the first one if it only reads.
 */
export async function explain(server: Server, picker: EndpointPicker): Promise<void> {
  const text = selectedText() ?? (await askForText(server));
  if (text === undefined || text.trim() === "") return;
  const open = openNotebook();
  const { readings, note } = await server.request("rpcNotebook/explain", paramsFor(text, open?.uri));
  if (readings.length === 0) {
    void warn(note ?? l10n.t("Nothing was recognized."));
    return;
  }
  const at = readings.length === 1 ? 0 : await choose(readings);
  const chosen = at === undefined ? undefined : readings[at];
  if (!chosen) return;
  if (chosen.cells.length === 0) void inform(`${chosen.name}. ${chosen.what}`);
  else if (open) await insert(open, chosen);
  else await insertIntoNew(server, picker, text, chosen.name);
}

function paramsFor(text: string, uri: Uri | undefined) {
  return { text, ...(uri && { uri: uri.toString() }) };
}

function selectedText(): string | undefined {
  const editor = window.activeTextEditor;
  if (!editor || editor.selection.isEmpty) return undefined;
  return editor.document.getText(editor.selection);
}

/** Characters of the clipboard that the box shows. */
const maxShown = 1000;

/** Asks in a box that has the text of the clipboard already, if that can be explained. */
async function askForText(server: Server): Promise<string | undefined> {
  const copied = await env.clipboard.readText();
  const { readings } =
    copied.trim() === "" ? { readings: [] } : await server.request("rpcNotebook/explain", { text: copied });
  const value = readings.length === 0 ? "" : copied.trim().replace(/\s+/g, " ").slice(0, maxShown);
  const typed = await window.showInputBox({
    prompt: l10n.t("A hash, an address, a block, call data, JSON, a block explorer page, or an error message"),
    placeHolder: "0x…",
    value,
    ignoreFocusOut: true,
  });
  return typed === value && value !== "" ? copied : typed;
}

async function choose(readings: readonly Reading[]): Promise<number | undefined> {
  const items = readings.map(({ name, what }, at): QuickPickItem & { readonly at: number } => ({
    label: labelText(name),
    detail: labelText(what),
    at,
  }));
  const picked = await window.showQuickPick(items, { placeHolder: l10n.t("What is it?"), matchOnDetail: true });
  return picked?.at;
}

/**
 * Puts the cells of the best reading of a text below a cell, without a question.
 *
 * @param runs - Whether to run the first of them, if they only read.
 */
export async function explainBelow(
  server: Server,
  notebook: NotebookDocument,
  cell: NotebookCell | undefined,
  text: string,
  runs: boolean,
): Promise<void> {
  const { readings, note, best: at = -1 } = await server.request("rpcNotebook/explain", paramsFor(text, notebook.uri));
  const best = readings[at];
  if (best) await insertBelow(notebook, cell, best, runs);
  else void warn(note ?? readings[0]?.what ?? l10n.t("Nothing was recognized."));
}

/** The notebook that a person works on, or one that they see. */
function openNotebook(): NotebookDocument | undefined {
  const editors = [window.activeNotebookEditor, ...window.visibleNotebookEditors];
  return editors.find((editor) => editor?.notebook.notebookType === notebookType)?.notebook;
}

async function insertIntoNew(server: Server, picker: EndpointPicker, text: string, name: string): Promise<void> {
  const uri = newUri();
  if (!(await picker.begin(uri).catch(() => true))) return;
  const notebook = await workspace.openNotebookDocument(uri);
  await window.showNotebookDocument(notebook);
  const { readings } = await server.request("rpcNotebook/explain", paramsFor(text, uri)); // now for its endpoint
  const chosen = readings.find((one) => one.name === name) ?? readings[0];
  if (chosen) await insert(notebook, chosen);
}

async function insert(notebook: NotebookDocument, reading: Reading): Promise<void> {
  const editor = window.visibleNotebookEditors.find((one) => one.notebook === notebook);
  const selected = editor?.selections[0]?.start;
  const below = selected === undefined ? undefined : notebook.getCells()[selected];
  await insertBelow(notebook, below, reading, true);
}

async function insertBelow(
  notebook: NotebookDocument,
  below: NotebookCell | undefined,
  { cells, unsent, what }: Reading,
  runs: boolean,
): Promise<void> {
  const at = await insertCells(notebook, below, toCells(cells));
  if (at === undefined) return;
  window.setStatusBarMessage(labelText(what), 10_000);
  const [first] = requestCells(notebook.getCells().slice(at, at + cells.length));
  if (first && unsent === undefined && runs) await runCell(first);
}
