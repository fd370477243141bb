import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { closeAfterTest } from "../../scripts/lib/processEnd.mjs";
import type { TransportFault } from "../../server/src/base/ports.ts";
import { createSockets } from "../../server/src/node/socket.ts";
import { createTransport } from "../../server/src/node/transport.ts";
import { runText, summaries } from "../support/host.ts";
import { answering, hostileServer, rawServer, type TcpServer, tcpServer } from "../support/hostileServer.ts";

const never = new AbortController().signal;

interface Way {
  readonly url: string;
  readonly proxy?: string;
}

/** A limit that a busy machine keeps, and a short one for exchanges that are to run into it. */
const limitFor = (want: string): number => (want.startsWith("timeout") ? 1000 : 60_000);

/** Posts a read, which may be redirected. */
async function post({ url, proxy }: Way, timeoutMs: number, signal = never): Promise<string> {
  const transport = createTransport(() => ({}), proxy === undefined ? {} : { all_proxy: proxy });
  closeAfterTest(transport.close);
  const exchange = { url, headers: {}, body: "{}", timeoutMs, maxBytes: 1e6, repeatable: true };
  const answer = await transport.post(exchange, signal);
  return answer.kind === "response" ? `HTTP ${answer.status}` : told(answer);
}

async function connect({ url, proxy }: Way, timeoutMs: number, signal = never): Promise<string> {
  const sockets = createSockets(() => ({}), proxy === undefined ? {} : { all_proxy: proxy });
  const events = { message: () => {}, closed: () => {} };
  const answer = await sockets.open({ url, headers: {}, timeoutMs, maxBytes: 1e6 }, events, signal);
  if (answer.kind === "open") answer.close();
  return answer.kind === "open" ? "open" : told(answer);
}

function told({ reason, sent }: TransportFault): string {
  return sent === undefined ? reason : `${reason}, ${sent ? "sent" : "not sent"}`;
}

/** Writes without end, as long as the other side reads. */
function flood(head: string, piece: string | Buffer) {
  return (socket: Socket): void => {
    socket.once("data", () => {
      const more = (): void => {
        while (!socket.destroyed && socket.write(piece));
        socket.once("drain", more);
      };
      socket.write(head);
      more();
    });
  };
}

const endless = "HTTP/1.1 407 Proxy Authentication Required\r\nTransfer-Encoding: chunked\r\n\r\n";
const chunk = `400\r\n${"x".repeat(1024)}\r\n`;

describe("an exchange ends, and so does its connection,", () => {
  const endpoints: Readonly<Record<string, readonly [() => Promise<TcpServer>, string]>> = {
    "switching protocols": [
      () => rawServer("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", "stay"),
      "HTTP 101",
    ],
    "a body without end under a redirect": [
      () => tcpServer(flood("HTTP/1.1 302 Found\r\nLocation: /a\r\nTransfer-Encoding: chunked\r\n\r\n", chunk)),
      "redirect, sent",
    ],
    "gzip without content, without end": [
      () => tcpServer(flood("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", gzipSync(""))),
      "timeout, sent",
    ],
    "interim answers without end": [() => tcpServer(flood("", "HTTP/1.1 100 Continue\r\n\r\n")), "timeout, sent"],
    silence: [() => tcpServer(() => {}), "timeout, sent"],
  };
  for (const [name, [serve, want]] of Object.entries(endpoints)) {
    it(`when an endpoint answers with ${name}`, async () => {
      const server = await serve();
      assert.equal(await post(server, limitFor(want)), want);
      await server.allEnded();
    });
  }

  const proxies: Readonly<Record<string, readonly [() => Promise<TcpServer>, string, string]>> = {
    "sends nothing": [() => tcpServer(() => {}), "timeout, sent", "timeout, not sent"],
    "asks for a password, and writes without end": [
      () => tcpServer(flood(endless, chunk)),
      "proxy, not sent",
      "proxy, not sent",
    ],
    "opens a tunnel that sends nothing": [
      () => rawServer("HTTP/1.1 200 OK\r\n\r\n", "stay"),
      "timeout, sent",
      "timeout, not sent",
    ],
    "closes at once": [() => tcpServer((socket) => socket.end()), "proxy, sent", "proxy, not sent"],
    "switches protocols": [
      () => rawServer("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", "stay"),
      "HTTP 101",
      "proxy, not sent",
    ],
  };
  for (const [name, [serve, http, https]] of Object.entries(proxies)) {
    it(`when a proxy ${name}`, async () => {
      const { url: proxy, allEnded } = await serve();
      const [posted, secured, ...connected] = await Promise.all([
        post({ url: "http://node.invalid/", proxy }, limitFor(http)),
        post({ url: "https://node.invalid/", proxy }, limitFor(https)),
        connect({ url: "ws://node.invalid/", proxy }, limitFor(https)),
        connect({ url: "wss://node.invalid/", proxy }, limitFor(https)),
      ]);
      assert.deepEqual([posted, secured], [http, https]);
      assert.ok(!connected.includes("open"));
      await allEnded();
    });

    it(`when it is cancelled while a proxy ${name}`, async () => {
      const stop = new AbortController();
      const { url: proxy, allEnded } = await serve();
      const all = [
        post({ url: "http://node.invalid/", proxy }, 60_000, stop.signal),
        post({ url: "https://node.invalid/", proxy }, 60_000, stop.signal),
        connect({ url: "ws://node.invalid/", proxy }, 60_000, stop.signal),
        connect({ url: "wss://node.invalid/", proxy }, 60_000, stop.signal),
      ];
      stop.abort();
      assert.ok((await Promise.all(all)).every((one) => /^cancelled/.test(one)));
      await allEnded();
    });
  }

  it("and frees its place at the endpoint", async () => {
    let isBad = true;
    const good = answering(() => "0x1");
    const server = await hostileServer((seen, response, socket) => {
      if (isBad) socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n");
      else good(seen, response, socket);
    });
    const cells = Array.from({ length: 20 }, () => ({ method: "eth_chainId" }));
    const settings = { rpcNotebook: { timeout: 60, endpoints: { node: { url: server.url, batch: false } } } };
    const bad = await runText(JSON.stringify({ cells }), { endpoint: "node", host: { settings } });
    assert.deepEqual([bad.result.ok, bad.result.failed], [0, 20]);
    assert.match(summaries(bad)[0] ?? "", /HTTP 101/);
    isBad = false;
    const later = await bad.service.run(
      { uri: "file:///nowhere/a.rpc.json", endpoint: "node" },
      { started: () => {}, waiting: () => {}, finished: () => {} },
      never,
    );
    assert.deepEqual([later.ok, later.failed], [20, 0]);
  });
});
