import { l10n, NotebookCellOutput, NotebookCellOutputItem } from "vscode";
import type { CellOutput } from "../../server/src/report/cellOutput.ts";
import { reportMime } from "./names.ts";

/** One result in three forms: for our renderer, for screen readers and other hosts, for programs. */
export function notebookOutput({
  reports,
  text,
  json,
}: Pick<CellOutput, "reports" | "text" | "json">): NotebookCellOutput {
  const forms = [NotebookCellOutputItem.json(reports, reportMime), NotebookCellOutputItem.text(text, "text/plain")];
  return new NotebookCellOutput(
    json === "" ? forms : [...forms, NotebookCellOutputItem.text(json, "application/json")],
  );
}

/** What a cell shows until its result comes: why it waits, and what has come of it so far. */
export function waitingOutput(why: string, reports?: CellOutput["reports"]): NotebookCellOutput {
  const soFar = reports ? [NotebookCellOutputItem.json(reports, reportMime)] : [];
  return new NotebookCellOutput([...soFar, NotebookCellOutputItem.text(why, "text/plain")]);
}

/** For a cell that the server ended without: the only result that is not the server's. */
export function brokenOff(title: string): Pick<CellOutput, "reports" | "text" | "json"> {
  const what = l10n.t("The language server gave no result. It ended during the run, or did not start.");
  const todo = l10n.t("Run the cell again. The log has the reason: command “RPC Notebook: Show Log”.");
  const report: CellOutput["reports"][number] = {
    title,
    summary: l10n.t("no result"),
    status: "failed",
    sections: [{ kind: "failure", what, todo, fields: [] }],
    facts: [],
  };
  return { reports: [report], text: `${what}\n${todo}`, json: "" };
}
