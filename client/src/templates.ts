import type { NotebookDocument, NotebookEditor, TextEditor } from "vscode";
import {
  commands,
  l10n,
  NotebookEdit,
  NotebookRange,
  Range,
  SnippetString,
  SnippetTextEdit,
  WorkspaceEdit,
  window,
  workspace,
} from "vscode";
import type { Server } from "./languageClient.ts";
import { notebookType } from "./names.ts";
import { editNotebook, isEmptyRequest, newUri, requestCell } from "./notebook.ts";

/** Opens a new notebook with one cell, and offers templates for it. */
export async function newFromTemplate(server: Server): Promise<void> {
  const notebook = await workspace.openNotebookDocument(newUri());
  await insertEmpty(notebook, notebook.cellCount);
  await insertTemplate(server, await window.showNotebookDocument(notebook));
}

/** Inserts a template into the selected cell if that is empty, and into a new cell below it if not. */
export async function insertTemplate(server: Server, editor = window.activeNotebookEditor): Promise<void> {
  if (editor?.notebook.notebookType !== notebookType) return;
  const { notebook } = editor;
  const { templates } = await server.request("rpcNotebook/templates", { uri: notebook.uri.toString() });
  const picked = await window.showQuickPick(
    templates.map(({ label, detail, insert }) => ({ label, detail, insert })),
    { placeHolder: l10n.t("Choose a template"), matchOnDetail: true },
  );
  if (picked === undefined) return;
  await fill(editor, await emptyCell(editor), picked.insert);
}

async function emptyCell({ notebook, selections }: NotebookEditor): Promise<number> {
  const at = Math.min(selections[0]?.start ?? notebook.cellCount, notebook.cellCount);
  const cell = notebook.getCells()[at];
  if (cell && isEmptyRequest(cell)) return at;
  const below = Math.min(at + 1, notebook.cellCount);
  await insertEmpty(notebook, below);
  return below;
}

async function insertEmpty(notebook: NotebookDocument, at: number): Promise<void> {
  await editNotebook(notebook, NotebookEdit.insertCells(at, [requestCell("")]));
}

/** Writes a snippet into a cell with the cursor at its first stop. */
async function fill(editor: NotebookEditor, at: number, snippet: string): Promise<void> {
  const { document } = editor.notebook.cellAt(at);
  editor.selections = [new NotebookRange(at, at + 1)];
  editor.revealRange(new NotebookRange(at, at + 1));
  const whole = new Range(0, 0, document.lineCount, 0);
  const opened = editorOf(document.uri.toString());
  await commands.executeCommand("notebook.cell.edit");
  const cell = await opened;
  if (cell && (await cell.insertSnippet(new SnippetString(snippet), whole))) return;
  const edit = new WorkspaceEdit();
  edit.set(document.uri, [new SnippetTextEdit(whole, new SnippetString(snippet))]);
  await workspace.applyEdit(edit);
}

/** Milliseconds to wait for the editor of a cell. */
const maxWaitMs = 2000;

/** Resolves when the cell has the cursor; with `undefined` if it does not get it in time. */
function editorOf(cell: string): Promise<TextEditor | undefined> {
  const isIt = (editor: TextEditor | undefined): boolean => editor?.document.uri.toString() === cell;
  if (isIt(window.activeTextEditor)) return Promise.resolve(window.activeTextEditor);
  return new Promise((resolve) => {
    const finish = (editor: TextEditor | undefined): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve(editor);
    };
    const listener = window.onDidChangeActiveTextEditor((editor) => isIt(editor) && finish(editor));
    const timer = setTimeout(() => finish(undefined), maxWaitMs);
  });
}
