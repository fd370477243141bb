import { once } from "node:events";
import { WebSocket } from "ws";

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** Sends a body as it is. */
export async function post(url: string, body: string): Promise<Answer> {
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** Sends one request and reads the answer. */
export async function request(url: string, method: string, params: readonly unknown[] = []): Promise<Reply> {
  const { status, text } = await post(url, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
  return { status, ...JSON.parse(text) };
}

export interface Reply {
  readonly status: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface Conversation {
  /** The answer to a request, or the error it got. */
  ask(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** The next result of a subscription that passes. */
  next<T>(subscription: unknown, passes?: (result: T) => boolean): Promise<T>;
  /** Notifications that arrived and were not taken. */
  unread(): readonly Frame[];
  /** Takes all of them away. */
  forget(): void;
  /** Resolves when the other end is gone. */
  readonly closed: Promise<unknown>;
  close(): void;
}

export interface Frame {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly params?: { readonly subscription: string; readonly result: unknown };
}

export async function connect(url: string): Promise<Conversation> {
  const socket = new WebSocket(url);
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  socket.on("message", (data) => {
    frames.push(JSON.parse(String(data)));
    for (const look of waiting) look();
  });
  socket.on("error", () => undefined);
  await once(socket, "open");
  /** Takes the first frame that fits, now or later. */
  const take = <T>(read: (frame: Frame) => { readonly found: T } | undefined): Promise<T> =>
    new Promise((resolve) => {
      const look = (): void => {
        for (const [at, frame] of frames.entries()) {
          const hit = read(frame);
          if (!hit) continue;
          frames.splice(at, 1);
          waiting.delete(look);
          resolve(hit.found);
          return;
        }
      };
      waiting.add(look);
      look();
    });
  let last = 0;
  return {
    ask: (method, params = []) => {
      const id = ++last;
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
      return take((frame) => (frame.id === id ? { found: frame.error ?? frame.result } : undefined));
    },
    next: <T>(subscription: unknown, passes: (result: T) => boolean = () => true) =>
      take((frame) => {
        const result = frame.params?.result as T; // the caller names what it subscribed to
        return frame.params?.subscription === subscription && passes(result) ? { found: result } : undefined;
      }),
    unread: () => frames.filter(({ params }) => params !== undefined),
    forget: () => void frames.splice(0),
    closed: once(socket, "close"),
    close: () => socket.terminate(),
  };
}
