import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildCommandLine, startCommandLine } from "../support/commandLine.ts";
import { hostileServer, rawServer, type TcpServer, tcpServer } from "../support/hostileServer.ts";
import { socketServer } from "../support/socketServer.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

const folder = temporaryFolder();
const open: { close(): Promise<void> }[] = [];

interface Silent {
  readonly url: string;
  readonly method?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Resolves when a request, or the handshake before it, has arrived. */
  readonly reached: Promise<void>;
}

/** A TCP server that never sends the expected answer. */
async function silent(scheme: string, first: string, proxied = false): Promise<Silent> {
  let reach = (): void => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const server: TcpServer = await tcpServer((socket) => {
    socket.on("data", () => {
      if (first !== "" && socket.bytesWritten === 0) socket.write(first);
      reach();
    });
  });
  open.push(server);
  return proxied
    ? { url: `${scheme}://node.invalid/`, variables: { all_proxy: server.url }, reached }
    : { url: `${scheme}://${server.host}/`, reached };
}

async function later(): Promise<Silent> {
  let reach = (): void => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const server = await hostileServer((_, response) => {
    response.writeHead(503, { "retry-after": "50" }).end(reach);
  });
  open.push(server);
  return { url: server.url, reached };
}

async function stream(answers: boolean): Promise<Silent> {
  let reach = (): void => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const server = await socketServer(({ id, method }, socket) => {
    if (answers && method === "eth_subscribe") socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: "0x1" }));
    reach();
  });
  open.push(server);
  return { url: server.url, method: "eth_subscribe", reached };
}

const silences: Readonly<Record<string, () => Promise<Silent>>> = {
  "an endpoint": () => silent("http", ""),
  "an endpoint that began its answer": () => silent("http", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"),
  "the handshake of TLS": () => silent("https", ""),
  "the handshake of a WebSocket": () => silent("ws", ""),
  "a proxy that is asked for a tunnel": () => silent("https", "", true),
  "a tunnel": () => silent("https", "HTTP/1.1 200 OK\r\n\r\n", true),
  "a tunnel for a WebSocket": () => silent("wss", "HTTP/1.1 200 OK\r\n\r\n", true),
  "the end of a pause": later,
  "the answer to a subscription": () => stream(false),
  "the rows of a subscription": () => stream(true),
};

function notebook(url: string, method = "eth_chainId"): string {
  const file = join(folder, "a.rpc.json");
  const params = method === "eth_subscribe" ? ["newHeads"] : [];
  writeFileSync(file, JSON.stringify({ cells: [{ method, params }] }));
  return [file, "--endpoint", url].join("\n");
}

describe("a process that waits", function () {
  this.timeout(30_000);
  before(buildCommandLine);
  afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));

  for (const [name, make] of Object.entries(silences)) {
    it(`for ${name} ends at the first Ctrl-C, and says so`, async () => {
      const { url, method, variables = {}, reached } = await make();
      const [file = "", ...rest] = notebook(url, method).split("\n");
      const started = startCommandLine(["run", file, ...rest, "--timeout", "300"], folder, variables);
      await reached;
      const begun = performance.now();
      started.child.kill("SIGINT");
      const { code, out, err } = await started.ended;
      assert.equal(code, 1, out + err);
      assert.match(out, /cancelled/i, out + err);
      assert.ok(performance.now() - begun < 4000, "it ended by itself");
    });
  }

  it("for its input ends at Ctrl-C", async () => {
    for (const command of ["import", "decode"]) {
      const started = startCommandLine([command], folder);
      await new Promise((read) => started.child.stdin?.write(" ".repeat(1 << 20), read)); // more than fits into a pipe
      const ended = new Promise((resolve) => started.child.once("exit", (_, signal) => resolve(signal)));
      started.child.kill("SIGINT");
      assert.equal(await ended, "SIGINT");
    }
  });

  it("for a connection that nothing uses ends by itself", async () => {
    const redirect = `HTTP/1.1 302 Found\r\nLocation: /a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n`;
    const server = await rawServer(redirect, "stay");
    open.push(server);
    const [file = "", ...rest] = notebook(server.url).split("\n");
    const { code, out } = await startCommandLine(["run", file, ...rest], folder).ended;
    assert.deepEqual([code, /redirect/.test(out)], [1, true]);
  });
});
