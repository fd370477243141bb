import type { ClientRequest, IncomingMessage } from "node:http";
import type { Agent, RequestOptions } from "node:https";
import type { Socket } from "node:net";
import type { ConnectionOptions, TLSSocket } from "node:tls";

/** Makes POSTs over connections that it keeps. */
export interface Connector {
  /** @throws Errors of Node, and {@link ProxyFault}. */
  post(outgoing: Outgoing, signal: AbortSignal): Promise<IncomingMessage>;
  close(): void;
}

interface Outgoing {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Called when the endpoint may have received the first byte. */
  sent(): void;
}

/** The proxy is at fault, not the endpoint. */
export class ProxyFault extends Error {
  /** The status it answered; `undefined` where it did not answer. */
  readonly status: number | undefined;

  constructor(status: number | undefined, cause?: unknown) {
    super("The proxy refused or failed.", { cause });
    this.status = status;
  }
}

/** @param strict - Whether certificates are verified. */
export async function openDirect(strict: boolean): Promise<Connector> {
  const [http, https] = await Promise.all([import("node:http"), import("node:https")]);
  const plain = new http.Agent({ keepAlive: true });
  const secure = new https.Agent({ keepAlive: true, rejectUnauthorized: strict });
  return {
    post({ url, headers, body: text, sent }, signal) {
      const body = Buffer.from(text);
      const options = { method: "POST", headers: sized(headers, body), signal };
      return url.protocol === "https:"
        ? answered(https.request(url, { ...options, agent: secure }), body, sent)
        : answered(http.request(url, { ...options, agent: plain }), body, sent);
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

/**
 * The way through a proxy. As with curl, it gets `http:` requests to pass on, and for `https:` a CONNECT, so that it
 * does not see what is sent.
 */
export async function openProxied(proxy: URL, strict: boolean): Promise<Connector> {
  const [http, https, tls] = await Promise.all([import("node:http"), import("node:https"), import("node:tls")]);
  const overTls = proxy.protocol === "https:";
  const toProxy = overTls
    ? new https.Agent({ keepAlive: true, rejectUnauthorized: strict })
    : new http.Agent({ keepAlive: true });
  const ask: (options: RequestOptions) => ClientRequest = overTls ? https.request : http.request;
  const address = addressOf(proxy);

  class Tunnel extends https.Agent {
    /** Called by Node for each new connection to an endpoint. */
    createConnection(options: ConnectionOptions & Partial<Tunnelled>, connected: Connected): void {
      openTunnel(proxy, `${options.host}:${options.port}`, strict, options.over).then(
        (socket) => connected(null, tls.connect({ ...options, socket })),
        (error) => connected(error),
      );
    }
  }
  const tunnel: Agent = new Tunnel({ keepAlive: true, rejectUnauthorized: strict });
  return {
    async post({ url, headers, body: text, sent }, signal) {
      const body = Buffer.from(text);
      const options = { method: "POST", headers: sized(headers, body), signal };
      if (url.protocol === "https:") {
        const tunnelled: RequestOptions & Tunnelled = { ...options, agent: tunnel, over: signal };
        return answered(https.request(url, tunnelled), body, sent);
      }
      const passed = { ...options.headers, host: url.host, ...credentials(proxy) };
      const path = `${url.origin}${url.pathname}${url.search}`;
      const outgoing = ask({ ...options, ...address, headers: passed, path, agent: toProxy });
      const response = await answered(outgoing, body, sent).catch((error: unknown) => {
        throw new ProxyFault(undefined, error);
      });
      if (response.statusCode === 407) throw new ProxyFault(407);
      return response;
    },
    close() {
      toProxy.destroy();
      tunnel.destroy();
    },
  };
}

/**
 * A connection through a proxy, which does not see what is sent.
 *
 * @param target - Host and port.
 * @throws {@link ProxyFault}
 */
export async function openTunnel(proxy: URL, target: string, strict: boolean, signal?: AbortSignal): Promise<Socket> {
  const { request } = proxy.protocol === "https:" ? await import("node:https") : await import("node:http");
  const headers = { host: target, ...credentials(proxy) };
  const asked = request({
    ...addressOf(proxy),
    method: "CONNECT",
    path: target,
    headers,
    agent: false,
    rejectUnauthorized: strict,
    ...(signal && { signal }),
  });
  return new Promise((resolve, reject) => {
    asked.on("connect", ({ statusCode }, socket: Socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      return reject(new ProxyFault(statusCode));
    });
    asked.on("response", ({ statusCode }) => reject(new ProxyFault(statusCode)));
    asked.on("error", (error) => reject(new ProxyFault(undefined, error)));
    asked.on("close", () => reject(new ProxyFault(undefined))); // no news after an answer
    asked.end();
  });
}

function addressOf(proxy: URL): { readonly hostname: string; readonly port: string | number } {
  const port = proxy.port || (proxy.protocol === "https:" ? 443 : 80);
  return { hostname: proxy.hostname.replace(/^\[|\]$/g, ""), port };
}

type Connected = (error: Error | null, socket?: TLSSocket) => void;

/** Node hands the options of a request on to its connection, all but its signal. */
interface Tunnelled {
  readonly over: AbortSignal;
}

function sized(headers: Readonly<Record<string, string>>, body: Uint8Array): Readonly<Record<string, string>> {
  return { ...headers, "content-length": String(body.length) };
}

function answered(outgoing: ClientRequest, body: Uint8Array, sent: () => void): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.on("socket", (socket) => {
      if (outgoing.reusedSocket || !isConnecting(socket)) sent();
      else socket.once("encrypted" in socket ? "secureConnect" : "connect", sent);
    });
    outgoing.on("response", resolve);
    outgoing.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve(response);
    });
    outgoing.on("error", reject); // it stays, since a body that breaks off reports here too
    outgoing.on("close", () => reject(new Error("It ended without an answer."))); // no news after one
    outgoing.end(body);
  });
}

function isConnecting(socket: Socket): boolean {
  return socket.connecting || ("secureConnecting" in socket && socket.secureConnecting === true);
}

function credentials({ username, password }: URL): Readonly<Record<string, string>> {
  return username || password ? { "proxy-authorization": basic(username, password) } : {};
}

/** @param username - As in a URL, percent-encoded; so is the password. */
export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64")}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
