import type { Agent } from "node:http";
import type { Socket } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { basicCredentials } from "../base/httpRequest.ts";

/** The proxy is at fault, not the endpoint. */
export class ProxyFault extends Error {
  /** The status of its answer; `undefined` if it did not answer. */
  readonly status: number | undefined;

  constructor(status: number | undefined, cause?: unknown) {
    super("The proxy refused or failed.", { cause });
    this.status = status;
  }
}

/** An option that requests pass on to their connections. Node passes on all options but `signal`. */
export interface Tunnelled {
  /** Aborts when the exchange ends. Closes the tunnel if it is not open yet. */
  readonly over: AbortSignal;
}

/**
 * Makes an agent connect through tunnels of a proxy, which does not see what is sent.
 *
 * @param strict - Whether the certificate of the proxy is verified.
 * @param secured - Begins TLS in a tunnel; absent for agents without TLS.
 */
export function tunnelling<A extends Agent>(
  agent: A,
  proxy: URL,
  strict: boolean,
  secured?: (options: ConnectionOptions) => Socket,
): A {
  type Connected = (error: unknown, socket?: Socket) => void;
  return Object.assign(agent, {
    createConnection(options: ConnectionOptions & Tunnelled, connected: Connected): void {
      const { host = "", port, over } = options;
      openTunnel(proxy, `${host.includes(":") ? `[${host}]` : host}:${port}`, strict, over).then(
        (socket) => connected(null, secured?.({ ...options, socket }) ?? socket),
        connected,
      );
    },
  });
}

/** @throws {@link ProxyFault} */
async function openTunnel(proxy: URL, target: string, strict: boolean, over: AbortSignal): Promise<Socket> {
  const { request } = proxy.protocol === "https:" ? await import("node:https") : await import("node:http");
  const connecting = request({
    ...addressOf(proxy),
    method: "CONNECT",
    path: target,
    headers: { host: target, ...proxyCredentials(proxy) },
    agent: false,
    rejectUnauthorized: strict,
    signal: over,
  });
  return new Promise((resolve, reject) => {
    connecting.on("connect", ({ statusCode }, socket: Socket) => {
      socket.on("error", () => undefined); // it may break before TLS listens, which then misses the connection
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      return reject(new ProxyFault(statusCode));
    });
    connecting.on("response", ({ statusCode }) => reject(new ProxyFault(statusCode)));
    connecting.on("error", (error) => reject(new ProxyFault(undefined, error)));
    connecting.on("close", () => reject(new ProxyFault(undefined))); // does nothing after an answer
    connecting.end();
  });
}

/** Returns a URL's host and port as options of a request. */
export function addressOf({ protocol, hostname, port }: URL): { readonly hostname: string; readonly port: string } {
  return { hostname: hostname.replace(/^\[|\]$/g, ""), port: port || (protocol === "https:" ? "443" : "80") };
}

export function proxyCredentials(proxy: URL): Readonly<Record<string, string>> {
  const credentials = basicCredentials(proxy);
  return credentials === undefined ? {} : { "proxy-authorization": credentials };
}
