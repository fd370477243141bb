import type { NotebookDocument } from "vscode";
import {
  commands,
  l10n,
  NotebookCellKind,
  NotebookEdit,
  NotebookRange,
  ProgressLocation,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from "vscode";
import { openNotebook } from "../../server/src/notebook/open.ts";
import { saveNotebook } from "../../server/src/notebook/save.ts";
import type { EndpointPicker } from "./endpointPicker.ts";
import type { Kernel } from "./kernel.ts";
import type { Server } from "./languageClient.ts";
import { ask, inform, warn } from "./messages.ts";
import { notebookType } from "./names.ts";
import { fromEditor, isHeader, toEditor } from "./notebook.ts";
import { nextRunId } from "./runId.ts";

interface RecordingParts {
  readonly server: Server;
  readonly picker: EndpointPicker;
  readonly kernel: Kernel;
}

/** Runs a notebook and writes every request and answer to a file beside it. */
export async function recordRun(document: Uri, parts: RecordingParts): Promise<void> {
  if (!(await run(document, parts))) return;
  const saved = await parts.server.request("rpcNotebook/saveRecording", { uri: document.toString() });
  void ("note" in saved ? inform(saved.note) : warn(saved.fault));
}

/** Runs a notebook and packs it, with the answers, into one file that runs again without a network. */
export async function createBugReport(document: Uri, parts: RecordingParts): Promise<void> {
  if (!(await run(document, parts))) return;
  const text = await textOf(document);
  const report = await parts.server.request("rpcNotebook/bugReport", { uri: document.toString(), text });
  if (!report) {
    await warn(l10n.t("No bug report was made: nothing was sent, or the file is not a notebook."));
    return;
  }
  const save = l10n.t("Save…");
  const detail = [
    ...report.contents.map((line) => `• ${line}`),
    "",
    l10n.t("Anyone who can read the file can see all of it."),
  ];
  if ((await ask(l10n.t("The bug report contains:"), detail.join("\n"), save)) !== save) return;
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
  const notebook = await workspace.openNotebookDocument(Uri.from({ scheme: "untitled", path: freeName("Quickstart") }));
  const edit = new WorkspaceEdit();
  const all = new NotebookRange(0, notebook.cellCount);
  const edits = [
    NotebookEdit.replaceCells(all, cells),
    ...(metadata ? [NotebookEdit.updateNotebookMetadata(metadata)] : []),
  ];
  edit.set(notebook.uri, edits);
  await workspace.applyEdit(edit);
  await window.showNotebookDocument(notebook);
  await commands.executeCommand("notebook.execute", notebook.uri);
}

/** A free name for a new notebook. The editor's own would end in `.json`, and the saved file would not be a notebook. */
export function freeName(base: string): string {
  const taken = new Set(workspace.notebookDocuments.map(({ uri }) => uri.path));
  for (let number = 1; ; number++) {
    const name = `${base}-${number}.rpc.json`;
    if (!taken.has(name)) return name;
  }
}

/** @returns Whether the run ended. */
async function run(document: Uri, { server, picker, kernel }: RecordingParts): Promise<boolean> {
  const notebook = openNotebookAt(document);
  if (notebook) {
    const cells = notebook.getCells().filter((cell) => cell.kind === NotebookCellKind.Code && !isHeader(cell));
    return (await kernel.run(notebook, cells, { record: true })) !== undefined;
  }
  if (!(await picker.ensure(document))) return false;
  const options = { location: ProgressLocation.Notification, title: l10n.t("Recording the run"), cancellable: true };
  const params = { runId: nextRunId(), uri: document.toString(), record: true };
  const result = await window.withProgress(
    options,
    (_, token) => server.request("rpcNotebook/run", params, token).catch(() => undefined), // the client has logged why
  );
  return result !== undefined;
}

function openNotebookAt(document: Uri): NotebookDocument | undefined {
  return workspace.notebookDocuments.find(
    ({ uri, notebookType: type }) => type === notebookType && uri.toString() === document.toString(),
  );
}

async function textOf(document: Uri): Promise<string> {
  const notebook = openNotebookAt(document);
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
  const name = (document.path.split("/").at(-1) ?? "").replace(/(?:\.rpc)?\.json$/, "");
  const report = `${name}.report.rpc.json`;
  if (document.scheme !== "untitled") return Uri.joinPath(document, "..", report);
  const folder = workspace.workspaceFolders?.[0]?.uri;
  return folder ? Uri.joinPath(folder, report) : Uri.file(report);
}
