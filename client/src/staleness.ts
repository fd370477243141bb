import {
  Disposable,
  EventEmitter,
  l10n,
  NotebookCellStatusBarAlignment,
  NotebookCellStatusBarItem,
  notebooks,
} from "vscode";
import type { Server } from "./languageClient.ts";
import { notebookType } from "./names.ts";

/** Marks results that are no longer what their cells would give, in the status bar of the cell. The server says which. */
export function registerStaleness(server: Server): Disposable {
  const changed = new EventEmitter<void>();
  const refresh = (): void => changed.fire();
  return Disposable.from(
    changed,
    server.onResultsChanged(refresh),
    server.onStarted(refresh),
    notebooks.registerNotebookCellStatusBarItemProvider(notebookType, {
      onDidChangeCellStatusBarItems: changed.event,
      async provideCellStatusBarItems({ document, outputs, executionSummary }, token) {
        const isResult = outputs.length > 0 && executionSummary?.success !== undefined; // else it is still running
        if (!isResult) return undefined;
        const params = { uri: document.uri.toString() };
        const found = await server.request("rpcNotebook/staleness", params, token).catch(() => null); // asked again later
        if (found === null) return undefined;
        const item = new NotebookCellStatusBarItem(`$(history) ${found.label}`, NotebookCellStatusBarAlignment.Left);
        item.tooltip = found.why;
        item.accessibilityInformation = { label: l10n.t("Result: {0}", found.why) };
        return item;
      },
    }),
  );
}
