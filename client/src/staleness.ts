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

/** Shows in the status bar of a cell that its result is stale. The server says which are. */
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
        const staleness = await server.request("rpcNotebook/staleness", params, token).catch(() => null); // asked again later
        if (staleness === null) return undefined;
        const item = new NotebookCellStatusBarItem(
          `$(history) ${staleness.label}`,
          NotebookCellStatusBarAlignment.Left,
        );
        item.tooltip = staleness.why;
        item.accessibilityInformation = { label: l10n.t("Result: {0}", staleness.why) };
        return item;
      },
    }),
  );
}
