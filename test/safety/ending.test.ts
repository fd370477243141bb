import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildCommandLine, startCommandLine } from "../support/commandLine.ts";
import { some } from "../support/depth.ts";
import { type HostileServer, hostileServer, rawServer, tcpServer } from "../support/hostileServer.ts";
import { answer, type SocketServer, socketServer } from "../support/socketServer.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

const folder = temporaryFolder();

/** Starts a server that calls `reach` when a request, or the handshake before it, has arrived. */
type Serve = (reach: () => void) => Promise<HostileServer | SocketServer>;

/** A TCP server that begins its answer, and never ends it. */
function silent(begin = ""): Serve {
  return (reach) =>
    tcpServer((socket) =>
      socket.on("data", () => {
        if (begin !== "" && socket.bytesWritten === 0) socket.write(begin);
        reach();
      }),
    );
}

const later: Serve = (reach) =>
  hostileServer((_, response) => void response.writeHead(503, { "retry-after": "50" }).end(reach));

function stream(answers: boolean): Serve {
  return (reach) =>
    socketServer((frame, socket) => {
      if (answers && frame.method === "eth_subscribe") answer(socket, frame, "0x1");
      reach();
    });
}

const tunnel = "HTTP/1.1 200 OK\r\n\r\n";

/** What a process waits for, and the address that it asks; a scheme alone goes through a proxy. */
const silences: Readonly<Record<string, readonly [Serve, scheme: string, method?: string]>> = {
  "an endpoint": [silent(), "http://"],
  "an endpoint that began its answer": [silent("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"), "http://"],
  "the handshake of TLS": [silent(), "https://"],
  "the handshake of a WebSocket": [silent(), "ws://"],
  "a proxy that is asked for a tunnel": [silent(), "https"],
  "a tunnel": [silent(tunnel), "https"],
  "a tunnel for a WebSocket": [silent(tunnel), "wss"],
  "the end of a pause": [later, "http://"],
  "the answer to a subscription": [stream(false), "ws://", "eth_subscribe"],
  "the rows of a subscription": [stream(true), "ws://", "eth_subscribe"],
};

/** Returns the arguments that run one request. */
function running(url: string, method = "eth_chainId"): readonly string[] {
  const file = join(folder, "a.rpc.json");
  const params = method === "eth_subscribe" ? ["newHeads"] : [];
  writeFileSync(file, JSON.stringify({ cells: [{ method, params }] }));
  return ["run", file, "--endpoint", url, "--timeout", "300"];
}

describe("a process that waits", () => {
  before(buildCommandLine);

  for (const [name, [serve, scheme, method]] of some(Object.entries(silences), 4)) {
    it(`for ${name} ends at the first Ctrl-C, and says so`, async () => {
      let reach = (): void => {};
      const reached = new Promise<void>((resolve) => {
        reach = resolve;
      });
      const server = await serve(reach);
      const proxied = !scheme.endsWith("//");
      const url = proxied ? `${scheme}://node.invalid/` : `${scheme}${server.host}/`;
      const variables = proxied ? { all_proxy: `http://${server.host}/` } : {};
      const { child, ended } = startCommandLine(running(url, method), folder, variables);
      await reached;
      child.kill("SIGINT");
      const { code, out, err } = await ended;
      assert.equal(code, 1, out + err); // a process that does not end by itself has another code
      assert.match(out, /cancelled/i, out + err);
    });
  }

  it("for its input ends at Ctrl-C", async () => {
    for (const command of ["import", "decode"]) {
      const { child } = startCommandLine([command], folder);
      await new Promise((read) => child.stdin?.write(" ".repeat(1 << 20), read)); // more than fits into a pipe
      const ended = new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
      child.kill("SIGINT");
      assert.equal(await ended, "SIGINT");
    }
  });

  it("for a connection that nothing uses ends by itself", async () => {
    const redirect = `HTTP/1.1 302 Found\r\nLocation: /a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n`;
    const server = await rawServer(redirect, "stay");
    const { code, out } = await startCommandLine(running(server.url), folder).ended;
    assert.deepEqual([code, /redirect/.test(out)], [1, true]);
  });
});
