import type { Clock, SocketRequest, Sockets, Transport, TransportFault } from "../base/ports.ts";
import { openSocketConnection, type SocketConnection } from "./socketConnection.ts";

/** The open WebSockets, one an endpoint: requests and subscriptions share it, and it ends when it has nothing to do. */
export interface SocketPool {
  /**
   * A line that takes this message; opens one where there is none. Never rejects.
   *
   * @param signal - Ends the wait, not the line: others may be waiting for it too.
   */
  lineFor(request: SocketRequest, body: string, signal: AbortSignal): Promise<SocketConnection | TransportFault>;
}

export function openSocketPool(sockets: Sockets, clock: Clock): SocketPool {
  const known = new Map<string, Set<Promise<SocketConnection | TransportFault>>>();
  const opened = (key: string, request: SocketRequest): Promise<SocketConnection | TransportFault> => {
    const all = known.get(key) ?? new Set();
    known.set(key, all);
    const line = openSocketConnection(sockets, request, clock, new AbortController().signal);
    all.add(line);
    void line
      .then((found) => ("kind" in found ? found : found.closed))
      .then(() => {
        all.delete(line);
        if (all.size === 0) known.delete(key);
      });
    return line;
  };
  return {
    async lineFor(request, body, signal) {
      const key = JSON.stringify([request.url, request.headers]);
      for (const one of known.get(key) ?? []) {
        const line = await orCancelled(one, signal);
        if ("kind" in line) return line;
        if (line.isOpen && line.takes(body)) return line;
      }
      return orCancelled(opened(key, request), signal);
    },
  };
}

const cancelled: TransportFault = { kind: "fault", reason: "cancelled", detail: "" };

function orCancelled<T>(work: Promise<T>, signal: AbortSignal): Promise<T | TransportFault> {
  if (signal.aborted) return Promise.resolve(cancelled);
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(cancelled);
    signal.addEventListener("abort", stop, { once: true });
    work.finally(() => signal.removeEventListener("abort", stop)).then(resolve, reject);
  });
}

/** For hosts that lend none. */
export const noSockets: Sockets = {
  open: async () => ({ kind: "fault", reason: "no-socket", detail: "WebSockets are not to be had here" }),
};

/** A transport for both kinds of address: `ws:` and `wss:` go over a line, everything else by HTTP. */
export function withSockets(http: Transport, lines: SocketPool): Transport {
  return {
    async post(request, signal) {
      if (!isSocketUrl(request.url)) return http.post(request, signal);
      const line = await lines.lineFor(request, request.body, signal);
      return "kind" in line ? { ...line, sent: false } : line.post(request.body, request.timeoutMs, signal);
    },
  };
}

function isSocketUrl(url: string): boolean {
  return /^wss?:/i.test(url);
}
