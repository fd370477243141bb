import type { ExtensionContext, LogOutputChannel, Memento } from "vscode";
import { Disposable, Uri, window, workspace } from "vscode";
import type { InitializationOptions } from "../../server/src/protocol/settings.ts";
import { lastNotebook } from "./active.ts";
import { registerAddressHover } from "./addressHover.ts";
import { type Approvals, allApprovals, approvals, followRevocations } from "./approvals.ts";
import { registerHeaderStatus, registerStaleness } from "./cellStatus.ts";
import { registerCommands } from "./commands.ts";
import { registerDescriptorPaths } from "./descriptors.ts";
import { registerEmptyCells } from "./emptyCells.ts";
import { EndpointPicker } from "./endpointPicker.ts";
import { endpointStatus } from "./endpointStatus.ts";
import { registerHeaderGuard } from "./headerGuard.ts";
import { registerKernel } from "./kernel.ts";
import type { Connect, Server } from "./languageClient.ts";
import { languageServer } from "./languageClient.ts";
import { registerLiveView } from "./liveView.ts";
import type { FindAnvil } from "./localChain.ts";
import { localChain } from "./localChain.ts";
import { cellLanguage, endpointFiles, fileLanguage, notebookType } from "./names.ts";
import { onSavedAs, openNotebooks } from "./notebook.ts";
import { registerNotebook } from "./notebookFile.ts";
import { registerPasteConversion } from "./pasteConversion.ts";
import { picks } from "./picks.ts";
import { type ResultKeeper, registerResultKeeper } from "./resultKeeper.ts";
import { secretStore } from "./secrets.ts";
import { serverSettings } from "./settings.ts";
import { registerTests } from "./tests.ts";
import { textView } from "./textView.ts";
import { answers } from "./trust.ts";
import { registerWalkthrough } from "./walkthrough.ts";

let running: { readonly server: Server; readonly keeper: ResultKeeper } | undefined;

/** Stops the server and writes results. The editor waits for the promise. */
export async function deactivate(): Promise<void> {
  await Promise.all([running?.server.stop(), running?.keeper.flush()]);
}

/**
 * Registers everything at once; the server starts when the first notebook is open.
 *
 * @param findAnvil - Absent if this platform cannot start programs.
 */
export function activateWith(context: ExtensionContext, connect: Connect, findAnvil?: FindAnvil): void {
  const { extensionUri: extension, subscriptions, workspaceState } = context;
  const log = window.createOutputChannel("RPC Notebook", { log: true });
  const { server, hosts, secrets, last } = openServer(context, connect, log);
  const { picker, status } = openEndpoints(server, workspaceState, hosts, findAnvil);
  const tests = registerTests(server, picker);
  const text = textView(server, picker, tests);
  const kernel = registerKernel(server, picker, tests, context.extension.id);
  const keeper = registerResultKeeper(server, kernel, context.storageUri);
  running = { server, keeper };
  const start = firstStart(server, log);
  subscriptions.push(log, last, status, tests, text, kernel, keeper);
  subscriptions.push(
    registerNotebook(start),
    registerHeaderGuard(),
    registerHeaderStatus(),
    registerStaleness(server, keeper),
    registerEmptyCells(),
    registerPasteConversion(server),
    registerAddressHover(server),
    registerDescriptorPaths(server),
    registerLiveView(server, workspaceState),
    registerWalkthrough(extension, picker),
    registerCommands({ extension, server, picker, textView: text, kernel }, { approvals: hosts, secrets, log }),
    adoptEndpoints(picker),
    followRevocations(hosts, server),
    workspace.onDidGrantWorkspaceTrust(() => server.notify("rpcNotebook/trusted", undefined)),
    startOnFirstUse(start),
  );
}

/** Opens the server, and what it asks this window for: approvals, secrets, the table of signatures. */
function openServer(context: ExtensionContext, connect: Connect, log: LogOutputChannel) {
  const here = approvals(context.workspaceState, context.storageUri);
  const hosts = allApprovals(here, approvals(context.globalState, context.globalStorageUri));
  const secrets = secretStore(context, () => server.notify("rpcNotebook/secretsChanged", undefined));
  // a server in a worker reads them
  const signatures = Uri.joinPath(context.extensionUri, "dist/server/abi/signatures.txt");
  const traceCode = Uri.joinPath(context.extensionUri, "dist/server/trace.js");
  const last = lastNotebook(context.workspaceState);
  const server = languageServer({
    connect: async (options) => {
      await hosts.read();
      return connect(options);
    },
    log,
    initializationOptions: () => ({
      ...initializationOptions(hosts, last.uri(), context.extension.packageJSON),
      signatures: signatures.toString(),
      traceCode: traceCode.toString(),
    }),
    settings: serverSettings,
    answers: answers(hosts, secrets, [signatures, traceCode]),
  });
  return { server, hosts, secrets, last };
}

/** Opens the picker of endpoints, and shows the endpoint in the status bar. */
function openEndpoints(server: Server, memory: Memento, hosts: Approvals, findAnvil: FindAnvil | undefined) {
  const picker = new EndpointPicker({
    server,
    picks: picks(memory),
    approvals: hosts,
    chain: localChain(server, findAnvil),
    changed: () => bar.refresh(),
  });
  const bar = endpointStatus(server, picker);
  return { picker, status: Disposable.from(bar, ...endpointFiles.map((name) => watch(name, bar.refresh))) };
}

/** Calls a function when a file of the project with this name changes. */
function watch(name: string, changed: () => void): Disposable {
  const watcher = workspace.createFileSystemWatcher(`**/${name}`);
  for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) event(changed);
  return watcher;
}

/** Gives a new notebook the endpoint of the workspace, and a file that of the notebook that was saved as it. */
function adoptEndpoints(picker: EndpointPicker): Disposable {
  return Disposable.from(
    workspace.onDidOpenNotebookDocument((notebook) => {
      const isNew = notebook.notebookType === notebookType && notebook.isUntitled;
      if (isNew && workspace.isTrusted) void picker.adopt(notebook.uri).catch(() => undefined);
    }),
    onSavedAs((from, to) => picker.carry(from.uri, to.uri)),
  );
}

function initializationOptions(
  hosts: Approvals,
  lastNotebook: string | undefined,
  { version }: { readonly version: string },
): InitializationOptions {
  return {
    trusted: workspace.isTrusted,
    readsFiles: true,
    approvesHosts: true,
    runsCells: true,
    marksStaleResults: true,
    redrawsResults: true,
    takesPushedProblems: true,
    keepsSecrets: true,
    namesAddresses: true,
    approvedHosts: hosts.list(),
    ...(lastNotebook !== undefined && { lastNotebook }),
    version,
    settings: serverSettings(),
  };
}

/** Opening a file starts the server and sends nothing to any endpoint. */
function startOnFirstUse(start: () => void): Disposable {
  const open = openNotebooks().length > 0 || workspace.textDocuments.some((document) => isOurs(document.languageId));
  if (open) start();
  return Disposable.from(
    workspace.onDidOpenNotebookDocument((notebook) => notebook.notebookType === notebookType && start()),
    workspace.onDidOpenTextDocument((document) => isOurs(document.languageId) && start()),
  );
}

/** Returns a function that starts the server when it is called for the first time. */
function firstStart(server: Server, log: LogOutputChannel): () => void {
  let isStarted = false;
  return () => {
    if (isStarted) return;
    isStarted = true;
    server.start().catch((error: unknown) => log.error(String(error))); // a message has already said so
  };
}

function isOurs(language: string): boolean {
  return language === fileLanguage || language === cellLanguage;
}
