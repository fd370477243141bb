import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";
import type { HttpResponse } from "../base/ports.ts";
import { maxRecordingBytes } from "../recording/maxRecordingBytes.ts";
import type { Replay } from "../recording/replay.ts";
import { replaySockets } from "../recording/replaySockets.ts";
import { clock } from "./environment.ts";

/** A running server that answers JSON-RPC from a recording. */
export interface RecordingServer {
  /** `http://127.0.0.1:8545`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Bytes of one request message. */
const maxRequestBytes = 10_000_000;
/** Requests of one batch, as geth takes them. */
const maxBatchItems = 1000;
/** WebSocket connections at once. */
const maxConnections = 200;

/**
 * Serves a replay of one endpoint over HTTP and WebSocket on this machine only.
 *
 * @param port - 0 for any free one.
 * @throws The system's error if the port is in use.
 */
export async function serveReplay(replay: Replay, port: number): Promise<RecordingServer> {
  const { WebSocketServer } = await import("ws");
  const server = createServer((request, response) => guarded(response, () => receive(request, response, replay)));
  server.maxConnections = maxConnections;
  server.requestTimeout = 30_000;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxRequestBytes });
  server.on("upgrade", (request, socket, head) => upgrade(sockets, replay, { request, socket, head }));
  await listening(server, port);
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : port;
  return {
    url: `http://127.0.0.1:${bound}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
}

/** Ends the connection of a request that cannot be answered. */
function guarded(response: ServerResponse, work: () => void): void {
  try {
    work();
  } catch {
    response.destroy();
  }
}

function receive(request: IncomingMessage, response: ServerResponse, replay: Replay): void {
  const { origin } = request.headers;
  if (origin !== undefined) {
    // Pages of this machine may read answers; pages of other sites may not.
    if (!isLocalPage(origin)) {
      end(response, 403, "Only pages of this machine may ask.");
      return;
    }
    response.setHeader("Access-Control-Allow-Origin", origin);
    response.setHeader("Access-Control-Allow-Headers", "content-type");
    response.setHeader("Access-Control-Allow-Methods", "POST");
  }
  if (request.method === "OPTIONS") end(response, 204, "");
  else if (request.method !== "POST") end(response, 405, "Send JSON-RPC requests by POST.");
  else readBody(request, response, replay);
}

/** Reads by events: an iterator, or a promise, costs more than the answer. */
function readBody(request: IncomingMessage, response: ServerResponse, replay: Replay): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxRequestBytes) chunks.push(chunk);
    else if (!response.headersSent) {
      request.pause();
      end(response, 413, "The request is larger than 10 MB.");
    }
  });
  request.on("end", () => {
    if (bytes > maxRequestBytes) return;
    const body = (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString() ?? "";
    guarded(response, () => answer(body, response, replay));
  });
  request.on("error", () => {}); // the client has closed the connection and will not read an answer
}

const limits = { maxBytes: maxRecordingBytes };

function answer(body: string, response: ServerResponse, replay: Replay): void {
  const came = itemCount(body) > maxBatchItems ? tooManyItems : replay.answer(body, undefined, limits);
  // The recorded connection broke: break this one too.
  if (came.kind === "fault") response.destroy();
  else endJson(response, came);
}

const tooManyItems = {
  kind: "response",
  status: 200,
  headers: {},
  body: `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"A batch has at most ${maxBatchItems} requests."}}`,
} as const;

function end(response: ServerResponse, status: number, text: string): void {
  // What is left of the request is not read, so the connection cannot be used again.
  const headers = status < 400 ? {} : { connection: "close" };
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers }).end(text);
}

function endJson(
  response: ServerResponse,
  { status, headers, body }: Pick<HttpResponse, "status" | "headers" | "body">,
): void {
  response.statusCode = status;
  response.setHeader("content-type", "application/json");
  for (const name in headers) response.setHeader(name, headers[name] ?? "");
  response.end(body); // without writeHead, head and body are one write
}

function itemCount(body: string): number {
  if (!body.trimStart().startsWith("[")) return 1;
  try {
    const items: unknown = JSON.parse(body);
    return Array.isArray(items) ? items.length : 1;
  } catch {
    return 1;
  }
}

function isLocalPage(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

function upgrade(sockets: WebSocketServer, replay: Replay, { request, socket, head }: Upgrade): void {
  socket.on("error", () => socket.destroy());
  const { origin } = request.headers;
  if (origin !== undefined && !isLocalPage(origin)) {
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    return;
  }
  sockets.handleUpgrade(request, socket, head, (client) => void connect(client, replay));
}

async function connect(client: WebSocket, replay: Replay): Promise<void> {
  const over = new AbortController();
  client.on("error", () => client.terminate());
  const connection = await replaySockets(() => replay, clock).open(
    { url: "", headers: {}, timeoutMs: 0, maxBytes: maxRecordingBytes },
    { message: (text) => client.send(text), closed: () => client.close() },
    over.signal,
  );
  if (connection.kind === "fault") {
    client.close();
    return;
  }
  client.on("message", (data) => {
    const body = data.toString();
    if (itemCount(body) > maxBatchItems) client.send(tooManyItems.body);
    else connection.send(body);
  });
  client.on("close", () => {
    over.abort();
    connection.close();
  });
}
