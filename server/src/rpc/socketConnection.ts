import { parseJson } from "../base/json.ts";
import type { Clock, SocketRequest, Sockets, TransportFault } from "../base/ports.ts";
import { type Notifications, openNotifications } from "./notifications.ts";
import { openPendingRequests, type PendingRequests } from "./pendingRequests.ts";

/** One open WebSocket, with requests and subscriptions on it. It ends when it has nothing to do. */
export interface SocketConnection extends Pick<PendingRequests, "post" | "takes">, Pick<Notifications, "listen"> {
  /** Resolves when the connection is gone. */
  readonly closed: Promise<TransportFault>;
  readonly isOpen: boolean;
  close(): void;
}

/** Milliseconds for which a connection without work stays open. */
const linger = 1000;

export async function openSocketConnection(
  sockets: Sockets,
  request: SocketRequest,
  clock: Clock,
  signal: AbortSignal,
): Promise<SocketConnection | TransportFault> {
  const notifications = openNotifications();
  const over = new AbortController();
  let send: (text: string) => void = () => {};
  const letters = openPendingRequests((text) => send(text), clock);
  let end: (fault: TransportFault) => void = () => {};
  const closed = new Promise<TransportFault>((resolve) => {
    end = resolve;
  });
  const socket = await sockets.open(
    request,
    {
      message(text, bytes) {
        const body = parseJson(text);
        if (body === undefined ? notifications.takeUnreadable(text) : notifications.take(body, bytes)) return;
        letters.answer(body, { kind: "response", status: 200, headers: {}, body: text, bytes });
      },
      closed(fault) {
        over.abort();
        letters.end(fault);
        end(fault);
      },
    },
    signal,
  );
  if (socket.kind === "fault") return socket;
  send = socket.send;

  let works = 0;
  const rest = (): void => {
    void clock.sleep(linger, over.signal).then(() => {
      if (works === 0) socket.close();
    });
  };
  rest();
  return {
    async post(body, timeoutMs, given) {
      works++;
      const reply = await letters.post(body, timeoutMs, given);
      if (--works === 0) rest();
      return reply;
    },
    takes: letters.takes,
    listen(subscription, listener) {
      works++;
      const leave = notifications.listen(subscription, listener);
      let isLeft = false;
      return () => {
        if (isLeft) return;
        isLeft = true;
        leave();
        if (--works === 0) rest();
      };
    },
    closed,
    get isOpen() {
      return !over.signal.aborted;
    },
    close: socket.close,
  };
}
