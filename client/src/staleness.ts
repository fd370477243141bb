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
import { clockText } from "./renderer/clock.ts";
import type { ResultKeeper } from "./resultKeeper.ts";

/** Shows in the status bar of a cell that its result is stale, or from when it is. The server says which are stale. */
export function registerStaleness(server: Server, keeper: ResultKeeper): Disposable {
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
        const uri = document.uri.toString();
        const kept = keeper.of(uri);
        const params = { uri, ...(kept && { origin: kept.origin }) };
        const staleness = await server.request("rpcNotebook/staleness", params, token).catch(() => null); // asked again later
        const from = kept?.isEarlier ? l10n.t("from {0}", clockText(kept.output.startedAt)) : undefined;
        if (staleness === null && from === undefined) return undefined;
        const label = [staleness?.label, from].filter(Boolean).join(", ");
        const item = new NotebookCellStatusBarItem(`$(history) ${label}`, NotebookCellStatusBarAlignment.Left);
        item.tooltip =
          staleness?.why ?? l10n.t("This result is from an earlier session. Run the cell again for a new one.");
        item.accessibilityInformation = { label: l10n.t("Result: {0}", `${label}. ${item.tooltip}`) };
        return item;
      },
    }),
  );
}
