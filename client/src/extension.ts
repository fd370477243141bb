import type { ExtensionContext, LogOutputChannel } from "vscode";
import { Disposable, Uri, window, workspace } from "vscode";
import type { InitializationOptions } from "../../server/src/protocol/settings.ts";
import { registerAddressHover } from "./addressHover.ts";
import { registerCommands } from "./commands.ts";
import { endpointPicker } from "./endpointPicker.ts";
import { endpointStatus } from "./endpointStatus.ts";
import { registerHeaderGuard } from "./headerGuard.ts";
import { registerKernel } from "./kernel.ts";
import type { Connect, Server } from "./languageClient.ts";
import { languageServer } from "./languageClient.ts";
import { registerLiveView } from "./liveView.ts";
import { cellLanguage, endpointFiles, fileLanguage, notebookType } from "./names.ts";
import { registerNotebook } from "./notebook.ts";
import { picks } from "./picks.ts";
import { secretStore } from "./secrets.ts";
import { serverSettings } from "./settings.ts";
import { registerStaleness } from "./staleness.ts";
import { registerTests } from "./tests.ts";
import { textView } from "./textView.ts";
import type { Approvals } from "./trust.ts";
import { answers, approvals } from "./trust.ts";

let running: Server | undefined;

/** Stops the server. The editor waits for the promise. */
export function deactivate(): Promise<void> | undefined {
  return running?.stop();
}

/** Registers everything at once; the server starts when the first notebook is open. */
export function activateWith(context: ExtensionContext, connect: Connect): void {
  const log = window.createOutputChannel("RPC Notebook", { log: true });
  const hosts = approvals(context.workspaceState);
  const secrets = secretStore(context, () => server.notify("rpcNotebook/secretsChanged", undefined));
  const signatures = Uri.joinPath(context.extensionUri, "dist/server/abi/signatures.txt");
  const watchers = endpointFiles.map((name) => workspace.createFileSystemWatcher(`**/${name}`));
  const server = languageServer({
    connect,
    log,
    initializationOptions: () => initializationOptions(hosts, signatures, context.extension.packageJSON),
    settings: serverSettings,
    answers: answers(hosts, secrets, signatures),
  });
  running = server;
  const picker = endpointPicker({
    server,
    picks: picks(context.workspaceState),
    approvals: hosts,
    changed: () => status.refresh(),
  });
  const status = endpointStatus(server, () => picker);
  const text = textView(server, picker);
  const kernel = registerKernel(server, picker, context.extension.id);
  for (const watcher of watchers) {
    watcher.onDidChange(status.refresh);
    watcher.onDidCreate(status.refresh);
    watcher.onDidDelete(status.refresh);
  }
  context.subscriptions.push(
    log,
    ...watchers,
    status,
    text,
    registerNotebook(),
    registerHeaderGuard(),
    kernel,
    registerStaleness(server),
    registerTests(server, picker),
    registerAddressHover(server),
    registerLiveView(server, context.workspaceState),
    registerCommands({
      extension: context.extensionUri,
      server,
      picker,
      textView: text,
      kernel,
      approvals: hosts,
      secrets,
      log,
    }),
    workspace.onDidGrantWorkspaceTrust(() => server.notify("rpcNotebook/trusted", undefined)),
    startOnFirstUse(server, log),
  );
}

function initializationOptions(
  hosts: Approvals,
  signatures: Uri,
  { version }: { readonly version: string },
): InitializationOptions {
  return {
    trusted: workspace.isTrusted,
    readsFiles: true,
    signatures: signatures.toString(),
    approvesHosts: true,
    runsCells: true,
    marksStaleResults: true,
    keepsSecrets: true,
    approvedHosts: hosts.list(),
    version,
    settings: serverSettings(),
  };
}

/** Opening a file starts the server and sends nothing to any endpoint. */
function startOnFirstUse(server: Server, log: LogOutputChannel): Disposable {
  const start = (): void => {
    listeners.dispose();
    // A message has told the person.
    server.start().catch((error: unknown) => log.error(String(error)));
  };
  const listeners = Disposable.from(
    workspace.onDidOpenNotebookDocument((notebook) => notebook.notebookType === notebookType && start()),
    workspace.onDidOpenTextDocument((document) => isOurs(document.languageId) && start()),
  );
  const open =
    workspace.notebookDocuments.some((notebook) => notebook.notebookType === notebookType) ||
    workspace.textDocuments.some((document) => isOurs(document.languageId));
  if (open) start();
  return listeners;
}

function isOurs(language: string): boolean {
  return language === fileLanguage || language === cellLanguage;
}
