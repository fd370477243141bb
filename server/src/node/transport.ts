import type { IncomingMessage } from "node:http";
import { BodyText } from "../base/bodyText.ts";
import { withDeadline } from "../base/deadline.ts";
import { parseAddress, requestHeaders, transportFault } from "../base/httpRequest.ts";
import type { Downloads, HttpRequest, HttpResponse, Transport, TransportFault } from "../base/ports.ts";
import { readBody } from "./body.ts";
import { type Connector, type NetworkOptions, openConnector, send } from "./connector.ts";
import { clock } from "./environment.ts";
import { causeOf } from "./faults.ts";
import { ProxyFault } from "./tunnel.ts";

/** A transport with connections to close. */
export interface NodeTransport extends Transport {
  close(): Promise<void>;
}

const maxRedirects = 5;
/** Code units of the longest string in V8 (0x1fffffe8). */
const maxTextLength = 512 * 1024 * 1024 - 24;
const switchingProtocols = 101;

/**
 * HTTP by Node's own client, which the first request loads. Keeps connections alive, goes through proxies, follows
 * redirects within one origin, and bounds the time and size of the whole exchange.
 *
 * @param environment - The environment of the process, for the variables that name proxies.
 */
export function createTransport(
  options: () => NetworkOptions,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): NodeTransport {
  const connector = openConnector(options, environment);
  return { post: (request, signal) => exchange(request, signal, connector), close: connector.close };
}

/** How far an exchange came. This decides what a fault means. */
interface Progress {
  status: number | undefined;
  /** The endpoint may have received a part of it. */
  sent: boolean;
}

async function exchange(
  request: HttpRequest,
  signal: AbortSignal,
  connector: Connector,
): Promise<HttpResponse | TransportFault> {
  const progress: Progress = { status: undefined, sent: false };
  const answer = await withDeadline(clock, request.timeoutMs, signal, (over) =>
    followRedirects(request, over, connector, progress).catch((error: unknown) => {
      if (error instanceof ProxyFault && error.status === 407) progress.sent = false; // the proxy passes nothing on
      const { reason, detail } = causeOf(error, progress.status !== undefined);
      return transportFault(reason, detail, progress);
    }),
  );
  return typeof answer === "string" ? transportFault(answer, "", progress) : answer;
}

const defaultHeaders = {
  accept: "application/json",
  "accept-encoding": "gzip, deflate, br",
  "content-type": "application/json",
  "user-agent": "rpc-notebook",
};

async function followRedirects(
  request: HttpRequest,
  over: AbortSignal,
  connector: Connector,
  progress: Progress,
): Promise<HttpResponse | TransportFault> {
  const address = parseAddress(request.url, "http");
  if ("kind" in address) return address;
  const headers = requestHeaders(defaultHeaders, address, request.headers);
  const onSent = (): void => {
    progress.sent = true;
  };
  let url = address;
  for (let hops = 0; ; hops++) {
    progress.status = undefined;
    const route = await connector.routeTo(url);
    const response = await send(route, { method: "POST", url, headers, body: request.body, onSent }, over);
    const { statusCode = 0, headers: answered } = response;
    progress.status = statusCode;
    if (statusCode < 300 || statusCode > 399 || answered.location === undefined) {
      return receive(response, request.maxBytes, progress);
    }
    response.resume(); // so that the connection can be used again
    const next = request.repeatable
      ? redirectTarget(statusCode, answered.location, url)
      : `HTTP ${statusCode}, and a request that may change something is not sent twice`;
    if (typeof next === "string") return transportFault("redirect", next, progress);
    if (hops === maxRedirects) return transportFault("redirect", `more than ${maxRedirects} in a row`, progress);
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
  const body = new BodyText();
  const most = Math.min(maxBytes, maxTextLength);
  const isHttp = response.statusCode !== switchingProtocols; // else the rest is not HTTP
  const fault =
    isHttp && (await readBody(response, headers["content-encoding"] ?? "", most, (chunk) => body.push(chunk)));
  if (fault === "too-large") return transportFault("too-large", "", progress);
  if (fault === "damaged") return transportFault("truncated", "its compressed body is damaged or incomplete", progress);
  return body.response(response.statusCode ?? 0, headers);
}

/** @returns The address to send the request to, or why it is not sent. Another method than POST is another request. */
function redirectTarget(status: number, location: string, from: URL): string | URL {
  if (!URL.canParse(location, from.href)) return `HTTP ${status}, to an address that is not valid`;
  const to = new URL(location, from.href);
  if (to.origin !== from.origin) return `HTTP ${status}, to another origin: ${to.protocol}//${to.host}`;
  if (status !== 307 && status !== 308) return `HTTP ${status}, which would turn the POST into a GET`;
  return to;
}

/** Downloads through the same proxies as requests. Follows no redirect: what a person agreed to is one host. */
export function createDownloads(options: () => NetworkOptions): Downloads {
  const connector = openConnector(options, process.env);
  return {
    async get({ url, maxBytes, timeoutMs, readsNotFound = false }, signal) {
      const answer = await withDeadline(clock, timeoutMs, signal, async (over) => {
        try {
          const address = new URL(url);
          const outgoing = {
            method: "GET" as const,
            url: address,
            headers: { "user-agent": "rpc-notebook" },
            body: "",
            onSent() {},
          };
          const response = await send(await connector.routeTo(address), outgoing, over);
          const { statusCode = 0, headers } = response;
          if (statusCode !== 200 && !(readsNotFound && statusCode === 404)) {
            response.destroy();
            return statusCode;
          }
          const chunks: Uint8Array[] = [];
          const encodings = headers["content-encoding"] ?? "";
          const fault = await readBody(response, encodings, maxBytes, (chunk) => chunks.push(chunk));
          if (!fault) return Buffer.concat(chunks);
          return transportFault(fault === "damaged" ? "truncated" : "too-large", "", {});
        } catch (error) {
          const { reason, detail } = causeOf(error, false);
          return transportFault(reason, detail, {});
        }
      });
      return typeof answer === "string" ? transportFault(answer, "", {}) : answer;
    },
  };
}
