import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { request as ask, createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { connect, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeAfterTest } from "../../scripts/lib/processEnd.mjs";

/** A request as it arrived. */
export interface Seen {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** Counts connections from 1. */
  readonly connection: number;
}

/** Answers one request; a response that it does not end stays open. */
export type Misbehaviour = (seen: Seen, response: ServerResponse, socket: Socket) => void;

/** A server on loopback that handles each request as the test says. It is closed after the test that opened it. */
export interface HostileServer {
  readonly url: string;
  /** Host and port. */
  readonly host: string;
  readonly seen: readonly Seen[];
  close(): Promise<void>;
}

/** Answers single requests and batches as it should; a method without a result is refused. */
export function answering(
  resultOf: (method: string, params: unknown) => unknown,
  error = { code: -32000, message: "no luck" },
): Misbehaviour {
  return replying((method, params) => {
    const result = resultOf(method, params);
    return result === undefined ? { error } : { result };
  });
}

/** Answers single requests and batches with the `result` or the `error` of each. */
export function replying(answerTo: (method: string, params: unknown, at: number) => object): Misbehaviour {
  const one = (
    { id, method, params }: { readonly id: unknown; readonly method: string; readonly params: unknown },
    at = 0,
  ) => {
    return { jsonrpc: "2.0", id, ...answerTo(method, params, at) };
  };
  return ({ body }, response) => {
    if (body === "") return void response.destroy(); // a handshake, or a client that has given up
    const asked = JSON.parse(body);
    response.end(JSON.stringify(Array.isArray(asked) ? asked.map(one) : one(asked)));
  };
}

export async function hostileServer(
  misbehave: Misbehaviour,
  tls?: { key: string; cert: string },
): Promise<HostileServer> {
  const seen: Seen[] = [];
  const connections = new Map<Socket, number>();
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { url: path = "", method = "", headers, socket } = request;
    const entry = {
      path,
      method,
      headers,
      body: Buffer.concat(chunks).toString(),
      connection: connections.get(socket) ?? 0,
    };
    seen.push(entry);
    misbehave(entry, response, socket);
  };
  const server: Server = tls ? createHttpsServer(tls, listener) : createHttpServer(listener);
  server.on(tls ? "secureConnection" : "connection", (socket: Socket) => {
    connections.set(socket, connections.size + 1);
    socket.on("error", () => undefined);
  });
  const port = await listen(server);
  return closedAfterTest({
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}/`,
    host: `127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
        for (const socket of connections.keys()) socket.destroy();
      }),
  });
}

function closedAfterTest<Server extends { close(): Promise<void> }>(server: Server): Server {
  closeAfterTest(() => server.close());
  return server;
}

/** A TCP server on loopback that handles each connection as the test says. */
export interface TcpServer extends HostileServer {
  /** Waits until every connection that was opened so far has ended. */
  allEnded(): Promise<void>;
}

export async function tcpServer(serve: (socket: Socket) => void): Promise<TcpServer> {
  const sockets = new Map<Socket, Promise<void>>();
  const server = createTcpServer({ allowHalfOpen: false }, (socket) => {
    sockets.set(socket, new Promise((ended) => socket.once("close", () => ended())));
    socket.on("error", () => undefined);
    socket.resume();
    serve(socket);
  });
  const host = `127.0.0.1:${await listen(server)}`;
  return closedAfterTest({
    url: `http://${host}/`,
    host,
    seen: [],
    close: () => shut(server, sockets.keys()),
    allEnded: async () => void (await Promise.all(sockets.values())),
  });
}

/** Sends the bytes unchanged to every connection, then calls `after`. */
export function rawServer(
  bytes: string,
  after: "end" | "reset" | "stay",
  encoding: BufferEncoding = "utf8",
): Promise<TcpServer> {
  return tcpServer((socket) => {
    socket.once("data", () => {
      if (after === "reset" && bytes === "") return socket.resetAndDestroy();
      return socket.write(bytes, encoding, () => {
        if (after === "end") socket.end();
        if (after === "reset") socket.resetAndDestroy();
      });
    });
  });
}

/** A proxy that records requests, and refuses with `status` if one is given. */
export async function proxyServer(status?: number): Promise<HostileServer & { readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createHttpServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers["proxy-authorization"] ?? ""}`.trim());
    if (status !== undefined) return response.writeHead(status).end();
    const { hostname, port, pathname: path } = new URL(request.url ?? "");
    const onward = ask({ hostname, port, path, method: request.method, headers: request.headers }, (found) =>
      found.pipe(response.writeHead(found.statusCode ?? 0, found.headers)),
    );
    return request.pipe(onward);
  });
  server.on("connect", (request, socket: Socket) => {
    asked.push(`CONNECT ${request.url}`);
    sockets.add(socket.on("error", () => undefined));
    if (status !== undefined) return socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
    const [host = "", port = ""] = (request.url ?? "").split(":");
    const onward = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    return sockets.add(onward.on("error", () => socket.destroy()));
  });
  server.on("connection", (socket: Socket) => sockets.add(socket));
  const port = await listen(server);
  const host = `127.0.0.1:${port}`;
  return closedAfterTest({ url: `http://${host}/`, host, seen: [], asked, close: () => shut(server, sockets) });
}

async function listen(server: {
  listen(port: number, host: string, done: () => void): unknown;
  address(): unknown;
}): Promise<number> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return (server.address() as AddressInfo).port; // a TCP server has such an address
}

function shut(server: { close(done: () => void): unknown }, sockets: Iterable<Socket>): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    for (const socket of sockets) socket.destroy();
  });
}

/** A port on which no process listens. */
export async function closedPort(): Promise<number> {
  const server = createTcpServer();
  const port = await listen(server);
  await shut(server, []);
  return port;
}

/** A self-signed certificate; `undefined` if openssl is not installed. */
export function selfSigned(): { key: string; cert: string } | undefined {
  const folder = mkdtempSync(join(tmpdir(), "rpc-notebook-tls-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  try {
    const what = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    execFileSync("openssl", [...what, "-subj", "/CN=127.0.0.1", "-keyout", key, "-out", cert], { stdio: "ignore" });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
