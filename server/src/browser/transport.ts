import { clockOf } from "../base/clock.ts";
import { withDeadline } from "../base/deadline.ts";
import { parseAddress, requestHeaders, transportFault } from "../base/httpRequest.ts";
import type { HttpRequest, HttpResponse, Transport, TransportFault } from "../base/ports.ts";

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
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
    bytes += next.value.byteLength;
    if (bytes > maxBytes) {
      await reader?.cancel();
      return transportFault("too-large", "", { status });
    }
    parts.push(decoder.decode(next.value, { stream: true }));
  }
  const body = parts.join("") + decoder.decode();
  return { kind: "response", status, headers: Object.fromEntries(response.headers), body, bytes };
}

export const clock = clockOf(globalThis);
