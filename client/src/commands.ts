import type { LogOutputChannel } from "vscode";
import {
  commands,
  Disposable,
  l10n,
  NotebookCellData,
  NotebookCellKind,
  NotebookEdit,
  NotebookRange,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from "vscode";
import { activeDocument } from "./active.ts";
import type { EndpointPicker } from "./endpointPicker.ts";
import type { Server } from "./languageClient.ts";
import { cellLanguage, notebookType } from "./names.ts";
import type { TextView } from "./textView.ts";
import type { Approvals } from "./trust.ts";
import { wireFormView } from "./wireForm.ts";

export interface CommandsNeed {
  readonly server: Server;
  readonly picker: EndpointPicker;
  readonly textView: TextView;
  readonly approvals: Approvals;
  readonly log: LogOutputChannel;
}

export function registerCommands({ server, picker, textView, approvals, log }: CommandsNeed): Disposable {
  const onActive = (action: (document: Uri) => Promise<void>) => async () => {
    const document = activeDocument();
    if (document !== undefined) await action(document);
  };
  const wireForm = wireFormView(server, textView);
  const list: Readonly<Record<string, (...given: readonly unknown[]) => Promise<void> | void>> = {
    "rpcNotebook.new": newNotebook,
    "rpcNotebook.openAsJson": () => reopenWith("default"),
    "rpcNotebook.openAsNotebook": () => reopenWith(notebookType),
    "rpcNotebook.pickEndpoint": onActive(picker.pick),
    "rpcNotebook.switchNetwork": onActive(picker.switchNetwork),
    "rpcNotebook.runCell": onLens((document, index) => textView.run(document, index)),
    "rpcNotebook.runAbove": onLens((document, index) => textView.runTo(document, index)),
    "rpcNotebook.wireForm": wireForm.show,
    "rpcNotebook.copyWireForm": wireForm.copy,
    "rpcNotebook.runFile": onActive((document) => textView.run(document, undefined)),
    "rpcNotebook.restartServer": () => server.restart(),
    "rpcNotebook.forgetHosts": async () => {
      await approvals.forget();
      await server.restart();
    },
    "rpcNotebook.showLog": () => log.show(),
  };
  return Disposable.from(...Object.entries(list).map(([id, action]) => commands.registerCommand(id, action)));
}

/** Called by code lenses, so with what the server wrote there. */
function onLens(
  action: (document: Uri, index: number) => Promise<void>,
): (...given: readonly unknown[]) => Promise<void> {
  return async (uri, index) => {
    if (typeof uri === "string" && typeof index === "number") await action(Uri.parse(uri), index);
  };
}

/** The same tab shows the file in the other way; two tabs would have two states of it. */
async function reopenWith(editor: string): Promise<void> {
  const document = activeDocument();
  const unsaved =
    window.activeNotebookEditor?.notebook.isDirty === true || window.activeTextEditor?.document.isDirty === true;
  if (document !== undefined && (unsaved || document.scheme === "untitled")) {
    // Saving a new file makes it another document, and closes this one.
    const saved = document.scheme === "untitled" ? await workspace.saveAs(document) : await workspace.save(document);
    if (saved === undefined) return;
  }
  await commands.executeCommand("reopenActiveEditorWith", editor);
}

async function newNotebook(): Promise<void> {
  // The editor's own name would end in `.json`, and the saved file would be no notebook.
  const notebook = await workspace.openNotebookDocument(Uri.from({ scheme: "untitled", path: freeName() }));
  const edit = new WorkspaceEdit();
  edit.set(notebook.uri, [NotebookEdit.replaceCells(new NotebookRange(0, notebook.cellCount), newCells())]);
  await workspace.applyEdit(edit);
  await window.showNotebookDocument(notebook);
}

function freeName(): string {
  const taken = new Set(workspace.notebookDocuments.map(({ uri }) => uri.path));
  for (let number = 1; ; number++) {
    const name = `Untitled-${number}.rpc.json`;
    if (!taken.has(name)) return name;
  }
}

function newCells(): NotebookCellData[] {
  const title = l10n.t("# New notebook\n\nOne JSON-RPC request a cell. Run a cell with Shift+Enter.");
  const balance = [
    "{",
    '  "name": "balance",',
    '  "method": "eth_getBalance",',
    '  "params": ["0x0000000000000000000000000000000000000000", "pending"]',
    "}",
  ].join("\n");
  return [
    new NotebookCellData(NotebookCellKind.Markup, title, "markdown"),
    new NotebookCellData(NotebookCellKind.Code, '{ "method": "eth_blockNumber" }', cellLanguage),
    new NotebookCellData(NotebookCellKind.Code, balance, cellLanguage),
  ];
}
