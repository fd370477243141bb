import {
  type CancellationToken,
  commands,
  type Disposable,
  type Event,
  EventEmitter,
  type LogOutputChannel,
  l10n,
  type NotebookCell,
} from "vscode";
import type { BaseLanguageClient, LanguageClientOptions } from "vscode-languageclient";
import type {
  ClientNotifications,
  EditorRequests,
  Requests,
  ServerNotifications,
} from "../../server/src/protocol/methods.ts";
import type { InitializationOptions, Settings } from "../../server/src/protocol/settings.ts";
import { complain } from "./messages.ts";
import { cellLanguage, fileLanguage, notebookType } from "./names.ts";

/** Creates a client that can start the server on this platform. Does not start it. */
export type Connect = (options: LanguageClientOptions) => Promise<BaseLanguageClient>;

/** The language server for the rest of the client. It starts with the first request, and again after a crash. */
export interface Server {
  /**
   * @param onProgress - Called with how far the work is, if the method says so.
   * @throws when the server ends before it answers, or answers with an error.
   */
  request<M extends keyof Requests>(
    method: M,
    params: Requests[M][0],
    token?: CancellationToken,
    onProgress?: (text: string) => void,
  ): Promise<Requests[M][1]>;
  /** Does nothing while no server runs. Listeners of `onStarted` send what a new server has to know. */
  notify<M extends keyof ClientNotifications>(method: M, params: ClientNotifications[M]): void;
  on<M extends keyof ServerNotifications>(method: M, listener: (event: ServerNotifications[M]) => void): Disposable;
  /** A server has started and knows nothing yet. Fires again after each crash. */
  readonly onStarted: Event<void>;
  /** Results may have become stale, or current again. */
  readonly onResultsChanged: Event<void>;
  start(): Promise<void>;
  restart(): Promise<void>;
  /** Ends the server; a later request starts it again. */
  stop(): Promise<void>;
}

interface ServerHost {
  readonly connect: Connect;
  readonly log: LogOutputChannel;
  /** Called at each start, since trust and approvals change. */
  readonly initializationOptions: () => InitializationOptions;
  readonly settings: () => Settings;
  readonly answers: EditorRequests;
}

export function languageServer(host: ServerHost): Server {
  const started = new EventEmitter<void>();
  const resultsChanged = new EventEmitter<void>();
  const events = eventEmitters();
  let connection: Promise<BaseLanguageClient> | undefined;
  let running: BaseLanguageClient | undefined;

  const open = (): Promise<BaseLanguageClient> =>
    openClient(host, events, () => resultsChanged.fire(), {
      onState: (client) => {
        running = client;
      },
      onReady: () => started.fire(),
    });
  const ready = (): Promise<BaseLanguageClient> => {
    connection ??= open().catch((error) => {
      connection = undefined; // the next request tries again
      void offerRestart(l10n.t("The RPC Notebook language server did not start."));
      throw error;
    });
    return connection;
  };
  const stop = async (): Promise<void> => {
    const old = connection;
    connection = undefined;
    // A client that has not started, or has ended, cannot be stopped.
    await old?.then((client) => client.dispose()).catch((error: unknown) => host.log.info(String(error)));
  };
  return {
    request: async (method, params, token, onProgress) => {
      const client = await ready();
      if (onProgress) return requestWithProgress(client, method, params, token, onProgress);
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

/** Numbers the requests whose progress is shown. */
let progressTokens = 0;

async function requestWithProgress<Result>(
  client: BaseLanguageClient,
  method: string,
  params: object | undefined,
  token: CancellationToken | undefined,
  onProgress: (text: string) => void,
): Promise<Result> {
  const { WorkDoneProgress } = await import("vscode-languageclient");
  const workDoneToken = `rpc-notebook-${progressTokens++}`;
  const listener = client.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
    if (value.kind === "report" && value.message !== undefined) onProgress(value.message);
  });
  try {
    return await client.sendRequest<Result>(method, { ...params, workDoneToken }, token);
  } finally {
    listener.dispose();
  }
}

interface ClientListeners {
  /** Called with the client while it runs, and with `undefined` when it does not. */
  onState(running: BaseLanguageClient | undefined): void;
  /** Called when the open documents have been sent. */
  onReady(): void;
}

async function openClient(
  host: ServerHost,
  events: EventEmitters,
  resultsChanged: () => void,
  { onState, onReady }: ClientListeners,
): Promise<BaseLanguageClient> {
  const { State } = await import("vscode-languageclient");
  let hasRun = false;
  const client = await host.connect(
    await clientOptions(
      host,
      () => hasRun,
      (settings) => client.sendNotification("workspace/didChangeConfiguration", { settings }),
    ),
  );
  client.onDidChangeState(({ newState }) => {
    const isRunning = newState === State.Running;
    onState(isRunning ? client : undefined);
    if (!isRunning) client.diagnostics?.clear(); // the next server knows nothing of them
    if (!isRunning) return;
    hasRun = true;
    void client.start().then(onReady);
  });
  client.onRequest("rpcNotebook/refreshResults", resultsChanged);
  registerAnswers(client, host.answers);
  forwardEvents(client, events);
  await client.start();
  return client;
}

type EventEmitters = { readonly [Method in keyof ServerNotifications]: EventEmitter<ServerNotifications[Method]> };

function eventEmitters(): EventEmitters {
  return {
    "rpcNotebook/cellStarted": new EventEmitter(),
    "rpcNotebook/cellWaiting": new EventEmitter(),
    "rpcNotebook/streamRows": new EventEmitter(),
    "rpcNotebook/cellFinished": new EventEmitter(),
    "rpcNotebook/cellRedrawn": new EventEmitter(),
    "rpcNotebook/watchesChanged": new EventEmitter(),
  };
}

function forwardEvents(client: BaseLanguageClient, events: EventEmitters): void {
  const methods = Object.keys(events) as (keyof ServerNotifications)[]; // the map has no other keys
  for (const method of methods) client.onNotification(method, (event) => events[method].fire(event as never)); // the map pairs each method with its event
}

function registerAnswers(client: BaseLanguageClient, answers: EditorRequests): void {
  for (const [name, answer] of Object.entries(answers))
    client.onRequest(`rpcNotebook/${name}`, answer as (params: never) => unknown); // the map pairs each method with its parameters
}

async function clientOptions(
  host: ServerHost,
  hasRun: () => boolean,
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
      // the library would send values of the workspace as those of the person
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
        if (hasRun() && mayRestart(performance.now())) return { action: CloseAction.Restart, handled: true };
        if (hasRun()) void offerRestart(l10n.t("The RPC Notebook language server stopped several times."));
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
  };
}

async function offerRestart(what: string): Promise<void> {
  const restart = l10n.t("Restart");
  const showLog = l10n.t("Show Log");
  const safe = l10n.t("Your files are safe. You need the server to run and complete requests.");
  const choice = await complain(`${what} ${safe}`, restart, showLog);
  if (choice === restart) await commands.executeCommand("rpcNotebook.restartServer");
  if (choice === showLog) await commands.executeCommand("rpcNotebook.showLog");
}

/** A server that ends more often than this within {@link periodMs} is not started again by itself. */
export const crashLimit = 4;
export const periodMs = 3 * 60 * 1000;

/**
 * Counts crashes.
 *
 * @returns A function to call at each crash, with the time in milliseconds; it answers whether to start again.
 */
export function crashCounter(): (now: number) => boolean {
  let recent: readonly number[] = [];
  return (now) => {
    recent = [...recent.filter((time) => now - time < periodMs), now];
    return recent.length <= crashLimit;
  };
}

/** The part of a cell that the server gets. */
export interface ObservedCell {
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A change of a notebook, as the middleware of the language client gets it. */
interface ObservedChange<C extends ObservedCell> {
  readonly metadata?: unknown;
  readonly cells?: {
    readonly structure?: { readonly didOpen?: readonly C[] };
    readonly data?: readonly C[];
    readonly textContent?: readonly unknown[];
  };
}

/**
 * Recognizes the changes that a run makes to its cells, four to each. The server does not need them, and they look like
 * changes of metadata, so the filter remembers the metadata.
 */
export function executionFilter<C extends ObservedCell>() {
  const metadataByCell = new WeakMap<C, string>();
  const seen = (cells: readonly C[]): void => {
    for (const cell of cells) metadataByCell.set(cell, JSON.stringify(cell.metadata));
  };
  return {
    /** Remembers the metadata of cells that the server gets. */
    seen,
    /** Whether a change has nothing for the server: a run has begun or ended. */
    drops({ metadata, cells }: ObservedChange<C>): boolean {
      const changed = (cells?.data ?? []).filter((cell) => metadataByCell.get(cell) !== JSON.stringify(cell.metadata));
      seen([...(cells?.structure?.didOpen ?? []), ...changed]);
      return (
        metadata === undefined &&
        cells !== undefined &&
        cells.structure === undefined &&
        cells.textContent === undefined &&
        changed.length === 0
      );
    },
  };
}
