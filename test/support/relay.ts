import { WebSocket } from "ws";
import { type SocketServer, socketServer } from "./socketServer.ts";

/** A relay to a WebSocket server that a test can break off. */
export async function relay(url: string): Promise<SocketServer> {
  const onward = new Map<unknown, WebSocket>();
  const server = await socketServer(({ text }, near) => {
    const known = onward.get(near);
    const far = known ?? new WebSocket(url);
    if (!known) {
      onward.set(near, far);
      far.on("error", () => undefined);
      far.on("message", (data) => near.send(String(data), () => undefined));
      near.on("close", () => far.terminate());
    }
    if (far.readyState === WebSocket.OPEN) far.send(text);
    else far.once("open", () => far.send(text));
  });
  return server;
}
