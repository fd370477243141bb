import { onAbort, withDeadline } from "../base/deadline.ts";
import { transportFault } from "../base/httpRequest.ts";
import type { OpenSocket, SocketEvents, SocketRequest, Sockets, TransportFault } from "../base/ports.ts";
import { clock } from "./transport.ts";

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
