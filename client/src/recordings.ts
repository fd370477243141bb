import { commands, l10n, NotebookEdit, NotebookRange, Range, Uri, WorkspaceEdit, window, workspace } from "vscode";
import { notebookStem } from "../../server/src/base/uri.ts";
import { member } from "../../server/src/notebook/json.ts";
import { openNotebook } from "../../server/src/notebook/open.ts";
import { readCell } from "../../server/src/notebook/readCell.ts";
import { saveNotebook } from "../../server/src/notebook/save.ts";
import type { BugReportResult } from "../../server/src/protocol/runs.ts";
import { ask, inform, warn } from "./messages.ts";
import { besideUri, editNotebook, isHeader, newUri, notebookAt } from "./notebook.ts";
import { fromEditor, toEditor } from "./notebookFile.ts";
import { type RunParts, runDocument } from "./runDocument.ts";

/** Runs a notebook and writes every request and answer to a file beside it. */
export async function recordRun(document: Uri, parts: RunParts): Promise<void> {
  if (!(await run(document, parts))) return;
  const saved = await parts.server.request("rpcNotebook/saveRecording", { uri: document.toString() });
  if ("fault" in saved) return void warn(saved.fault);
  const header = notebookAt(document)?.getCells().find(isHeader);
  const edit = header && saved.recording && headerWithRecording(header.document.getText(), saved.recording);
  const replay = l10n.t("Replay");
  if ((await inform(saved.note, ...(edit ? [replay] : []))) !== replay || !header || !edit) return;
  const change = new WorkspaceEdit();
  const range = new Range(header.document.positionAt(edit.start), header.document.positionAt(edit.end));
  change.replace(header.document.uri, range, edit.text);
  if (await workspace.applyEdit(change)) await commands.executeCommand("notebook.execute", document);
}

/**
 * Packs a notebook, with the answers that were seen, into one file that runs again without a network. Runs it only if a
 * person wants that.
 */
export async function createBugReport(document: Uri, parts: RunParts): Promise<void> {
  const text = await textOf(document);
  const report = await parts.server.request("rpcNotebook/bugReport", { uri: document.toString(), text });
  const [save, runAgain, runAll] = [l10n.t("Save…"), l10n.t("Run Again First"), l10n.t("Run All Cells")];
  const answer = report
    ? await ask(l10n.t("The bug report contains:"), contentsText(report), save, runAgain)
    : await ask(
        l10n.t("There are no answers for a bug report yet."),
        l10n.t("A bug report contains the answers of this session. Run the cells first."),
        runAll,
      );
  const runs = answer !== undefined && (answer === runAgain || answer === runAll);
  if (runs && (await run(document, parts))) return createBugReport(document, parts);
  if (report && answer === save) await saveReport(document, parts, report);
}

function contentsText({ contents }: Report): string {
  return [
    ...contents.map((line) => `• ${line}`),
    "",
    l10n.t("These are the last answers that you saw. Nothing is run again."),
    l10n.t("Anyone who can read the file can see all of it."),
  ].join("\n");
}

type Report = NonNullable<BugReportResult>;

async function saveReport(document: Uri, parts: RunParts, report: Report): Promise<void> {
  const target = await window.showSaveDialog({
    defaultUri: reportUri(document),
    filters: { "RPC notebook": ["json"] },
  });
  if (!target) return;
  const params = { uri: target.toString(), text: report.text };
  const saved = await parts.server.request("rpcNotebook/saveBugReport", params);
  const open = l10n.t("Open");
  if ("fault" in saved) await warn(saved.fault);
  else if ((await inform(saved.note, open)) === open)
    await window.showNotebookDocument(await workspace.openNotebookDocument(target));
}

/** Opens the quickstart with recorded answers, and runs it: nothing is sent. */
export async function openQuickstart(extension: Uri): Promise<void> {
  const bytes = await workspace.fs.readFile(Uri.joinPath(extension, "dist", "quickstart.json"));
  const { cells, metadata } = toEditor(openNotebook(bytes));
  const notebook = await workspace.openNotebookDocument(newUri("Quickstart"));
  const all = new NotebookRange(0, notebook.cellCount);
  await editNotebook(
    notebook,
    NotebookEdit.replaceCells(all, cells),
    ...(metadata ? [NotebookEdit.updateNotebookMetadata(metadata)] : []),
  );
  await window.showNotebookDocument(notebook);
  await commands.executeCommand("notebook.execute", notebook.uri);
}

/** @returns Whether the run ended. */
async function run(document: Uri, parts: RunParts): Promise<boolean> {
  return (await runDocument(parts, document, l10n.t("Recording the run"), { record: true })) !== undefined;
}

async function textOf(document: Uri): Promise<string> {
  const notebook = notebookAt(document);
  if (!notebook) return (await workspace.openTextDocument(document)).getText();
  const cells = notebook.getCells().map((cell) => ({
    kind: cell.kind,
    languageId: cell.document.languageId,
    value: cell.document.getText(),
    metadata: cell.metadata,
  }));
  return new TextDecoder().decode(saveNotebook(fromEditor({ cells, metadata: notebook.metadata })));
}

function reportUri(document: Uri): Uri {
  const name = notebookStem(document.path.split("/").at(-1) ?? "");
  return besideUri(document, `${name}.report.rpc.json`);
}

/**
 * Returns the change that lets the header of a notebook name a recording. Offsets are UTF-16 code units.
 *
 * @returns `undefined` if the text is not an object.
 */
export function headerWithRecording(
  header: string,
  name: string,
): { readonly start: number; readonly end: number; readonly text: string } | undefined {
  const { root, faults } = readCell(header, "header");
  if (root?.type !== "object" || faults.length > 0) return undefined;
  const text = JSON.stringify(name);
  const known = member(root, "recording");
  if (known) return { start: known.offset, end: known.offset + known.length, text };
  const at = root.offset + 1;
  const [first] = root.children ?? [];
  const gap = first ? header.slice(at, first.offset) : " ";
  return { start: at, end: at, text: `${gap}"recording": ${text}${first ? "," : " "}` };
}
