import { type Disposable, l10n, NotebookCellStatusBarAlignment, NotebookCellStatusBarItem, notebooks } from "vscode";
import { headerSummary } from "./headerSummary.ts";
import { notebookType } from "./names.ts";
import { isHeader } from "./notebook.ts";

/** Labels the header cell, and says in one line what it sets. The server folds its text. */
export function registerHeaderStatus(): Disposable {
  return notebooks.registerNotebookCellStatusBarItemProvider(notebookType, {
    provideCellStatusBarItems(cell) {
      if (!isHeader(cell)) return undefined;
      const summary = [l10n.t("Notebook settings"), ...headerSummary(cell.document.getText())].join(" · ");
      const item = new NotebookCellStatusBarItem(`$(settings-gear) ${summary}`, NotebookCellStatusBarAlignment.Left);
      item.priority = 100;
      item.tooltip = l10n.t("Open as JSON");
      item.command = "rpcNotebook.openAsJson";
      item.accessibilityInformation = { label: summary, role: "button" };
      return item;
    },
  });
}
