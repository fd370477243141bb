import type { IncomingMessage } from "node:http";
import type { HttpRequest, HttpResponse, Transport, TransportFault } from "../base/ports.ts";
import { readBody } from "./body.ts";
import type { Connector } from "./connector.ts";
import { basic, openDirect, openProxied, ProxyFault } from "./connector.ts";
import { withDeadline } from "./deadline.ts";
import { causeOf } from "./faults.ts";
import { proxyFor } from "./proxy.ts";

/** Read anew for each request, since settings change. */
export interface TransportOptions {
  readonly proxy?: string | undefined;
  readonly noProxy?: readonly string[] | undefined;
  /** `false` accepts any certificate, as VS Code's `http.proxyStrictSSL` does. */
  readonly strictSSL?: boolean | undefined;
}

/** A transport with connections to give back. */
export interface NodeTransport extends Transport {
  close(): Promise<void>;
}

const maxRedirects = 5;
const switchingProtocols = 101;

/**
 * HTTP by Node's own client, which is loaded by the first request: keeps connections alive, goes through proxies,
 * follows redirects within one origin, and bounds time and size of the whole exchange.
 *
 * @param environment - Of the process, for the proxy variables.
 */
export function createTransport(
  options: () => TransportOptions,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): NodeTransport {
  const connectors = new Map<string, Promise<Connector>>();
  const connectorFor = (url: URL): Promise<Connector> => {
    const { proxy, noProxy, strictSSL = true } = options();
    const way = proxyFor(url, { proxy, noProxy, environment });
    const key = `${strictSSL} ${way ?? ""}`;
    const found = connectors.get(key) ?? openConnector(way, strictSSL);
    connectors.set(key, found);
    return found;
  };
  return {
    post: (request, signal) => post(request, signal, connectorFor),
    async close() {
      const open = [...connectors.values()];
      connectors.clear();
      for (const result of await Promise.allSettled(open)) if (result.status === "fulfilled") result.value.close();
    },
  };
}

async function openConnector(proxy: string | undefined, strict: boolean): Promise<Connector> {
  if (proxy === undefined) return openDirect(strict);
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") throw new ProxyFault(undefined);
  return openProxied(url, strict);
}

/** How far an exchange came, for telling what a fault means. */
interface Progress {
  status: number | undefined;
  /** The endpoint may have received some of it. */
  sent: boolean;
}

async function post(
  request: HttpRequest,
  signal: AbortSignal,
  connectorFor: (url: URL) => Promise<Connector>,
): Promise<HttpResponse | TransportFault> {
  const progress: Progress = { status: undefined, sent: false };
  const answer = await withDeadline(request.timeoutMs, signal, (over) =>
    exchange(request, over, connectorFor, progress).catch((error: unknown) => {
      if (error instanceof ProxyFault && error.status === 407) progress.sent = false; // it passes nothing on
      const { reason, detail } = causeOf(error, progress.status !== undefined);
      return fault(reason, detail, progress);
    }),
  );
  return typeof answer === "string" ? fault(answer, "", progress) : answer;
}

async function exchange(
  request: HttpRequest,
  signal: AbortSignal,
  connectorFor: (url: URL) => Promise<Connector>,
  progress: Progress,
): Promise<HttpResponse | TransportFault> {
  if (!URL.canParse(request.url)) return fault("unsendable", "the address is not valid", progress);
  let url = new URL(request.url);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return fault("unsendable", "the address is neither http nor https", progress);
  }
  const headers = withDefaults(request.headers, url);
  for (let hops = 0; ; hops++) {
    progress.status = undefined;
    const connector = await connectorFor(url);
    const sent = (): void => {
      progress.sent = true;
    };
    const response = await connector.post({ url, headers, body: request.body, sent }, signal);
    const { statusCode = 0, headers: found } = response;
    progress.status = statusCode;
    if (statusCode < 300 || statusCode > 399 || found.location === undefined) {
      return receive(response, request.maxBytes, progress);
    }
    response.resume(); // so that the connection can be used again
    const next = request.repeatable
      ? redirectTarget(statusCode, found.location, url)
      : `HTTP ${statusCode}, and a request that may change something is not sent twice`;
    if (typeof next === "string") return fault("redirect", next, progress);
    if (hops === maxRedirects) return fault("redirect", `more than ${maxRedirects} in a row`, progress);
    url = next;
  }
}

async function receive(
  response: IncomingMessage,
  maxBytes: number,
  progress: Progress,
): Promise<HttpResponse | TransportFault> {
  const headers = Object.fromEntries(
    Object.entries(response.headersDistinct).map(([name, values]) => [name, values?.join(", ") ?? ""]),
  );
  const read =
    response.statusCode === switchingProtocols
      ? ({ kind: "body", text: "", bytes: 0 } as const) // what follows is not HTTP
      : await readBody(response, headers["content-encoding"] ?? "", maxBytes);
  if (read.kind === "too-large") return fault("too-large", "", progress);
  if (read.kind === "damaged") return fault("truncated", "its compressed body is damaged or cut", progress);
  return { kind: "response", status: response.statusCode ?? 0, headers, body: read.text, bytes: read.bytes };
}

/** @returns Why it is not followed, or where to go. Another method than POST would be another request. */
function redirectTarget(status: number, location: string, from: URL): string | URL {
  if (!URL.canParse(location, from.href)) return `HTTP ${status}, to no valid address`;
  const to = new URL(location, from.href);
  if (to.origin !== from.origin) return `HTTP ${status}, to another origin: ${to.protocol}//${to.host}`;
  if (status !== 307 && status !== 308) return `HTTP ${status}, which would turn the POST into a GET`;
  return to;
}

/** Credentials of the URL become a header: as part of the address they would end up in logs. */
function withDefaults(
  own: Readonly<Record<string, string>>,
  { username, password }: URL,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {
    accept: "application/json",
    "accept-encoding": "gzip, deflate, br",
    "content-type": "application/json",
    "user-agent": "rpc-notebook",
  };
  if (username || password) headers.authorization = basic(username, password);
  for (const [name, value] of Object.entries(own)) headers[name.toLowerCase()] = value;
  return headers;
}

function fault(reason: TransportFault["reason"], detail: string, { status, sent }: Progress): TransportFault {
  return { kind: "fault", reason, detail, sent, ...(status === undefined ? {} : { status }) };
}
