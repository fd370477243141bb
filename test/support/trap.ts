import type { AddressInfo, Socket } from "node:net";
import { createServer } from "node:net";
import { closeAfterTest } from "../../scripts/lib/processEnd.mjs";

/** A server that counts every byte which anyone sends to it, in HTTP or not, and answers like a node. It is closed after the test. */
export interface Trap {
  readonly port: number;
  /** Host and port. The host reaches this machine, but is not one that needs no approval. */
  readonly host: string;
  readonly bytes: number;
  /** Everything that came, as text. */
  readonly text: string;
  close(): Promise<unknown>;
}

export async function openTrap(): Promise<Trap> {
  let [bytes, text] = [0, ""];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      bytes += data.length;
      text += data.toString();
      const body = `{"jsonrpc":"2.0","id":1,"result":"0x1"}`;
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const close = (): Promise<unknown> => {
    const closed = new Promise((done) => server.close(done));
    for (const socket of sockets) socket.destroy();
    return closed;
  };
  closeAfterTest(close);
  const { port } = server.address() as AddressInfo; // a TCP server has such an address
  return {
    port,
    host: `0.0.0.0:${port}`,
    get bytes() {
      return bytes;
    },
    get text() {
      return text;
    },
    close,
  };
}
