import {
  commands,
  type Disposable,
  type NotebookCell,
  NotebookCellKind,
  type NotebookDocument,
  type NotebookDocumentChangeEvent,
  NotebookEdit,
  NotebookRange,
  workspace,
} from "vscode";
import { notebookType } from "./names.ts";
import { editNotebook, isHeader, requestCell } from "./notebook.ts";

/**
 * Keeps the header cell first and a code cell, and restores it when it is deleted: the editor cannot protect a cell.
 *
 * Undoing a restoration brings the mistake back. The guard then undoes once more, to the state before the person's own
 * edit. Restoring again would make it impossible to undo that edit.
 */
export function registerHeaderGuard(): Disposable {
  let isRestoring = false;
  /** Cells that the last change added, if it was a restoration. */
  let restored: readonly NotebookCell[] | undefined;
  return workspace.onDidChangeNotebookDocument(async (event) => {
    if (event.notebook.notebookType !== notebookType || event.contentChanges.length === 0) return;
    if (isRestoring) {
      restored = event.contentChanges.flatMap(({ addedCells }) => addedCells);
      return;
    }
    const fix = headerFix(event.notebook.getCells(), removedCells(event), isHeader, isCode);
    const isUndone = restored !== undefined && same(removedCells(event), restored);
    restored = undefined;
    if (fix === undefined) return;
    if (isUndone) {
      await commands.executeCommand("undo");
      return;
    }
    isRestoring = true;
    try {
      await restoreHeader(event.notebook, fix);
    } finally {
      isRestoring = false;
    }
  });
}

async function restoreHeader(notebook: NotebookDocument, fix: HeaderFix<NotebookCell>): Promise<void> {
  const { document, metadata, outputs } = fix.header;
  const header = requestCell(document.getText());
  header.metadata = metadata;
  header.outputs = [...outputs];
  const replaced = new NotebookRange(0, fix.kind === "convert" ? 1 : 0);
  const edits = [NotebookEdit.replaceCells(replaced, [header])];
  if (fix.kind === "move") edits.push(NotebookEdit.deleteCells(new NotebookRange(fix.from, fix.from + 1)));
  await editNotebook(notebook, ...edits);
}

function removedCells(event: NotebookDocumentChangeEvent): readonly NotebookCell[] {
  return event.contentChanges.flatMap(({ removedCells: cells }) => cells);
}

function isCode(cell: NotebookCell): boolean {
  return cell.kind === NotebookCellKind.Code;
}

function same(some: readonly NotebookCell[], others: readonly NotebookCell[]): boolean {
  return some.length === others.length && some.every((cell, index) => cell === others[index]);
}

/** An edit that brings the header back to the top, as a code cell. */
type HeaderFix<C> =
  | { readonly kind: "restore"; readonly header: C }
  | { readonly kind: "move"; readonly header: C; readonly from: number }
  | { readonly kind: "convert"; readonly header: C };

/**
 * Returns the edit that brings the header back after a change.
 *
 * @param cells - All cells after the change.
 * @param removed - Cells that the change removed.
 * @param isCode - Distinguishes a header that has become Markdown.
 * @returns `undefined` if the header is first and a code cell, or there was none.
 */
export function headerFix<C>(
  cells: readonly C[],
  removed: readonly C[],
  isHeader: (cell: C) => boolean,
  isCode: (cell: C) => boolean,
): HeaderFix<C> | undefined {
  const from = cells.findIndex(isHeader);
  const header = from < 0 ? removed.find(isHeader) : cells[from];
  if (header === undefined) return undefined;
  if (from < 0) return { kind: "restore", header };
  if (from > 0) return { kind: "move", header, from };
  return isCode(header) ? undefined : { kind: "convert", header };
}
