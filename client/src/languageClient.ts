import type { CancellationToken, Disposable, Event, LogOutputChannel, NotebookCell } from "vscode";
import { commands, EventEmitter, l10n } from "vscode";
import type { BaseLanguageClient, LanguageClientOptions } from "vscode-languageclient";
import type { WriteFileResult } from "../../server/src/protocol/host.ts";
import type { Answers, Events, Notifications, Requests } from "../../server/src/protocol/methods.ts";
import type { InitializationOptions, Settings } from "../../server/src/protocol/settings.ts";
import { crashCounter } from "./crashes.ts";
import { executionFilter } from "./executionOnly.ts";
import { complain } from "./messages.ts";
import { cellLanguage, fileLanguage, notebookType } from "./names.ts";

/** Makes a client that knows how the server is started on this platform; does not start it. */
export type Connect = (options: LanguageClientOptions) => Promise<BaseLanguageClient>;

/** The language server as the rest of the client sees it: it starts when first asked, and again after a crash. */
export interface Server {
  /** @throws when the server ends before it answers, or answers with an error. */
  request<M extends keyof Requests>(
    method: M,
    params: Requests[M][0],
    token?: CancellationToken,
  ): Promise<Requests[M][1]>;
  /** Does nothing while no server runs: what a server has to know at its start is told in `onStarted`. */
  notify<M extends keyof Notifications>(method: M, params: Notifications[M]): void;
  on<M extends keyof Events>(method: M, listener: (event: Events[M]) => void): Disposable;
  /** A server runs now and knows nothing yet. Comes again after each crash. */
  readonly onStarted: Event<void>;
  /** Results may have become stale, or fresh. */
  readonly onResultsChanged: Event<void>;
  start(): Promise<void>;
  restart(): Promise<void>;
  /** Ends the server; a later request starts it again. */
  stop(): Promise<void>;
}

export interface ServerHost {
  readonly connect: Connect;
  readonly log: LogOutputChannel;
  /** Read at each start, since trust and approvals change. */
  readonly initializationOptions: () => InitializationOptions;
  /** Read again when the editor says that settings have changed. */
  readonly settings: () => Settings;
  readonly answers: Answers;
}

export function languageServer(host: ServerHost): Server {
  const started = new EventEmitter<void>();
  const resultsChanged = new EventEmitter<void>();
  const events = {
    "rpcNotebook/cellStarted": new EventEmitter<Events["rpcNotebook/cellStarted"]>(),
    "rpcNotebook/cellWaiting": new EventEmitter<Events["rpcNotebook/cellWaiting"]>(),
    "rpcNotebook/streamRows": new EventEmitter<Events["rpcNotebook/streamRows"]>(),
    "rpcNotebook/cellFinished": new EventEmitter<Events["rpcNotebook/cellFinished"]>(),
    "rpcNotebook/ticked": new EventEmitter<Events["rpcNotebook/ticked"]>(),
  } as const;
  let connection: Promise<BaseLanguageClient> | undefined;
  let running: BaseLanguageClient | undefined;

  const open = async (): Promise<BaseLanguageClient> => {
    const { State } = await import("vscode-languageclient");
    let cameUp = false;
    const client = await host.connect(
      await clientOptions(
        host,
        () => cameUp,
        (settings) => client.sendNotification("workspace/didChangeConfiguration", { settings }),
      ),
    );
    client.onDidChangeState(({ newState }) => {
      running = newState === State.Running ? client : undefined;
      if (running === undefined) return;
      cameUp = true;
      // Starting is over when the open documents are sent.
      void client.start().then(() => started.fire());
    });
    client.onRequest("rpcNotebook/refreshResults", () => resultsChanged.fire());
    client.onRequest("rpcNotebook/approveHost", host.answers.approveHost);
    client.onRequest("rpcNotebook/approveMethods", host.answers.approveMethods);
    client.onRequest("rpcNotebook/readFile", host.answers.readFile);
    client.onRequest("rpcNotebook/readFolder", host.answers.readFolder);
    client.onRequest<WriteFileResult, void>("rpcNotebook/writeFile", host.answers.writeFile);
    client.onRequest("rpcNotebook/secretNames", host.answers.secretNames);
    client.onRequest("rpcNotebook/readSecrets", host.answers.readSecrets);
    client.onNotification("rpcNotebook/cellStarted", (event) => events["rpcNotebook/cellStarted"].fire(event));
    client.onNotification("rpcNotebook/cellWaiting", (event) => events["rpcNotebook/cellWaiting"].fire(event));
    client.onNotification("rpcNotebook/streamRows", (event) => events["rpcNotebook/streamRows"].fire(event));
    client.onNotification("rpcNotebook/cellFinished", (event) => events["rpcNotebook/cellFinished"].fire(event));
    client.onNotification("rpcNotebook/ticked", (event) => events["rpcNotebook/ticked"].fire(event));
    await client.start();
    return client;
  };
  const ready = (): Promise<BaseLanguageClient> => {
    connection ??= open().catch((error) => {
      connection = undefined; // the next use tries again
      void offerRestart(l10n.t("The RPC Notebook language server did not start."));
      throw error;
    });
    return connection;
  };
  const stop = async (): Promise<void> => {
    const old = connection;
    connection = undefined;
    // A client that never came up, or is down already, has nothing to stop.
    await old?.then((client) => client.dispose()).catch((error: unknown) => host.log.info(String(error)));
  };
  return {
    request: async (method, params, token) => {
      const client = await ready();
      // with a token that is `undefined` the library sends two parameters, by position
      return token ? client.sendRequest(method, params, token) : client.sendRequest(method, params);
    },
    notify: (method, params) => {
      running?.sendNotification(method, params).catch((error: unknown) => host.log.error(String(error)));
    },
    on: (method, listener) => events[method].event(listener as never), // the map pairs each method with its event
    onStarted: started.event,
    onResultsChanged: resultsChanged.event,
    start: async () => void (await ready()),
    restart: async () => {
      await stop();
      await ready();
    },
    stop,
  };
}

async function clientOptions(
  host: ServerHost,
  cameUp: () => boolean,
  push: (settings: Settings) => Promise<void>,
): Promise<LanguageClientOptions> {
  const { CloseAction, ErrorAction, RevealOutputChannelOn } = await import("vscode-languageclient");
  const mayRestart = crashCounter();
  const execution = executionFilter<NotebookCell>();
  return {
    documentSelector: [{ notebook: notebookType, language: cellLanguage }, { language: fileLanguage }],
    outputChannel: host.log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: host.initializationOptions,
    initializationFailedHandler: () => false,
    middleware: {
      // the library would send values of the workspace as if they were the person's own
      workspace: { didChangeConfiguration: () => push(host.settings()) },
      notebooks: {
        didOpen: (notebook, cells, next) => {
          execution.seen(cells);
          return next(notebook, cells);
        },
        didChange: (event, next) => (execution.drops(event) ? Promise.resolve() : next(event)),
      },
    },
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        if (cameUp() && mayRestart(performance.now())) return { action: CloseAction.Restart, handled: true };
        if (cameUp()) void offerRestart(l10n.t("The RPC Notebook language server keeps ending."));
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
  };
}

async function offerRestart(what: string): Promise<void> {
  const restart = l10n.t("Restart");
  const showLog = l10n.t("Show Log");
  const safe = l10n.t("Your files are safe; running and completing requests needs it.");
  const choice = await complain(`${what} ${safe}`, restart, showLog);
  if (choice === restart) await commands.executeCommand("rpcNotebook.restartServer");
  if (choice === showLog) await commands.executeCommand("rpcNotebook.showLog");
}
