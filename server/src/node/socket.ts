import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { ClientOptions } from "ws";
import type { OpenSocket, SocketEvents, SocketRequest, Sockets, TransportFault } from "../base/ports.ts";
import { basic, openTunnel, ProxyFault } from "./connector.ts";
import { withDeadline } from "./deadline.ts";
import { causeOf } from "./faults.ts";
import { proxyFor } from "./proxy.ts";
import type { TransportOptions } from "./transport.ts";

/**
 * WebSockets by the package `ws`, which is loaded by the first one: the WebSocket of Node 20 is none, and one of a
 * browser's kind sends no headers. They go through the same proxies as HTTP, in a tunnel.
 */
export function createSockets(
  options: () => TransportOptions,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Sockets {
  return { open: (request, events, signal) => open(request, events, signal, options(), environment) };
}

async function open(
  request: SocketRequest,
  events: SocketEvents,
  signal: AbortSignal,
  { proxy, noProxy, strictSSL = true }: TransportOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<OpenSocket | TransportFault> {
  if (!URL.canParse(request.url)) return fault("unsendable", "the address is not valid");
  const url = new URL(request.url);
  if (url.protocol !== "ws:" && url.protocol !== "wss:")
    return fault("unsendable", "the address is neither ws nor wss");
  const answer = await withDeadline(request.timeoutMs, signal, async (over) => {
    try {
      const way = proxyFor(asHttp(url), { proxy, noProxy, environment });
      const through = way === undefined ? {} : await tunnelled(way, url, strictSSL, over);
      const headers = withDefaults(request.headers, url);
      return await connect(url, { ...through, headers, rejectUnauthorized: strictSSL }, request, events, over);
    } catch (error) {
      return faultOf(error);
    }
  });
  return typeof answer === "string" ? fault(answer, "") : answer;
}

/** Proxies are chosen by the scheme of HTTP. */
function asHttp(url: URL): URL {
  return new URL(url.href.replace(/^ws/, "http"));
}

async function tunnelled(proxy: string, url: URL, strict: boolean, signal: AbortSignal): Promise<ClientOptions> {
  const way = URL.canParse(proxy) ? new URL(proxy) : undefined;
  if (way?.protocol !== "http:" && way?.protocol !== "https:") throw new ProxyFault(undefined);
  const secure = url.protocol === "wss:";
  const tls = await import("node:tls");
  const socket: Socket = await openTunnel(way, `${url.hostname}:${url.port || (secure ? 443 : 80)}`, strict, signal);
  const servername = url.hostname.replace(/^\[|\]$/g, "");
  return {
    createConnection: () => (secure ? tls.connect({ socket, servername, rejectUnauthorized: strict }) : socket),
  };
}

async function connect(
  url: URL,
  options: ClientOptions,
  { maxBytes }: SocketRequest,
  events: SocketEvents,
  signal: AbortSignal,
): Promise<OpenSocket | TransportFault> {
  const { WebSocket } = await import("ws");
  if (signal.aborted) throw signal.reason;
  // As part of the address, credentials would be sent twice
  const address = new URL(url.href);
  address.username = "";
  address.password = "";
  const socket = new WebSocket(address, { ...options, maxPayload: maxBytes, followRedirects: false });
  const give = (): void => socket.terminate();
  signal.addEventListener("abort", give, { once: true });
  return new Promise((resolve, reject) => {
    let why: TransportFault = fault("reset", "");
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
      signal.removeEventListener("abort", give);
      socket.on("close", () => events.closed(why));
      resolve({
        kind: "open",
        send: (text) => socket.send(text, () => undefined), // a failure ends the socket, which says so itself
        close: () => socket.terminate(),
      });
    });
  });
}

/** A web server answered, and no more than that. */
function refusedUpgrade(response: IncomingMessage): TransportFault {
  const { statusCode = 0 } = response;
  response.resume();
  return { kind: "fault", reason: "no-socket", detail: `HTTP ${statusCode}`, status: statusCode };
}

function faultOf(error: unknown): TransportFault {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  // `ws` gives its own complaints about a handshake no code
  if (code === "" && !(error instanceof ProxyFault)) return fault("no-socket", "its handshake is not valid");
  if (code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH") return fault("too-large", "");
  if (code.startsWith("WS_ERR_")) return fault("truncated", "it sent what is no WebSocket message");
  const { reason, detail } = causeOf(error, false);
  return fault(reason, detail);
}

function withDefaults(
  own: Readonly<Record<string, string>>,
  { username, password }: URL,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { "user-agent": "rpc-notebook" };
  if (username || password) headers.authorization = basic(username, password);
  for (const [name, value] of Object.entries(own)) headers[name.toLowerCase()] = value;
  return headers;
}

function fault(reason: TransportFault["reason"], detail: string): TransportFault {
  return { kind: "fault", reason, detail };
}
