import { withDeadline } from "../base/deadline.ts";
import { maxAnswerDepth, parseJson } from "../base/json.ts";
import type { Clock, SocketRequest, Sockets, Transport, TransportFault } from "../base/ports.ts";
import { type Notifications, openNotifications } from "./notifications.ts";
import { PendingRequests } from "./pendingRequests.ts";

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

/** An open WebSocket with requests and subscriptions on it. It closes when it has had no work for a while. */
export interface SocketConnection extends Pick<PendingRequests, "post" | "takes">, Pick<Notifications, "listen"> {
  /** Resolves when the connection has ended. */
  readonly closed: Promise<TransportFault>;
  readonly isOpen: boolean;
  close(): void;
}

/** How long a connection without work stays open. */
const maxIdleMs = 1000;

async function openSocketConnection(
  sockets: Sockets,
  request: SocketRequest,
  clock: Clock,
  signal: AbortSignal,
): Promise<SocketConnection | TransportFault> {
  const notifications = openNotifications();
  const over = new AbortController();
  let send: (text: string) => void = () => {};
  const pending = new PendingRequests((text) => send(text), clock);
  let end: (fault: TransportFault) => void = () => {};
  const closed = new Promise<TransportFault>((resolve) => {
    end = resolve;
  });
  const socket = await sockets.open(
    request,
    {
      message(text, bytes) {
        const body = parseJson(text, maxAnswerDepth);
        if (body === undefined ? notifications.takeUnreadable(text) : notifications.take(body, bytes)) return;
        pending.answer(body, { kind: "response", status: 200, headers: {}, body: text, bytes });
      },
      closed(fault) {
        over.abort();
        pending.end(fault);
        end(fault);
      },
    },
    signal,
  );
  if (socket.kind === "fault") return socket;
  send = socket.send;
  const work = countWork(() => clock.sleep(maxIdleMs, over.signal), socket.close);
  return {
    async post(body, timeoutMs, given) {
      const done = work();
      const reply = await pending.post(body, timeoutMs, given);
      done();
      return reply;
    },
    takes: (body) => pending.takes(body),
    listen(subscription, listener) {
      const done = work();
      const leave = notifications.listen(subscription, listener);
      return () => {
        leave();
        done();
      };
    },
    closed,
    get isOpen() {
      return !over.signal.aborted;
    },
    close: socket.close,
  };
}

/**
 * Counts requests and subscriptions, and closes the connection after a while without any.
 *
 * @returns A function that begins a piece of work and returns the one that ends it, which may be called more than once.
 */
function countWork(wait: () => Promise<void>, close: () => void): () => () => void {
  let count = 0;
  const closeIfIdle = (): void => {
    void wait().then(() => {
      if (count === 0) close();
    });
  };
  closeIfIdle();
  return () => {
    count++;
    let isDone = false;
    return () => {
      if (isDone) return;
      isDone = true;
      if (--count === 0) closeIfIdle();
    };
  };
}
