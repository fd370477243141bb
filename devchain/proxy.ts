import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import type { Chain, Role } from "./chain.ts";
import { elements, parse } from "./json.ts";
import { answer, type Handlers } from "./methods.ts";
import { createSubscriptions } from "./subscriptions.ts";
import { atNextNode } from "./tags.ts";
import { envelope, failure, type Reply, readCall } from "./wire.ts";

export interface ProxyServer {
  /** `host:port` */
  readonly host: string;
  /** Ends every connection at once, and stops listening. */
  close(): Promise<void>;
}

/** Another process listens on the requested port. */
export class PortTakenError extends Error {
  override readonly name = "PortTakenError";
}

/** Bytes of a request's body. */
const maxBody = 25_000_000;

/** @param port - 0 takes a free one. */
export async function startProxy(chain: Chain, port: number): Promise<ProxyServer> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer((request, response) => {
    serve(atNextNode(chain, turn++), request, response).catch(() => request.destroy());
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  acceptWebSockets(chain, server);
  await listen(server, port);
  const address = server.address() as AddressInfo; // it listens on a port, not on a pipe
  return {
    host: `127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === "EADDRINUSE" || cause.code === "EACCES";
      reject(taken ? new PortTakenError(`Port ${port} is taken: choose another one, or 0 for any.`, { cause }) : cause);
    });
    server.listen(port, "127.0.0.1", resolve);
  });
}

/** The path decides the role; any other one is not there. */
function roleOf(request: IncomingMessage): Role | undefined {
  const path = (request.url ?? "/").replace(/\?.*$/, "").replace(/\/$/, "");
  return path === "" ? "full" : path === "/public" ? "public" : undefined;
}

async function serve(chain: Chain, request: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const [name, value] of Object.entries(crossOrigin(request))) response.setHeader(name, value);
  const role = roleOf(request);
  if (request.method === "OPTIONS") return end(response, 204);
  if (role === undefined) return end(response, 404, "There is nothing at this path.\n", "text/plain");
  if (request.method !== "POST") {
    response.setHeader("allow", "POST, OPTIONS");
    return end(response, 405, "JSON-RPC requests come by POST.\n", "text/plain");
  }
  const body = await read(request);
  const { status, text } = await respond(body, chain, role);
  end(response, status, text);
}

/** Allows every web page, as anvil does: the chain contains nothing of value. */
function crossOrigin(request: IncomingMessage): Readonly<Record<string, string>> {
  const common = { "access-control-allow-origin": "*", "access-control-expose-headers": "*" };
  if (request.method !== "OPTIONS") return common;
  return {
    ...common,
    "access-control-allow-methods": "POST, OPTIONS",
    "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "content-type",
    "access-control-allow-private-network": "true",
    "access-control-max-age": "600",
  };
}

function end(response: ServerResponse, status: number, text?: string, type = "application/json"): void {
  response.writeHead(status, text === undefined ? {} : { "content-type": type });
  response.end(text);
}

/** @returns `undefined` for more than the limit; the rest of it is read and forgotten. */
async function read(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBody) chunks.push(chunk);
  }
  return size > maxBody ? undefined : Buffer.concat(chunks).toString();
}

interface Response {
  readonly status: number;
  /** `undefined`: only notifications came. */
  readonly text?: string;
}

/** Answers one body: a request, or a batch of them. */
export async function respond(body: string | undefined, chain: Chain, role: Role, more?: Handlers): Promise<Response> {
  if (body === undefined) return single("null", failure(-32021, "request body too large", 413));
  const value = parse(body);
  if (value === undefined) return single("null", failure(-32700, "parse error", 400));
  const texts = Array.isArray(value) ? elements(body) : [body];
  if (texts.length === 0) return single("null", failure(-32600, "must specify at least one batch call", 400));
  const calls = texts.map(readCall);
  const replies = await answer(calls, chain, role, more);
  const answered = calls.flatMap(({ rawId }, i) => {
    const reply = replies[i];
    return rawId === undefined || reply === undefined ? [] : [{ rawId, reply }];
  });
  const [first] = answered;
  if (first === undefined) return { status: 204 };
  if (!Array.isArray(value)) return single(first.rawId, first.reply);
  return { status: 200, text: `[${answered.map(({ rawId, reply }) => envelope(rawId, reply)).join()}]` };
}

function single(rawId: string, reply: Reply): Response {
  return { status: reply.status, text: envelope(rawId, reply) };
}

function acceptWebSockets(chain: Chain, server: Server): void {
  const accepting = new WebSocketServer({ noServer: true, maxPayload: maxBody });
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy());
    const role = roleOf(request);
    if (role === undefined) return void socket.end("HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n");
    accepting.handleUpgrade(request, socket, head, (client) => converse(client, chain, role));
  });
}

function converse(client: WebSocket, chain: Chain, role: Role): void {
  const subscriptions = createSubscriptions(
    chain,
    (text) => client.send(text),
    () => client.terminate(),
  );
  const handlers = { eth_subscribe: subscriptions.answer, eth_unsubscribe: subscriptions.answer };
  // one message after the other, so that an answer never overtakes an earlier one
  let last: Promise<void> = Promise.resolve();
  client.on("message", (data) => {
    last = last
      .then(async () => {
        const { text } = await respond(String(data), chain, role, handlers);
        if (text !== undefined) client.send(text);
      })
      .catch(() => client.terminate());
  });
  client.on("error", () => client.terminate());
  client.on("close", () => subscriptions.close());
}
