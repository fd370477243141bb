import {
  Disposable,
  EventEmitter,
  l10n,
  NotebookCellStatusBarAlignment,
  NotebookCellStatusBarItem,
  notebooks,
} from "vscode";
import { plural } from "../../server/src/base/text.ts";
import { headerValues } from "../../server/src/notebook/header.ts";
import { readCell } from "../../server/src/notebook/readCell.ts";
import type { Server } from "./languageClient.ts";
import { notebookType } from "./names.ts";
import { isHeader } from "./notebook.ts";
import { labelText } from "./plainText.ts";
import { clockText } from "./renderer/text.ts";
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

/** Returns what a header sets: endpoint, recording, chain, and how many of the rest. */
export function headerSummary(text: string): readonly string[] {
  const { endpoint, chainId, variables, labels, tokens, abi, recording } = headerValues(readCell(text));
  return [
    ...(endpoint === undefined ? [] : [hostOf(endpoint)]),
    ...(recording === undefined ? [] : ["recorded"]), // early, since the end of a long line is cut off
    ...(chainId === undefined ? [] : [`chain ${chainId}`]),
    ...count(variables.size, "variable"),
    ...count(labels.size, "label"),
    ...count(tokens.size, "token"),
    ...count(abi.length, "ABI"),
  ];
}

/** Returns the host of an address, whose path may contain a key, or the name of an endpoint. */
function hostOf(endpoint: string): string {
  return URL.canParse(endpoint) ? new URL(endpoint).host || "endpoint" : labelText(endpoint, 60);
}

function count(size: number, noun: string): readonly string[] {
  return size === 0 ? [] : [plural(size, noun)];
}
