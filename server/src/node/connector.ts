import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { Socket } from "node:net";
import { addressOf, ProxyFault, proxyCredentials, type Tunnelled, tunnelling } from "./tunnel.ts";

/** Settings of the network. They can change between requests. */
export interface NetworkOptions {
  readonly proxy?: string | undefined;
  readonly noProxy?: readonly string[] | undefined;
  /** `false` accepts any certificate, as VS Code's `http.proxyStrictSSL` does. */
  readonly strictSSL?: boolean | undefined;
}

/** Connects to endpoints for HTTP and WebSockets, and keeps connections for the next requests. */
export interface Connector {
  /** @throws {@link ProxyFault} */
  routeTo(url: URL): Promise<Route>;
  close(): Promise<void>;
}

/** The way to an endpoint: direct or through a proxy. */
interface Route {
  readonly proxy: URL | undefined;
  /** The agent for each scheme. Those that open tunnels need the option {@link Tunnelled}. */
  readonly agents: Readonly<Record<"http" | "https" | "ws" | "wss", Agent>>;
}

/** @param environment - The environment of the process, for the variables that name proxies. */
export function openConnector(
  options: () => NetworkOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Connector {
  const routes = new Map<string, Promise<Route>>();
  return {
    routeTo(url) {
      const { proxy, noProxy, strictSSL = true } = options();
      const name = proxyFor(url, { proxy, noProxy, environment });
      const key = `${strictSSL} ${name ?? ""}`;
      const route = routes.get(key) ?? openRoute(name, strictSSL);
      routes.set(key, route);
      return route;
    },
    async close() {
      for (const result of await Promise.allSettled(routes.values()))
        if (result.status === "fulfilled") for (const agent of Object.values(result.value.agents)) agent.destroy();
    },
  };
}

let loaded:
  | Promise<{ readonly http: typeof import("node:http"); readonly https: typeof import("node:https") }>
  | undefined;

/** Node's modules, loaded by the first request: a command that sends nothing starts without them. */
function modules(): NonNullable<typeof loaded> {
  loaded ??= Promise.all([import("node:http"), import("node:https")]).then(([http, https]) => ({ http, https }));
  return loaded;
}

/**
 * Opens a route. As with curl, a proxy gets `http:` requests to pass on, and a CONNECT for everything else.
 *
 * @param strict - Whether certificates are verified.
 */
async function openRoute(proxyName: string | undefined, strict: boolean): Promise<Route> {
  const { http, https } = await modules();
  const options = { keepAlive: true, rejectUnauthorized: strict };
  const [plain, secure] = [new http.Agent(options), new https.Agent(options)];
  if (proxyName === undefined)
    return { proxy: undefined, agents: { http: plain, https: secure, ws: plain, wss: secure } };
  const proxy = URL.canParse(proxyName) ? new URL(proxyName) : undefined;
  if (proxy?.protocol !== "http:" && proxy?.protocol !== "https:") throw new ProxyFault(undefined);
  const tls = await import("node:tls");
  const toProxy = proxy.protocol === "https:" ? new https.Agent(options) : new http.Agent(options);
  const tunnel = tunnelling(secure, proxy, strict, tls.connect);
  return { proxy, agents: { http: toProxy, https: tunnel, ws: tunnelling(plain, proxy, strict), wss: tunnel } };
}

interface Outgoing {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Called when the endpoint may have received the first byte. */
  onSent(): void;
}

/**
 * Sends a request.
 *
 * @throws Errors of Node, and {@link ProxyFault}.
 */
export async function send({ proxy, agents }: Route, outgoing: Outgoing, over: AbortSignal): Promise<IncomingMessage> {
  const { method, url, headers, onSent } = outgoing;
  const body = Buffer.from(outgoing.body);
  const isSecure = url.protocol === "https:";
  const passing = isSecure ? undefined : proxy; // reads the request and passes it on
  const path = `${passing ? url.origin : ""}${url.pathname}${url.search}`;
  const options: RequestOptions & Tunnelled = {
    ...addressOf(passing ?? url),
    path,
    method,
    headers: {
      host: url.host,
      ...headers,
      ...(passing && proxyCredentials(passing)),
      ...(method === "POST" && { "content-length": String(body.length) }),
    },
    agent: isSecure ? agents.https : agents.http,
    signal: over,
    over,
  };
  const { http, https } = await modules();
  const { request } = (passing ?? url).protocol === "https:" ? https : http;
  const answer = answerTo(request(options), body, onSent);
  const response = await (passing ? answer.catch(blameProxy) : answer);
  if (passing && response.statusCode === 407) throw new ProxyFault(407);
  return response;
}

function blameProxy(error: unknown): never {
  throw new ProxyFault(undefined, error);
}

function answerTo(outgoing: ClientRequest, body: Uint8Array, onSent: () => void): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.on("socket", (socket) => {
      if (outgoing.reusedSocket || !isConnecting(socket)) onSent();
      else socket.once("encrypted" in socket ? "secureConnect" : "connect", onSent);
    });
    outgoing.on("response", resolve);
    outgoing.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve(response);
    });
    outgoing.on("error", reject); // stays, since a body that breaks off reports here too
    outgoing.on("close", () => reject(new Error("The request ended without an answer."))); // does nothing after one
    outgoing.end(body);
  });
}

function isConnecting(socket: Socket): boolean {
  return socket.connecting || ("secureConnecting" in socket && socket.secureConnecting === true);
}

/** The settings of VS Code and the environment, which decide on a proxy. */
export interface ProxyRules {
  /** `http.proxy`, which takes precedence over the environment. */
  readonly proxy?: string | undefined;
  /** `http.noProxy`. */
  readonly noProxy?: readonly string[] | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Finds the proxy for a URL. Settings are read as VS Code reads them: loopback needs no proxy. The environment is read as
 * curl reads it: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` apply to every host. `HTTP_PROXY` in capitals
 * applies too, but not to loopback, so that a node on this machine stays reachable.
 *
 * @returns `undefined` for a direct connection.
 * @see https://curl.se/docs/manpage.html (ENVIRONMENT)
 */
export function proxyFor(url: URL, { proxy, noProxy, environment }: ProxyRules): string | undefined {
  const local = isLoopback(url.hostname);
  if (proxy) return local || isExcepted(url, noProxy ?? []) ? undefined : withScheme(proxy);
  const exceptions = [...(noProxy ?? []), ...list(environment.no_proxy ?? environment.NO_PROXY)];
  if (isExcepted(url, exceptions)) return undefined;
  const { http_proxy, https_proxy, HTTPS_PROXY, all_proxy, ALL_PROXY, HTTP_PROXY } = environment;
  const own = url.protocol === "https:" ? https_proxy || HTTPS_PROXY : http_proxy || (local ? undefined : HTTP_PROXY);
  const found = own || all_proxy || ALL_PROXY;
  return found ? withScheme(found) : undefined;
}

function list(text: string | undefined): readonly string[] {
  return (text ?? "").split(/[\s,]+/).filter((item) => item !== "");
}

function withScheme(proxy: string): string {
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(?:\.\d+){3}$/.test(hostname)
  );
}

/** Matches `*`, and hosts with their subdomains: `example.com`, `.example.com`, `*.example.com`, `example.com:8545`. */
function isExcepted(url: URL, exceptions: readonly string[]): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return exceptions.some((exception) => {
    if (exception === "*") return true;
    const [, name = "", wanted] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(exception.toLowerCase().replace(/^\*?\./, "")) ?? [];
    // the end of a bare IPv6 address looks like a port
    const names = wanted !== undefined && name.includes(":") && !exception.includes("]") ? `${name}:${wanted}` : name;
    if (wanted !== undefined && names === name && wanted !== port) return false;
    return host === names || host.endsWith(`.${names}`);
  });
}
