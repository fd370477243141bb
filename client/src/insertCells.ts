import type { NotebookCell, NotebookCellData, NotebookDocument } from "vscode";
import { NotebookEdit, NotebookRange, window } from "vscode";
import { editNotebook, openNotebooks, requestCell, requestCells } from "./notebook.ts";

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
