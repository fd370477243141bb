import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { closeAfterTest } from "../../scripts/lib/processEnd.mjs";

/** A message as it arrived, parsed if it is one request. */
export interface Frame {
  readonly text: string;
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
  /** Counts connections from 1. */
  readonly connection: number;
}

/** A WebSocket server on loopback that handles each message as the test says. It is closed after the test that opened it. */
export interface SocketServer {
  readonly url: string;
  readonly host: string;
  readonly frames: readonly Frame[];
  readonly handshakes: readonly IncomingMessage[];
  /** Ends every connection without a word. */
  drop(): void;
  close(): Promise<void>;
}

export async function socketServer(serve: (frame: Frame, socket: WebSocket) => void): Promise<SocketServer> {
  const frames: Frame[] = [];
  const handshakes: IncomingMessage[] = [];
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", (socket, request) => {
    const connection = handshakes.push(request);
    socket.on("error", () => undefined);
    socket.on("message", (data) => {
      const text = String(data);
      const { id, method = "", params = [] } = JSON.parse(text);
      const frame = { text, id, method, params, connection };
      frames.push(frame);
      serve(frame, socket);
    });
  });
  await new Promise((done) => server.once("listening", done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
  const drop = (): void => {
    for (const client of server.clients) client.terminate();
  };
  const close = (): Promise<void> =>
    new Promise((done) => {
      drop();
      server.close(() => done());
    });
  closeAfterTest(close);
  return { url: `ws://${host}/`, host, frames, handshakes, drop, close };
}

export function answer(socket: WebSocket, { id }: Pick<Frame, "id">, result: unknown): void {
  socket.send(JSON.stringify({ jsonrpc: "2.0", id, result }));
}

export function notify(socket: WebSocket, subscription: string, result: unknown): void {
  socket.send(JSON.stringify({ jsonrpc: "2.0", method: "eth_subscription", params: { subscription, result } }));
}
