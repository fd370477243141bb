import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";
import { maxRecordingBytes } from "../recording/recording.ts";
import type { Replay } from "../recording/replay.ts";
import { replaySockets } from "../recording/replaySockets.ts";
import { clock } from "./clock.ts";

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
  const server = createServer(
    (request, response) => void answer(request, response, replay).catch(() => response.destroy()),
  );
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

async function answer(request: IncomingMessage, response: ServerResponse, replay: Replay): Promise<void> {
  const { origin } = request.headers;
  if (origin !== undefined) {
    // Pages of this machine may read answers; pages of other sites may not.
    if (!isLocalPage(origin)) return end(response, 403, "Only pages of this machine may ask.");
    response.setHeader("Access-Control-Allow-Origin", origin);
    response.setHeader("Access-Control-Allow-Headers", "content-type");
    response.setHeader("Access-Control-Allow-Methods", "POST");
  }
  if (request.method === "OPTIONS") return end(response, 204, "");
  if (request.method !== "POST") return end(response, 405, "Send JSON-RPC requests by POST.");
  const body = await bodyOf(request);
  if (body === undefined) return end(response, 413, "The request is larger than 10 MB.");
  if (itemCount(body) > maxBatchItems) return endJson(response, 200, tooManyItems);
  const came = replay.answer(body, undefined, { maxBytes: maxRecordingBytes });
  // The recorded connection broke: break this one too.
  if (came.kind === "fault") response.destroy();
  else endJson(response, came.status, came.body, came.headers);
}

const tooManyItems = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"A batch has at most ${maxBatchItems} requests."}}`;

function end(response: ServerResponse, status: number, text: string): void {
  // What is left of the request is not read, so the connection cannot be used again.
  const headers = status < 400 ? {} : { connection: "close" };
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers }).end(text);
}

function endJson(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const length = { "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { "content-type": "application/json", ...headers, ...length }).end(body);
}

/** @returns `undefined` if it is too large. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes > maxRequestBytes) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return ""; // the client closed half-way: nothing reads the answer
  }
  return Buffer.concat(chunks).toString("utf8");
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
    if (itemCount(body) > maxBatchItems) client.send(tooManyItems);
    else connection.send(body);
  });
  client.on("close", () => {
    over.abort();
    connection.close();
  });
}
