import { withDeadline } from "../base/deadline.ts";
import type { Clock, SocketRequest, Sockets, Transport, TransportFault } from "../base/ports.ts";
import { openSocketConnection, type SocketConnection } from "./socketConnection.ts";

/** The open WebSockets: requests and subscriptions to one endpoint share a connection. */
export interface SocketPool {
  /**
   * Returns a connection that accepts this message; opens one if there is none. Never rejects, and settles in time.
   *
   * @param signal - Ends the wait, not the connection: others may wait for it too.
   */
  connectionFor(request: SocketRequest, body: string, signal: AbortSignal): Promise<SocketConnection | TransportFault>;
}

export function openSocketPool(sockets: Sockets, clock: Clock): SocketPool {
  const pool = new Map<string, Set<Promise<SocketConnection | TransportFault>>>();
  const open = (key: string, request: SocketRequest): Promise<SocketConnection | TransportFault> => {
    const connections = pool.get(key) ?? new Set();
    pool.set(key, connections);
    const opening = openSocketConnection(sockets, request, clock, new AbortController().signal);
    connections.add(opening);
    void opening
      .then((connection) => ("kind" in connection ? connection : connection.closed))
      .then(() => {
        connections.delete(opening);
        if (connections.size === 0) pool.delete(key);
      });
    return opening;
  };
  return {
    async connectionFor(request, body, signal) {
      const found = await withDeadline(clock, request.timeoutMs, signal, async (over) => {
        const key = JSON.stringify([request.url, request.headers]);
        for (const opening of pool.get(key) ?? []) {
          const connection = await opening;
          if ("kind" in connection || (connection.isOpen && connection.takes(body))) return connection;
        }
        return over.aborted ? fault("cancelled") : open(key, request);
      });
      return typeof found === "string" ? fault(found) : found;
    },
  };
}

function fault(reason: TransportFault["reason"]): TransportFault {
  return { kind: "fault", reason, detail: "" };
}

/** For hosts without WebSockets. */
export const noSockets: Sockets = {
  open: async () => ({ kind: "fault", reason: "no-socket", detail: "WebSockets are not available here" }),
};

/** Returns a transport for both kinds of address: `ws:` and `wss:` use a socket, everything else HTTP. */
export function withSockets(http: Transport, sockets: SocketPool, clock: Clock): Transport {
  return {
    async post(request, signal) {
      if (!isSocketUrl(request.url)) return http.post(request, signal);
      const begun = clock.now();
      const connection = await sockets.connectionFor(request, request.body, signal);
      if ("kind" in connection) return { ...connection, sent: false };
      return connection.post(request.body, request.timeoutMs - (clock.now() - begun), signal);
    },
  };
}

function isSocketUrl(url: string): boolean {
  return /^wss?:/i.test(url);
}
