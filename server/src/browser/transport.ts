import type { HttpRequest, HttpResponse, Transport, TransportFault } from "../base/ports.ts";

/**
 * HTTP over `fetch`, for browsers and workers. A browser does not tell why a request failed (CORS, no host, a
 * redirect), so those are one fault; it follows no redirect at all, and sends no cookies.
 */
export function createTransport(): Transport {
  return { post };
}

async function post(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse | TransportFault> {
  const stop = new AbortController();
  const cancel = (): void => stop.abort("cancelled");
  const timer = setTimeout(() => stop.abort("timeout"), Math.min(request.timeoutMs, 2 ** 31 - 1));
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  let status: number | undefined;
  try {
    const prepared = prepare(request, stop.signal);
    if (!prepared) return { ...fault("unsendable", "the address or a header is not valid", undefined), sent: false };
    const response = await fetch(prepared);
    status = response.status;
    return await receive(response, request.maxBytes);
  } catch {
    if (stop.signal.aborted) return fault(stop.signal.reason === "timeout" ? "timeout" : "cancelled", "", status);
    return status === undefined ? fault("cors", "", undefined) : fault("truncated", "", status);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
  }
}

/** `fetch` takes no URL with credentials, so they become a header. */
function prepare({ url, headers, body }: HttpRequest, signal: AbortSignal): Request | undefined {
  try {
    const address = new URL(url);
    if (address.protocol !== "http:" && address.protocol !== "https:") return undefined;
    const all = new Headers({ accept: "application/json", "content-type": "application/json" });
    if (address.username || address.password) {
      const pair = `${decodeURIComponent(address.username)}:${decodeURIComponent(address.password)}`;
      all.set("authorization", `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(pair)))}`);
      address.username = "";
      address.password = "";
    }
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    return new Request(address, {
      method: "POST",
      headers: all,
      body,
      signal,
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
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
    bytes += next.value.byteLength;
    if (bytes > maxBytes) {
      await reader?.cancel();
      return fault("too-large", "", response.status);
    }
    parts.push(decoder.decode(next.value, { stream: true }));
  }
  const body = parts.join("") + decoder.decode();
  return { kind: "response", status: response.status, headers: Object.fromEntries(response.headers), body, bytes };
}

function fault(reason: TransportFault["reason"], detail: string, status: number | undefined): TransportFault {
  return { kind: "fault", reason, detail, ...(status === undefined ? {} : { status }) };
}
