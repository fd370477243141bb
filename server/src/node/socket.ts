import type { IncomingMessage } from "node:http";
import type { ClientOptions } from "ws";
import { onAbort, withDeadline } from "../base/deadline.ts";
import { parseAddress, requestHeaders, transportFault } from "../base/httpRequest.ts";
import type { OpenSocket, SocketEvents, SocketRequest, Sockets, TransportFault } from "../base/ports.ts";
import { type Connector, type NetworkOptions, openConnector } from "./connector.ts";
import { clock } from "./environment.ts";
import { causeOf } from "./faults.ts";
import { ProxyFault, type Tunnelled } from "./tunnel.ts";

/**
 * WebSockets by the package `ws`, which the first one loads: Node 20 has none, and those of browsers send no headers. They
 * go through the same proxies as HTTP, in tunnels.
 */
export function createSockets(
  options: () => NetworkOptions,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Sockets {
  const connector = openConnector(options, environment);
  return { open: (request, events, signal) => open(request, events, signal, connector) };
}

async function open(
  request: SocketRequest,
  events: SocketEvents,
  signal: AbortSignal,
  connector: Connector,
): Promise<OpenSocket | TransportFault> {
  const url = parseAddress(request.url, "ws");
  if ("kind" in url) return url;
  const answer = await withDeadline(clock, request.timeoutMs, signal, (over) =>
    connect(url, request, events, over, connector).catch(faultOf),
  );
  return typeof answer === "string" ? transportFault(answer) : answer;
}

async function connect(
  url: URL,
  { headers, maxBytes }: SocketRequest,
  events: SocketEvents,
  over: AbortSignal,
  connector: Connector,
): Promise<OpenSocket | TransportFault> {
  const { agents } = await connector.routeTo(new URL(url.href.replace(/^ws/, "http"))); // proxies go by the scheme of HTTP
  const { WebSocket } = await import("ws");
  if (over.aborted) throw over.reason;
  const address = new URL(url.href);
  [address.username, address.password] = ["", ""]; // they are in a header
  const options: ClientOptions & Tunnelled = {
    headers: requestHeaders({ "user-agent": "rpc-notebook" }, url, headers),
    agent: url.protocol === "wss:" ? agents.wss : agents.ws,
    maxPayload: maxBytes,
    followRedirects: false,
    over,
  };
  const socket = new WebSocket(address, options);
  const stopListening = onAbort(over, () => socket.terminate());
  return new Promise((resolve, reject) => {
    let why = transportFault("reset");
    socket.on("unexpected-response", (_request, response: IncomingMessage) => {
      resolve(refusedUpgrade(response));
      socket.terminate();
    });
    socket.on("error", (error) => {
      why = faultOf(error);
      reject(error);
    });
    socket.on("message", (data) => {
      const bytes = data as Buffer; // `binaryType` is that of Node
      events.message(bytes.toString(), bytes.length);
    });
    socket.on("open", () => {
      stopListening();
      socket.on("close", () => events.closed(why));
      resolve({
        kind: "open",
        send: (text) => socket.send(text, () => undefined), // a failure closes the socket, which reports it
        close: () => socket.terminate(),
      });
    });
  });
}

/** The fault of a server that answers as a web server does. */
function refusedUpgrade(response: IncomingMessage): TransportFault {
  const { statusCode = 0 } = response;
  response.resume();
  return transportFault("no-socket", `HTTP ${statusCode}`, { status: statusCode });
}

function faultOf(error: unknown): TransportFault {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  // errors of `ws` about a handshake have no code
  if (code === "" && !(error instanceof ProxyFault)) return transportFault("no-socket", "its handshake is not valid");
  if (code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH") return transportFault("too-large");
  if (code.startsWith("WS_ERR_")) return transportFault("truncated", "it sent an invalid WebSocket message");
  const { reason, detail } = causeOf(error, false);
  return transportFault(reason, detail);
}
