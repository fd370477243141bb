import { l10n, type NotebookCell, type NotebookDocument, window } from "vscode";
import { readCell } from "../../server/src/notebook/readCell.ts";
import type { ResultAction, RowsToSave } from "../../server/src/protocol/runs.ts";
import type { Server } from "./languageClient.ts";
import { inform, showProgress, warn } from "./messages.ts";
import { besideUri } from "./notebook.ts";

type SaveRows = Extract<ResultAction, { readonly kind: "save-rows" }>;

/** Asks which rows if some are filtered, then for a file, and has the server write them to it. */
export async function saveRows(
  server: Server,
  { uri }: NotebookDocument,
  cell: NotebookCell | undefined,
  { all, filtered }: SaveRows,
): Promise<void> {
  const chosen = filtered ? await pickRows(all, filtered) : all;
  if (!chosen) return;
  const text = cell?.document.getText() ?? "";
  const hasLogs = chosen === all && readCell(text).requests[0]?.method === "eth_getLogs";
  const target = await window.showSaveDialog({
    defaultUri: besideUri(uri, `${fileStem(text)}.csv`),
    filters: { CSV: ["csv"], JSON: ["json"], ...(hasLogs && { Parquet: ["parquet"], NDJSON: ["ndjson"] }) },
  });
  if (!target) return;
  const { total: _, ...rows } = chosen;
  const whole = cell && chosen === all ? { cell: cell.document.uri.toString() } : {};
  const params = { uri: target.toString(), ...rows, ...whole };
  const saved = await showProgress(l10n.t("Saving rows"), (token, report) =>
    server.request("rpcNotebook/saveRows", params, token, report),
  );
  void ("note" in saved ? inform(saved.note) : warn(saved.fault));
}

async function pickRows(all: RowsToSave, filtered: RowsToSave): Promise<RowsToSave | undefined> {
  const count = ({ total }: RowsToSave): string => total.toLocaleString("en");
  const items = [
    { label: l10n.t("Filtered rows"), description: count(filtered), rows: filtered },
    { label: l10n.t("All rows"), description: count(all), rows: all },
  ];
  return (await window.showQuickPick(items, { title: l10n.t("Rows to Save") }))?.rows;
}

/** Names the file of a cell's rows after the cell, or else after its method. */
function fileStem(text: string): string {
  const [request] = readCell(text).requests;
  const name = request?.name ?? request?.method ?? "";
  return (
    name
      .replace(/[^\p{L}\p{N}_]+/gu, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 80) || "rows"
  );
}

/** Asks for a file, and has the server write all calls of a trace to it, for speedscope. */
export async function saveProfile(
  server: Server,
  { uri }: NotebookDocument,
  cell: NotebookCell | undefined,
  rest: string,
): Promise<void> {
  const target = await window.showSaveDialog({
    defaultUri: besideUri(uri, `${fileStem(cell?.document.getText() ?? "")}.speedscope.json`),
    filters: { speedscope: ["json"] },
  });
  if (!target) return;
  const saved = await server.request("rpcNotebook/saveProfile", { uri: target.toString(), rest });
  void ("note" in saved ? inform(saved.note) : warn(saved.fault));
}
