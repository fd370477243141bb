import {
  type CancellationToken,
  CodeLensRefreshRequest,
  type CompletionList,
  type CompletionParams,
  type Connection,
  type DocumentDiagnosticReport,
  type ExecuteCommandParams,
  type InitializeParams,
  MessageType,
  ShowMessageNotification,
  type WorkDoneProgressParams,
} from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { mostItems } from "../features/completion.ts";
import type { Host } from "../host.ts";
import type {
  EndpointsParams,
  EndpointsResult,
  InitializationOptions,
  PickEndpoint,
  RunParams,
  RunResult,
  Settings,
} from "../protocol.ts";
import type { Service } from "../service.ts";
import { initializeResult, runCommand } from "./capabilities.ts";
import { type Client, clientOf } from "./client.ts";
import { toCodeLens, toCompletionItem, toHover } from "./convert.ts";
import { followDocuments, type Texts } from "./documents.ts";
import { type Guard, guardWith, signalOf } from "./guard.ts";
import { hostOf, logOf, type Ports } from "./host.ts";
import { type Problems, problems } from "./problems.ts";
import { commandParams, type Runs, runs } from "./runs.ts";

/**
 * Serves one editor over one connection, and decides nothing.
 *
 * @param connection - Made by the main for its platform; this function listens on it.
 * @param openPorts - Lends what the core needs of the platform, once the editor has said what it wants.
 * @param createService - The façade over everything that is not LSP.
 */
export function serve(
  connection: Connection,
  openPorts: (options: InitializationOptions) => Ports,
  createService: (host: Host) => Service,
): void {
  connection.onInitialize((params: InitializeParams) => {
    const client = clientOf(params);
    const ports = openPorts(client.options);
    let changed: Host["changed"] = () => {};
    const service = createService(hostOf(connection, client, ports, (uri) => changed(uri)));
    changed = startSession(connection, client, service, ports).affected;
    return initializeResult(client);
  });
  connection.listen();
}

/** What the handlers share. */
interface Session {
  readonly connection: Connection;
  readonly client: Client;
  readonly service: Service;
  readonly texts: Texts;
  /** The notebook of a cell, by URI. */
  notebookOf(cellUri: string): string | undefined;
  readonly problems: Problems;
  readonly runs: Runs;
  readonly guard: Guard;
}

/** @returns What to tell of documents that changed without a change of their text. */
function startSession(connection: Connection, client: Client, service: Service, ports: Ports): Problems {
  const guard = guardWith(logOf(connection));
  const texts = new Map<string, TextDocument>();
  const shown = problems(connection, service, texts, client, ports.clock);
  const notebookOf = followDocuments(connection, service, texts, guard, shown);
  const refreshLenses = (): void => {
    if (client.refreshesLenses) connection.sendRequest(CodeLensRefreshRequest.type).catch(() => undefined); // it has left
  };
  const session: Session = {
    connection,
    client,
    service,
    texts,
    notebookOf,
    problems: shown,
    guard,
    runs: runs(connection, service, refreshLenses),
  };
  answerFeatures(session);
  answerRuns(session);
  followSettings(session, ports);
  return shown;
}

const noProblems: DocumentDiagnosticReport = { kind: "full", items: [] };

function answerFeatures({ connection, client, service, texts, notebookOf, problems: shown, guard }: Session): void {
  connection.onCompletion(
    guard<[CompletionParams], CompletionList | null>("completion", null, ({ textDocument, position }) => {
      const document = texts.get(textDocument.uri);
      const found = document && service.completion(document.uri, document.offsetAt(position));
      if (!document || !found) return null;
      const items = found.map((item) => toCompletionItem(document, item, client));
      return { isIncomplete: found.length >= mostItems, items };
    }),
  );
  connection.onHover(
    guard("hover", null, ({ textDocument, position }) => {
      const document = texts.get(textDocument.uri);
      const found = document && service.hover(document.uri, document.offsetAt(position));
      return document && found ? toHover(document, found, client) : null;
    }),
  );
  connection.onCodeLens(
    guard("code lens", null, ({ textDocument }) => {
      const document = texts.get(textDocument.uri);
      // An editor that runs cells has a button on each cell of a notebook, and shows results there.
      if (client.options.runsCells && notebookOf(textDocument.uri) !== undefined) return null;
      return document ? service.codeLenses(document.uri).map((lens) => toCodeLens(document, lens, client)) : null;
    }),
  );
  connection.languages.diagnostics.on(
    guard("diagnostics", noProblems, ({ textDocument }) => shown.pull(textDocument.uri)),
  );
}

function answerRuns({ connection, service, notebookOf, runs: all, guard }: Session): void {
  const notRun: RunResult = { ok: 0, failed: 0, cancelled: false };
  const none: EndpointsResult = { endpoints: [] };
  connection.onRequest(
    "rpcNotebook/run",
    guard("run", notRun, (params: RunParams & WorkDoneProgressParams, token: CancellationToken) => {
      const { workDoneToken, ...rest } = params;
      return all.run(rest, signalOf(token), connection.window.attachWorkDoneProgress(workDoneToken));
    }),
  );
  connection.onExecuteCommand(
    guard("command", null, async ({ command, arguments: given, workDoneToken }: ExecuteCommandParams, token) => {
      const params = command === runCommand ? commandParams(given, notebookOf) : undefined;
      if (!params) return null;
      const shown: string[] = [];
      const progress = connection.window.attachWorkDoneProgress(workDoneToken);
      const result = await all.run(params, signalOf(token), progress, ({ output }) => shown.push(output.text));
      // An editor that has no place of its own for results still shows messages.
      void connection.sendNotification(ShowMessageNotification.type, {
        type: MessageType.Info,
        message: shown.join("\n\n"),
      });
      return result;
    }),
  );
  connection.onRequest(
    "rpcNotebook/endpoints",
    guard("endpoints", none, ({ uri }: EndpointsParams) => service.endpoints(uri)),
  );
  connection.onShutdown(all.stop);
}

/** What changes answers without a change of a document. */
function followSettings({ connection, client, service, problems: shown, guard }: Session, ports: Ports): void {
  let settings = client.options.settings ?? {};
  const heard = <Params>(name: string, handler: (params: Params) => void) =>
    guard(name, undefined, (params: Params) => {
      handler(params);
      shown.allAffected();
    });
  const configure = (next: Settings): void => {
    settings = next;
    ports.configure?.(settings);
    service.configure(settings);
  };
  connection.onNotification(
    "rpcNotebook/pickEndpoint",
    heard("pick endpoint", ({ uri, name }: PickEndpoint) => service.pickEndpoint(uri, name)),
  );
  connection.onNotification(
    "rpcNotebook/trusted",
    heard("trust", () => service.trust()),
  );
  connection.onDidChangeConfiguration(
    heard("configure", ({ settings: next }: { readonly settings: unknown }) => configure(isSettings(next) ? next : {})),
  );
  // Files of endpoints are read again with the settings.
  connection.onDidChangeWatchedFiles(heard("watched files", () => configure(settings)));
}

function isSettings(value: unknown): value is Settings {
  return typeof value === "object" && value !== null;
}
