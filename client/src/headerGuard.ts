import type { Disposable, NotebookCell, NotebookDocument, NotebookDocumentChangeEvent } from "vscode";
import { commands, NotebookCellData, NotebookEdit, NotebookRange, WorkspaceEdit, workspace } from "vscode";
import type { HeaderFix } from "./headerFix.ts";
import { headerFix } from "./headerFix.ts";
import { notebookType } from "./names.ts";
import { isHeader } from "./notebook.ts";

/**
 * Keeps the header cell first and undeleted; the editor has no such thing of its own.
 *
 * Undoing a mend brings the fault back. It is answered by undoing once more, so that whoever undoes gets to the state
 * before their own edit; mending again would hold them there for ever.
 */
export function registerHeaderGuard(): Disposable {
  let mending = false;
  /** Cells that the last change put in, where it was a mend. */
  let mended: readonly NotebookCell[] | undefined;
  return workspace.onDidChangeNotebookDocument(async (event) => {
    if (event.notebook.notebookType !== notebookType || event.contentChanges.length === 0) return;
    if (mending) {
      mended = event.contentChanges.flatMap(({ addedCells }) => addedCells);
      return;
    }
    const fix = headerFix(event.notebook.getCells(), removedCells(event), isHeader);
    const undone = mended !== undefined && same(removedCells(event), mended);
    mended = undefined;
    if (fix === undefined) return;
    if (undone) {
      await commands.executeCommand("undo");
      return;
    }
    mending = true;
    try {
      await mend(event.notebook, fix);
    } finally {
      mending = false;
    }
  });
}

async function mend(notebook: NotebookDocument, fix: HeaderFix<NotebookCell>): Promise<void> {
  const { kind, document, metadata, outputs } = fix.header;
  const header = new NotebookCellData(kind, document.getText(), document.languageId);
  header.metadata = metadata;
  header.outputs = [...outputs];
  const edits = [NotebookEdit.insertCells(0, [header])];
  if (fix.kind === "move") edits.push(NotebookEdit.deleteCells(new NotebookRange(fix.from, fix.from + 1)));
  const edit = new WorkspaceEdit();
  edit.set(notebook.uri, edits);
  await workspace.applyEdit(edit);
}

function removedCells(event: NotebookDocumentChangeEvent): readonly NotebookCell[] {
  return event.contentChanges.flatMap(({ removedCells: cells }) => cells);
}

function same(some: readonly NotebookCell[], others: readonly NotebookCell[]): boolean {
  return some.length === others.length && some.every((cell, index) => cell === others[index]);
}
