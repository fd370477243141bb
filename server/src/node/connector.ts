import type { ClientRequest, IncomingMessage } from "node:http";
import type { Agent, RequestOptions } from "node:https";
import type { Socket } from "node:net";
import type { ConnectionOptions, TLSSocket } from "node:tls";

/** Makes POSTs over connections that it keeps. */
export interface Connector {
  /** @throws Errors of Node, and {@link ProxyFault}. */
  post(
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<IncomingMessage>;
  close(): void;
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
    post(url, headers, text, signal) {
      const body = Buffer.from(text);
      const options = { method: "POST", headers: sized(headers, body), signal };
      return url.protocol === "https:"
        ? answered(https.request(url, { ...options, agent: secure }), body)
        : answered(http.request(url, { ...options, agent: plain }), body);
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
    createConnection(options: ConnectionOptions, connected: Connected): void {
      openTunnel(proxy, `${options.host}:${options.port}`, strict).then(
        (socket) => connected(null, tls.connect({ ...options, socket })),
        (error) => connected(error),
      );
    }
  }
  const tunnel: Agent = new Tunnel({ keepAlive: true, rejectUnauthorized: strict });
  return {
    async post(url, headers, text, signal) {
      const body = Buffer.from(text);
      const options = { method: "POST", headers: sized(headers, body), signal };
      if (url.protocol === "https:") return answered(https.request(url, { ...options, agent: tunnel }), body);
      const passed = { ...options.headers, host: url.host, ...credentials(proxy) };
      const path = `${url.origin}${url.pathname}${url.search}`;
      const outgoing = ask({ ...options, ...address, headers: passed, path, agent: toProxy });
      const response = await answered(outgoing, body).catch((error: unknown) => {
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
    asked.end();
  });
}

function addressOf(proxy: URL): { readonly hostname: string; readonly port: string | number } {
  const port = proxy.port || (proxy.protocol === "https:" ? 443 : 80);
  return { hostname: proxy.hostname.replace(/^\[|\]$/g, ""), port };
}

type Connected = (error: Error | null, socket?: TLSSocket) => void;

function sized(headers: Readonly<Record<string, string>>, body: Uint8Array): Readonly<Record<string, string>> {
  return { ...headers, "content-length": String(body.length) };
}

function answered(outgoing: ClientRequest, body: Uint8Array): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.on("response", resolve);
    outgoing.on("error", reject); // it stays, since a body that breaks off reports here too
    outgoing.end(body);
  });
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
