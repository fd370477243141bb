import { l10n, NotebookCellOutput, NotebookCellOutputItem } from "vscode";
import type { CellOutput } from "../../server/src/report/report.ts";
import { reportMime } from "./names.ts";

/** A result as a cell shows it. */
export interface ShownOutput {
  readonly reports: CellOutput["reports"];
  readonly text: string;
  readonly json: string;
}

/** Returns a result in three forms: for our renderer, for screen readers and other hosts, for programs. */
export function notebookOutput({ reports, text, json }: ShownOutput): NotebookCellOutput {
  const forms = [NotebookCellOutputItem.json(reports, reportMime), NotebookCellOutputItem.text(text, "text/plain")];
  return new NotebookCellOutput(
    json === "" ? forms : [...forms, NotebookCellOutputItem.text(json, "application/json")],
    { output: `${session}.${++lastOutput}` },
  );
}

/** Distinguishes the outputs of this session from those that were kept. */
const session = Date.now().toString(36);
let lastOutput = 0;

/** The output of a cell without a result: why it waits, and the part of its answer that has come. */
export function waitingOutput(why: string, reports?: CellOutput["reports"]): NotebookCellOutput {
  const soFar = reports ? [NotebookCellOutputItem.json(reports, reportMime)] : [];
  return new NotebookCellOutput([...soFar, NotebookCellOutputItem.text(why, "text/plain")]);
}

/** The output of a cell if the server ends during a run: the only one that is not the server's. */
export function brokenOff(): ShownOutput {
  const what = l10n.t("The language server returned no result. It stopped during the run, or did not start.");
  const todo = l10n.t("Run the cell again. The log has the reason.");
  const report: CellOutput["reports"][number] = {
    title: "RPC Notebook",
    summary: l10n.t("no result"),
    status: "failed",
    headline: [{ text: what.replace(/\.$/, "") }],
    sections: [
      {
        kind: "failure",
        what,
        todo,
        fields: [],
        actions: [
          { kind: "run", label: l10n.t("Run Again") },
          { kind: "show-log", label: l10n.t("Show Log") },
        ],
      },
    ],
    facts: [],
  };
  return { reports: [report], text: `${what}\n${todo}`, json: "" };
}
