import type { OpenSocket, SocketEvents, SocketRequest, Sockets, TransportFault } from "../base/ports.ts";

/** WebSockets of the browser. It sends no headers with a handshake, and does not tell why one failed. */
export function createSockets(): Sockets {
  return { open };
}

function open(
  { url, timeoutMs, maxBytes }: SocketRequest,
  events: SocketEvents,
  signal: AbortSignal,
): Promise<OpenSocket | TransportFault> {
  return new Promise((resolve) => {
    const socket = opened(url);
    if (!socket) return resolve(fault("unsendable", "the address is not valid"));
    let why = fault("no-socket", "the browser does not tell why");
    let isOpen = false;
    const end = (reason: TransportFault["reason"]): void => {
      why = fault(reason, "");
      socket.close();
      resolve(why);
    };
    const cancel = (): void => end("cancelled");
    const timer = setTimeout(() => end("timeout"), Math.min(timeoutMs, 2 ** 31 - 1));
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    const settled = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
    };
    socket.onopen = () => {
      settled();
      isOpen = true;
      why = fault("reset", "");
      resolve({ kind: "open", send: (text) => socket.send(text), close: () => socket.close() });
    };
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      const text = typeof data === "string" ? data : new TextDecoder().decode(data);
      const bytes = typeof data === "string" ? new TextEncoder().encode(data).length : data.byteLength;
      if (bytes > maxBytes) return end("too-large");
      return events.message(text, bytes);
    };
    socket.onclose = () => {
      settled();
      resolve(why);
      if (isOpen) events.closed(why);
    };
  });
}

function opened(url: string): WebSocket | undefined {
  try {
    const socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    return socket;
  } catch {
    return undefined;
  }
}

function fault(reason: TransportFault["reason"], detail: string): TransportFault {
  return { kind: "fault", reason, detail };
}
