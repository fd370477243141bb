import { BodyText } from "../base/bodyText.ts";
import { clockOf, onAbort, withDeadline } from "../base/deadline.ts";
import { parseAddress, requestHeaders, transportFault } from "../base/httpRequest.ts";
import type {
  HttpRequest,
  HttpResponse,
  OpenSocket,
  SocketEvents,
  SocketRequest,
  Sockets,
  Transport,
  TransportFault,
} from "../base/ports.ts";

/**
 * HTTP over `fetch`, for browsers and workers. A browser does not say why a request failed (CORS, an unknown host, a
 * redirect), so those are one fault. It follows no redirects and sends no cookies.
 */
export function createTransport(): Transport {
  return { post };
}

async function post(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse | TransportFault> {
  let status: number | undefined;
  const answer = await withDeadline(clock, request.timeoutMs, signal, async (over) => {
    try {
      const prepared = prepare(request, over);
      if (!prepared) return transportFault("unsendable", "the address or a header is not valid", { sent: false });
      const response = await fetch(prepared);
      status = response.status;
      return await receive(response, request.maxBytes);
    } catch {
      return status === undefined ? transportFault("cors") : transportFault("truncated", "", { status });
    }
  });
  return typeof answer === "string" ? transportFault(answer, "", { status }) : answer;
}

const defaultHeaders = { accept: "application/json", "content-type": "application/json" };

/** `fetch` does not accept addresses with credentials, so they become a header. */
function prepare({ url, headers, body }: HttpRequest, over: AbortSignal): Request | undefined {
  const address = parseAddress(url, "http");
  if ("kind" in address) return undefined;
  const bare = new URL(address.href);
  [bare.username, bare.password] = ["", ""];
  try {
    return new Request(bare, {
      method: "POST",
      headers: requestHeaders(defaultHeaders, address, headers),
      body,
      signal: over,
      redirect: "error",
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
    });
  } catch {
    return undefined;
  }
}

async function receive(response: Response, maxBytes: number): Promise<HttpResponse | TransportFault> {
  const { status } = response;
  const body = new BodyText();
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
    body.push(next.value);
    if (body.bytes <= maxBytes) continue;
    await reader?.cancel();
    return transportFault("too-large", "", { status });
  }
  return body.response(status, Object.fromEntries(response.headers));
}

export const clock = clockOf(globalThis);

/** WebSockets of the browser. It sends no headers with a handshake, and does not say why one failed. */
export function createSockets(): Sockets {
  return { open };
}

async function open(
  request: SocketRequest,
  events: SocketEvents,
  signal: AbortSignal,
): Promise<OpenSocket | TransportFault> {
  const answer = await withDeadline(clock, request.timeoutMs, signal, (over) => connect(request, events, over));
  return typeof answer === "string" ? transportFault(answer) : answer;
}

function connect(
  { url, maxBytes }: SocketRequest,
  events: SocketEvents,
  over: AbortSignal,
): Promise<OpenSocket | TransportFault> {
  return new Promise((resolve) => {
    const socket = webSocket(url);
    if (!socket) return resolve(transportFault("unsendable", "the address is not valid"));
    const stopListening = onAbort(over, () => socket.close());
    let why = transportFault("no-socket", "the browser does not say why");
    let isOpen = false;
    socket.onopen = () => {
      stopListening();
      isOpen = true;
      why = transportFault("reset");
      resolve({ kind: "open", send: (text) => socket.send(text), close: () => socket.close() });
    };
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      const text = typeof data === "string" ? data : new TextDecoder().decode(data);
      const bytes = typeof data === "string" ? new TextEncoder().encode(data).length : data.byteLength;
      if (bytes <= maxBytes) return events.message(text, bytes);
      why = transportFault("too-large");
      return socket.close();
    };
    socket.onclose = () => {
      resolve(why);
      if (isOpen) events.closed(why);
    };
  });
}

function webSocket(url: string): WebSocket | undefined {
  try {
    const socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    return socket;
  } catch {
    return undefined;
  }
}
