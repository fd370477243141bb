import { maxAnswerDepth, parseJson } from "../base/json.ts";
import type { Clock, SocketRequest, Sockets, TransportFault } from "../base/ports.ts";
import { type Notifications, openNotifications } from "./notifications.ts";
import { PendingRequests } from "./pendingRequests.ts";

/** An open WebSocket with requests and subscriptions on it. It closes when it has had no work for a while. */
export interface SocketConnection extends Pick<PendingRequests, "post" | "takes">, Pick<Notifications, "listen"> {
  /** Resolves when the connection has ended. */
  readonly closed: Promise<TransportFault>;
  readonly isOpen: boolean;
  close(): void;
}

/** How long a connection without work stays open. */
const maxIdleMs = 1000;

export async function openSocketConnection(
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
