import type { LogOutputChannel, TestItem } from "vscode";
import {
  commands,
  Disposable,
  env,
  l10n,
  NotebookCellData,
  NotebookCellKind,
  NotebookEdit,
  NotebookRange,
  Uri,
  window,
  workspace,
} from "vscode";
import { activeDocument, activeSource } from "./active.ts";
import type { Approvals } from "./approvals.ts";
import { manageHosts } from "./approvals.ts";
import { type CompareView, compareView } from "./compareView.ts";
import { cellMeant, copyAs, copyWireForm, pasteAsRequest, showWireForm } from "./copyPaste.ts";
import { getRegistry } from "./descriptors.ts";
import type { EndpointPicker } from "./endpointPicker.ts";
import { explain, explainBelow } from "./explain.ts";
import { exportPage } from "./exportPage.ts";
import { findWhen } from "./findWhen.ts";
import type { Kernel } from "./kernel.ts";
import type { Server } from "./languageClient.ts";
import { lookUpContract, openSource, saveContracts } from "./lookup.ts";
import { inform } from "./messages.ts";
import { notebookType, otherFiles } from "./names.ts";
import { cellAt, editNotebook, newUri, notebookAt, requestCell } from "./notebook.ts";
import { createBugReport, openQuickstart, recordRun } from "./recordings.ts";
import { updateSnapshot } from "./runDocument.ts";
import type { SecretStore } from "./secrets.ts";
import { showStorage } from "./showStorage.ts";
import { insertTemplate, newFromTemplate } from "./templates.ts";
import type { TextView } from "./textView.ts";

interface CommandParts {
  /** The folder of the extension. */
  readonly extension: Uri;
  readonly server: Server;
  readonly picker: EndpointPicker;
  readonly textView: TextView;
  readonly kernel: Kernel;
}

/** What a person keeps in this window, and what the server says of itself. */
interface Kept {
  readonly approvals: Approvals;
  readonly secrets: SecretStore;
  readonly log: LogOutputChannel;
}

type CommandTable = Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;

export function registerCommands(parts: CommandParts, kept: Kept): Disposable {
  const compared = compareView(parts.server, parts.picker, parts.textView);
  const all = {
    ...notebookCommands,
    ...recordingCommands(parts),
    ...requestCommands(parts, compared),
    ...endpointCommands(parts),
    ...serverCommands(parts.server, kept),
    ...startCommands(parts),
  };
  return Disposable.from(compared, ...Object.entries(all).map(([id, action]) => commands.registerCommand(id, action)));
}

const notebookCommands: CommandTable = {
  "rpcNotebook.newBalanceRequest": (address) => (typeof address === "string" ? newNotebook(address) : undefined),
  "rpcNotebook.copyAddress": async (address) => {
    if (typeof address === "string") await env.clipboard.writeText(address);
  },
  "rpcNotebook.openAsJson": () => reopenWith("default"),
  "rpcNotebook.openAsNotebook": () => reopenWith(notebookType),
};

function startCommands({ picker }: CommandParts): CommandTable {
  return {
    "rpcNotebook.new": async () => {
      const uri = newUri();
      // Without a server the notebook has no endpoint; it can be chosen later.
      if (await picker.begin(uri).catch(() => true)) await newNotebook(undefined, notebookAt(uri) ? newUri() : uri);
    },
    "rpcNotebook.startLocalChain": async (given) => {
      const document = given instanceof Uri ? given : activeDocument();
      const answers = await picker.startLocalChain(document ?? newUri());
      if (answers && document === undefined)
        void inform(l10n.t("The local chain is running. New notebooks can choose it."));
      return answers;
    },
  };
}

function recordingCommands({ extension, ...parts }: CommandParts): CommandTable {
  return {
    "rpcNotebook.openQuickstart": () => openQuickstart(extension),
    "rpcNotebook.recordRun": onActive((document) => recordRun(document, parts)),
    "rpcNotebook.recordTest": async (given) => {
      const document = documentOfTest(given);
      if (document !== undefined) await recordRun(document, parts);
    },
    "rpcNotebook.createBugReport": onActive((document) => createBugReport(document, parts)),
    "rpcNotebook.exportPage": onActive((document) => exportPage(parts.server, extension, document)),
  };
}

function requestCommands({ server, picker, textView, kernel }: CommandParts, compared: CompareView): CommandTable {
  const run = { server, picker, kernel };
  return {
    "rpcNotebook.runCell": onLens((document, index) => textView.run(document, index)),
    "rpcNotebook.runAbove": onLens((document, index) => textView.runTo(document, index)),
    "rpcNotebook.runFile": onActive((document) => textView.run(document, undefined)),
    "rpcNotebook.wireForm": (...given) => showWireForm(server, textView, given),
    "rpcNotebook.copyWireForm": (...given) => copyWireForm(server, given),
    "rpcNotebook.copyAs": (...given) => copyAs(server, given),
    "rpcNotebook.explain": () => explain(server, picker),
    "rpcNotebook.explainCell": onLens(async (document) => {
      const cell = cellAt(document.toString());
      if (cell) await explainBelow(server, cell.notebook, cell, cell.document.getText(), true);
    }),
    "rpcNotebook.pasteAsRequest": () => pasteAsRequest(server),
    "rpcNotebook.newFromTemplate": () => newFromTemplate(server),
    "rpcNotebook.insertTemplate": () => insertTemplate(server),
    "rpcNotebook.updateSnapshots": onActive((document) => updateSnapshot(run, document)),
    "rpcNotebook.updateSnapshot": onLens((document, index) => updateSnapshot(run, document, index)),
    "rpcNotebook.compare": async (...given) => {
      const cell = cellMeant(given);
      const document = activeDocument();
      if (cell !== undefined && document !== undefined) await compared.compare(document, cell);
    },
    "rpcNotebook.traceCell": async (...given) => {
      const { uri = "", index } = cellMeant(given) ?? {};
      const cell = cellAt(uri);
      if (cell) await kernel.run(cell.notebook, [cell], { trace: true });
      else if (index !== undefined) await textView.trace(Uri.parse(uri), index);
    },
    "rpcNotebook.findWhen": async (...given) => {
      const cell = cellMeant(given);
      const document = activeDocument();
      if (cell !== undefined && document !== undefined) await findWhen(server, textView, document, cell);
    },
  };
}

function endpointCommands({ server, picker, textView }: CommandParts): CommandTable {
  return {
    // with no file open, an endpoint for those that are opened later
    "rpcNotebook.pickEndpoint": () =>
      picker.pick(activeSource() ?? window.activeTextEditor?.document.uri ?? Uri.parse(otherFiles)),
    "rpcNotebook.switchNetwork": onActive(picker.switchNetwork),
    "rpcNotebook.probe": onActive((document) =>
      textView.report(
        document,
        l10n.t("Probing the endpoint"),
        (token) => server.request("rpcNotebook/probe", { uri: document.toString() }, token),
        () => picker.mayProbe(document),
      ),
    ),
    "rpcNotebook.saveContracts": onActive((document) => saveContracts(server, document)),
    "rpcNotebook.showStorage": onActive((document) => showStorage(server, textView, document)),
    "rpcNotebook.audit": onActive((document) =>
      textView.report(
        document,
        l10n.t("Auditing pre-confirmed state for a minute; Cancel shows the result so far"),
        (token) => server.request("rpcNotebook/audit", { uri: document.toString(), forMs: 60_000 }, token),
      ),
    ),
  };
}

function serverCommands(server: Server, { approvals, secrets, log }: Kept): CommandTable {
  return {
    "rpcNotebook.restartServer": () => server.restart(),
    "rpcNotebook.getRegistry": () => getRegistry(server),
    "rpcNotebook.lookUpContract": (address) => lookUpContract(server, address),
    "rpcNotebook.openSource": (address) => openSource(server, address),
    "rpcNotebook.manageHosts": () => manageHosts(approvals, () => server.restart()),
    "rpcNotebook.setSecret": (name) => secrets.ask(typeof name === "string" ? name : undefined),
    "rpcNotebook.deleteSecret": secrets.askToDelete,
    "rpcNotebook.showLog": () => log.show(),
  };
}

/** The notebook of a test, or of its failure: what menus of the test view give to commands. */
function documentOfTest(given: unknown): Uri | undefined {
  const test: unknown = typeof given === "object" && given !== null && "test" in given ? given.test : given;
  const isTest = (one: unknown): one is TestItem => typeof one === "object" && one !== null && "children" in one;
  const uri = isTest(test) ? (test.parent ?? test).uri : undefined; // the parent is the file
  return uri instanceof Uri ? uri : undefined;
}

function onActive(action: (document: Uri) => Promise<void>): () => Promise<void> {
  return async () => {
    const document = activeDocument();
    if (document !== undefined) await action(document);
  };
}

/** Calls an action with the arguments of a code lens, which the server wrote. */
function onLens(
  action: (document: Uri, index: number) => Promise<void>,
): (...given: readonly unknown[]) => Promise<void> {
  return async (uri, index) => {
    if (typeof uri === "string" && typeof index === "number") await action(Uri.parse(uri), index);
  };
}

/** Shows the file in the same tab by another editor: two tabs would have two states of it. */
async function reopenWith(editor: string): Promise<void> {
  const document = activeDocument();
  const unsaved =
    window.activeNotebookEditor?.notebook.isDirty === true || window.activeTextEditor?.document.isDirty === true;
  if (document !== undefined && (unsaved || document.scheme === "untitled")) {
    // Saving a new file closes this document and opens another one.
    const saved = document.scheme === "untitled" ? await workspace.saveAs(document) : await workspace.save(document);
    if (saved === undefined) return;
  }
  await commands.executeCommand("reopenActiveEditorWith", editor);
}

async function newNotebook(address = "0x0000000000000000000000000000000000000000", uri = newUri()): Promise<void> {
  const notebook = await workspace.openNotebookDocument(uri);
  await editNotebook(notebook, NotebookEdit.replaceCells(new NotebookRange(0, notebook.cellCount), newCells(address)));
  await window.showNotebookDocument(notebook);
}

function newCells(address: string): NotebookCellData[] {
  const title = l10n.t("# New notebook\n\nOne JSON-RPC request per cell. Run a cell with Shift+Enter.");
  const balance = [
    "{",
    '  "name": "balance",',
    '  "method": "eth_getBalance",',
    `  "params": ["${address}", "pending"]`,
    "}",
  ].join("\n");
  return [
    new NotebookCellData(NotebookCellKind.Markup, title, "markdown"),
    requestCell('{ "method": "eth_blockNumber" }'),
    requestCell(balance),
  ];
}
