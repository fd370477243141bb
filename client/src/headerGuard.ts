import type { Disposable, NotebookCell, NotebookDocument, NotebookDocumentChangeEvent } from "vscode";
import { commands, NotebookCellKind, NotebookEdit, NotebookRange, workspace } from "vscode";
import type { HeaderFix } from "./headerFix.ts";
import { headerFix } from "./headerFix.ts";
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
