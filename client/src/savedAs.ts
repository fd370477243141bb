import { Disposable, type NotebookDocument, workspace } from "vscode";
import { notebookType } from "./names.ts";
import { openNotebooks } from "./notebook.ts";

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
