import {
  commands,
  Disposable,
  type NotebookCell,
  NotebookCellData,
  NotebookCellKind,
  type NotebookDocument,
  NotebookEdit,
  NotebookRange,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from "vscode";
import { cellLanguage, notebookType } from "./names.ts";

/** Whether the codec has marked the cell as the header. A copy of the header is an ordinary cell. */
export function isHeader(cell: NotebookCell): boolean {
  return cell.metadata.header === true;
}

/** Returns the cells that can be run. */
export function requestCells(cells: readonly NotebookCell[]): readonly NotebookCell[] {
  return cells.filter((cell) => cell.kind === NotebookCellKind.Code && !isHeader(cell));
}

export function requestCell(text: string): NotebookCellData {
  return new NotebookCellData(NotebookCellKind.Code, text, cellLanguage);
}

/** Returns the notebooks of ours that are open. */
export function openNotebooks(): readonly NotebookDocument[] {
  return workspace.notebookDocuments.filter((notebook) => notebook.notebookType === notebookType);
}

export function notebookAt(document: Uri): NotebookDocument | undefined {
  return openNotebooks().find(({ uri }) => uri.toString() === document.toString());
}

/** Changes the cells or the metadata of a notebook. @returns Whether that worked. */
export function editNotebook({ uri }: NotebookDocument, ...edits: readonly NotebookEdit[]): Thenable<boolean> {
  const edit = new WorkspaceEdit();
  edit.set(uri, [...edits]);
  return workspace.applyEdit(edit);
}

export function cellAt(uri: string): NotebookCell | undefined {
  return openNotebooks()
    .flatMap((notebook) => notebook.getCells())
    .find(({ document }) => document.uri.toString() === uri);
}

/** Runs a cell as its button does. */
export async function runCell({ index, notebook }: NotebookCell): Promise<void> {
  const ranges = [{ start: index, end: index + 1 }];
  await commands.executeCommand("notebook.cell.execute", { ranges, document: notebook.uri });
}

/** Returns a path for a new notebook. The editor's own would end in `.json`, and the saved file would not be a notebook. */
export function newUri(base = "Untitled"): Uri {
  const taken = new Set(workspace.notebookDocuments.map(({ uri }) => uri.path));
  for (let number = 1; ; number++) {
    const path = `${base}-${number}.rpc.json`;
    if (!taken.has(path)) return Uri.from({ scheme: "untitled", path });
  }
}

/** Returns the file to suggest for something that is made from a document: beside it, or in the workspace if it is new. */
export function besideUri(document: Uri, name: string): Uri {
  if (document.scheme !== "untitled") return Uri.joinPath(document, "..", name);
  const folder = workspace.workspaceFolders?.[0]?.uri;
  return folder ? Uri.joinPath(folder, name) : Uri.file(name);
}

/** Whether a cell is a request that has no text yet, so that it can be replaced. */
export function isEmptyRequest(cell: NotebookCell): boolean {
  return requestCells([cell]).length > 0 && cell.document.getText().trim() === "";
}

/**
 * Inserts cells below a cell, or in place of it if it is empty, and selects the first of them.
 *
 * @param cell - If it is absent, the cells are inserted at the end.
 * @returns The index of the first cell; `undefined` if none was inserted.
 */
export async function insertCells(
  notebook: NotebookDocument,
  cell: NotebookCell | undefined,
  cells: readonly NotebookCellData[],
): Promise<number | undefined> {
  const isReplaced = cell !== undefined && isEmptyRequest(cell);
  const at = cell === undefined ? notebook.cellCount : cell.index + (isReplaced ? 0 : 1);
  const edit = isReplaced
    ? NotebookEdit.replaceCells(new NotebookRange(at, at + 1), [...cells])
    : NotebookEdit.insertCells(at, [...cells]);
  if (cells.length === 0 || !(await editNotebook(notebook, edit))) return undefined;
  await window.showNotebookDocument(notebook, { selections: [new NotebookRange(at, at + 1)] });
  return at;
}

/** Puts a header before the cells of an open notebook that has none. The same cells stay selected. */
export async function insertHeader(uri: string, text: string): Promise<void> {
  const notebook = openNotebooks().find((one) => one.uri.toString() === uri);
  const header = requestCell(text);
  header.metadata = { header: true };
  if (!notebook) return;
  const editors = window.visibleNotebookEditors.filter((one) => one.notebook === notebook);
  const selected = editors.map(({ selections }) => selections);
  if (!(await editNotebook(notebook, NotebookEdit.insertCells(0, [header])))) return;
  // VS Code keeps the numbers of the selected cells, and those are of other cells now
  for (const [at, editor] of editors.entries())
    editor.selections = (selected[at] ?? []).map(({ start, end }) => new NotebookRange(start + 1, end + 1));
}

/**
 * Calls a function when an untitled notebook has been saved as a file. The editor opens the file without cells and fills
 * them in, and closes the untitled notebook after that.
 */
export function onSavedAs(handle: (from: NotebookDocument, to: NotebookDocument) => void): Disposable {
  const look = (to: NotebookDocument): void => {
    if (to.notebookType !== notebookType || to.isUntitled || to.cellCount === 0) return;
    const cells = contents(to);
    const from = openNotebooks().find((one) => one.isUntitled && contents(one) === cells);
    if (from) handle(from, to);
  };
  return Disposable.from(
    workspace.onDidOpenNotebookDocument(look),
    workspace.onDidChangeNotebookDocument(
      ({ notebook, contentChanges }) => contentChanges.length > 0 && look(notebook),
    ),
  );
}

function contents(notebook: NotebookDocument): string {
  return JSON.stringify(notebook.getCells().map(({ kind, document }) => [kind, document.getText()]));
}
