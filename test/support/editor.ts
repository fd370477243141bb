import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import {
  type ContentTypeEncoder,
  createConnection,
  createMessageConnection,
  type Message,
  type MessageConnection,
  type Range,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import type { Clock, Files } from "../../server/src/base/ports.ts";
import { openGate } from "../../server/src/lsp/gate.ts";
import type { Ports } from "../../server/src/lsp/host.ts";
import { printed } from "../../server/src/lsp/joined.ts";
import { serve } from "../../server/src/lsp/serve.ts";
import { startSession } from "../../server/src/lsp/startSession.ts";
import { clock as realClock } from "../../server/src/node/environment.ts";
import { createSockets } from "../../server/src/node/socket.ts";
import { createTransport } from "../../server/src/node/transport.ts";
import type { createService } from "../../server/src/service/service.ts";

/** A client of the language server, at the other end of two streams. */
export interface Editor {
  readonly connection: MessageConnection;
  /** Waits for a message of the server that is right, past ones included. */
  until<Heard>(method: string, isRight: (message: Heard) => boolean): Promise<Heard>;
  /** How many of the server's messages of a method there were. */
  count(method: string): number;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Opens a file as text. */
  open(uri: string, text: string): Promise<void>;
  /** Opens a notebook of cells, which have URIs of their own. */
  openCells(uri: string, cells: readonly (readonly [uri: string, text: string, metadata?: object])[]): Promise<void>;
  /** Changes a text; a change without a range replaces all of it. */
  change(uri: string, ...contentChanges: readonly { readonly range?: Range; readonly text: string }[]): Promise<void>;
  /** Asks a `textDocument` request. */
  ask<Answer>(method: string, uri: string, params?: object): Promise<Answer>;
}

export interface EditorOptions {
  readonly name?: string;
  readonly capabilities?: object;
  readonly initializationOptions?: unknown;
  /** URIs of the workspace folders. */
  readonly folders?: readonly string[];
  readonly create?: typeof createService;
  readonly files?: Files;
  /** In place of the real one. */
  readonly clock?: Clock;
  /** Ports beside those of every editor. */
  readonly ports?: Pick<Ports, "cache" | "downloads">;
  /** The server waits for this before it starts its session. */
  readonly loading?: Promise<void>;
  /** Called with each message that the server reads, before the server acts on it. */
  readonly received?: (message: Message) => void;
  /** Answers to requests of the server, by method; other requests are refused. */
  readonly answers?: Readonly<Record<string, (params: never) => unknown>>;
}

/** As the server's own main writes. */
const contentTypeEncoder: ContentTypeEncoder = {
  name: "application/json",
  async encode(message) {
    const bytes = Buffer.concat(printed(message));
    assert.deepEqual(JSON.parse(bytes.toString()), JSON.parse(JSON.stringify(message)));
    return bytes;
  },
};

/** The server that answers it runs in this process, and ends with the connection. */
export async function startEditor({
  name,
  capabilities = {},
  initializationOptions,
  folders,
  create,
  files = { read: async () => undefined },
  clock = realClock,
  ports = {},
  loading = Promise.resolve(),
  received = () => {},
  answers = {},
}: EditorOptions): Promise<Editor> {
  const [toServer, toEditor] = [new PassThrough(), new PassThrough()];
  const reader = new StreamMessageReader(toServer);
  const listen = reader.listen.bind(reader);
  reader.listen = (callback) =>
    listen((message) => {
      received(message);
      callback(message);
    });
  const gate = openGate();
  const writer = new StreamMessageWriter(toEditor, { contentTypeEncoder });
  const server = createConnection(reader, writer, gate.options);
  serve(
    server,
    gate,
    () => ({
      transport: createTransport(() => ({})),
      sockets: createSockets(() => ({})),
      openTracer: async (ended) => (await import("./traceInThread.ts")).traceInThread(ended),
      ...{ files, clock, ...ports },
    }),
    async () => {
      await loading;
      return { startSession: (to, client, ports) => startSession(to, client, ports, create) };
    },
  );
  const connection = createMessageConnection(new StreamMessageReader(toEditor), new StreamMessageWriter(toServer));
  const heard: { readonly method: string; readonly message: unknown }[] = [];
  const waiting = new Set<() => void>();
  const hear = (method: string, message: unknown): void => {
    heard.push({ method, message });
    for (const look of waiting) look();
  };
  connection.onNotification(hear);
  connection.onUnhandledProgress((params) => hear("$/progress", params));
  for (const [method, answer] of Object.entries(answers)) {
    connection.onRequest(method, (params) => {
      hear(method, params);
      return answer(params as never); // each answer names the shape of its own
    });
  }
  connection.listen();
  const answer: { readonly capabilities: Record<string, unknown> } = await connection.sendRequest("initialize", {
    processId: null,
    rootUri: null,
    ...(folders && { workspaceFolders: folders.map((uri) => ({ uri, name: uri })) }),
    ...(name !== undefined && { clientInfo: { name } }),
    capabilities,
    initializationOptions,
  });
  await connection.sendNotification("initialized", {});
  let version = 1;
  return {
    connection,
    open: (uri, text) =>
      connection.sendNotification("textDocument/didOpen", {
        textDocument: { uri, languageId: "rpc-notebook", version: 1, text },
      }),
    openCells: (uri, cells) => connection.sendNotification("notebookDocument/didOpen", notebookOf(uri, cells)),
    change: (uri, ...contentChanges) =>
      connection.sendNotification("textDocument/didChange", {
        textDocument: { uri, version: ++version },
        contentChanges,
      }),
    ask: (method, uri, params) =>
      connection.sendRequest(`textDocument/${method}`, { textDocument: { uri }, ...params }),
    capabilities: answer.capabilities,
    count: (method) => heard.filter((one) => one.method === method).length,
    until: <Heard>(method: string, isRight: (message: Heard) => boolean): Promise<Heard> =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = heard.find((one) => one.method === method && isRight(one.message as Heard)); // its caller names its shape
          if (!found) return;
          waiting.delete(look);
          resolve(found.message as Heard);
        };
        waiting.add(look);
        look();
      }),
  };
}

/** The parameters with which an editor opens a notebook, and closes it. */
export function notebookOf(
  uri: string,
  cells: readonly (readonly [uri: string, text: string, metadata?: object])[],
): object {
  return {
    notebookDocument: {
      uri,
      notebookType: "rpc-notebook",
      version: 1,
      cells: cells.map(([document, , metadata]) => ({ kind: 2, document, ...(metadata && { metadata }) })),
    },
    cellTextDocuments: cells.map(([uri, text]) => ({ uri, languageId: "rpc-request", version: 1, text })),
  };
}
