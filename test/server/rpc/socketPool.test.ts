import assert from "node:assert/strict";
import type { HttpResponse, OpenSocket, TransportFault } from "../../../server/src/base/ports.ts";
import { clock } from "../../../server/src/node/environment.ts";
import { createSockets } from "../../../server/src/node/socket.ts";
import { send } from "../../../server/src/rpc/send.ts";
import { openSocketPool, withSockets } from "../../../server/src/rpc/socketPool.ts";
import { closedPort, hostileServer, proxyServer } from "../../support/hostileServer.ts";
import { pluck } from "../../support/pluck.ts";
import { answer, type Frame, notify, type SocketServer, socketServer } from "../../support/socketServer.ts";

const never = new AbortController().signal;
const noHttp = { post: () => assert.fail("nothing goes by HTTP") };

describe("requests on a WebSocket", () => {
  let server: SocketServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  const pool = (variables: Readonly<Record<string, string>> = {}, at = clock) =>
    openSocketPool(
      createSockets(() => ({}), variables),
      at,
    );
  const transport = (variables?: Readonly<Record<string, string>>) => withSockets(noHttp, pool(variables), clock);
  const lineTo = async (url: string, at = clock) => {
    const line = await pool({}, at).connectionFor({ url, headers: {}, timeoutMs: 60_000, maxBytes: 1000 }, "{}", never);
    return "kind" in line ? assert.fail(line.reason) : line;
  };
  const post = (
    over: ReturnType<typeof transport>,
    body: string,
    { timeoutMs = 60_000, maxBytes = 1_000_000, signal = never, url = server?.url ?? "" } = {},
  ): Promise<HttpResponse | TransportFault> =>
    over.post({ url, headers: { "x-key": "k" }, body, timeoutMs, maxBytes }, signal);
  const text = (reply: HttpResponse | TransportFault): string =>
    reply.kind === "response" ? reply.body : `${reply.reason} ${reply.detail}`.trim();
  const request = (id: unknown, method = "m"): string => JSON.stringify({ jsonrpc: "2.0", id, method });

  it("share one connection, with the endpoint's headers, and get their answers by id in any order", async () => {
    const open: { readonly frame: Frame; readonly reply: () => void }[] = [];
    server = await socketServer((frame, socket) => {
      open.push({ frame, reply: () => answer(socket, frame, `for ${frame.id}`) });
      if (open.length === 3) for (const one of open.reverse()) one.reply();
    });
    const over = transport();
    const replies = await Promise.all([1, "1", 2].map((id) => post(over, request(id))));
    const told = replies.map((reply) => JSON.parse(text(reply)));
    assert.deepEqual(pluck(told, "result"), ["for 1", "for 1", "for 2"]);
    assert.deepEqual(pluck(told, "id"), [1, "1", 2]);
    assert.equal(server.handshakes.length, 1);
    assert.equal(server.handshakes[0]?.headers["x-key"], "k");
  });

  it("do not share it with requests that have other headers", async () => {
    server = await socketServer((frame, socket) => answer(socket, frame, "0x1"));
    const over = transport();
    for (const key of ["a", "b", "a"]) {
      const headers = { "x-key": key };
      await over.post({ url: server.url, headers, body: request(1), timeoutMs: 60_000, maxBytes: 1000 }, never);
    }
    assert.deepEqual(
      server.handshakes.map((one) => one.headers["x-key"]),
      ["a", "b"],
    );
  });

  it("wait for each other under the same id", async () => {
    let under = 0;
    server = await socketServer(async (frame, socket) => {
      under++;
      assert.equal(under, 1);
      await clock.sleep(5, never);
      under--;
      answer(socket, frame, frame.method);
    });
    const over = transport();
    const replies = await Promise.all(["a", "b", "c"].map((method) => post(over, request(1, method))));
    const told = replies.map((reply) => JSON.parse(text(reply)));
    assert.deepEqual(pluck(told, "result"), ["a", "b", "c"]);
  });

  it("are not answered by a late answer to an earlier one", async () => {
    let late = (): void => {};
    server = await socketServer((frame, socket) => {
      if (frame.method === "slow") late = () => answer(socket, frame, "late");
      else {
        late();
        answer(socket, frame, "own");
      }
    });
    const over = transport();
    await post(over, request(0, "quick")); // the connection stands
    assert.equal(text(await post(over, request(1, "slow"), { timeoutMs: 20 })), "timeout");
    assert.equal(JSON.parse(text(await post(over, request(1, "quick")))).result, "own");
    assert.equal(server.handshakes.length, 2);
  });

  it("accept an answer without an id only if it fits no other request", async () => {
    server = await socketServer((frame, socket) => {
      if (frame.method === "bad") socket.send('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}');
      if (frame.method === "good") setTimeout(() => answer(socket, frame, "fine"), 20);
    });
    const over = transport();
    const [good, bad] = await Promise.all([post(over, request(1, "good")), post(over, request(2, "bad"))]);
    assert.equal(JSON.parse(text(good)).result, "fine");
    assert.equal(JSON.parse(text(bad)).error.message, "no");
  });

  it("are sent in batches, and end with the fault of the connection", async () => {
    server = await socketServer(({ text: sent }, socket) => {
      const all: unknown = JSON.parse(sent);
      if (!Array.isArray(all)) return socket.terminate();
      return socket.send(JSON.stringify(all.reverse().map(({ id }) => ({ jsonrpc: "2.0", id, result: id }))));
    });
    const over = transport();
    assert.match(text(await post(over, `[${request(1)},${request(2)}]`)), /"result":2.*"result":1/);
    assert.equal(text(await post(over, request(3))), "reset");
    const target = { name: "x", url: server.url, host: server.host, headers: {} };
    const requests = [4, 5].map((id) => ({ id, method: "m", text: request(id) }));
    const options = { timeoutMs: 60_000, maxBytes: 1000, idempotent: true, clock, memory: {} };
    const outcomes = await send(over, target, requests, options, never);
    const texts = outcomes.map((outcome) => outcome.kind === "answered" && outcome.result.text);
    assert.deepEqual(texts, ["4", "5"]);
  });

  it("are bounded in size and time, and can be cancelled", async () => {
    server = await socketServer((frame, socket) => {
      if (frame.method === "big") answer(socket, frame, "x".repeat(2_000_000));
    });
    const over = transport();
    assert.equal(text(await post(over, request(1, "big"))), "too-large");
    assert.equal(text(await post(over, request(1), { timeoutMs: 10 })), "timeout");
    const stop = new AbortController();
    const pending = post(over, request(2), { signal: stop.signal });
    stop.abort();
    assert.equal(text(await pending), "cancelled");
  });

  it("have one time for the connection and the answer, whoever opened it", async () => {
    let connected = (_: OpenSocket): void => {};
    const opening = new Promise<OpenSocket>((resolve) => (connected = resolve));
    let now = 0;
    const left: number[] = [];
    const stepped = {
      ...clock,
      now: () => now,
      sleep: (ms: number, signal: AbortSignal, isLimit?: boolean) => {
        if (isLimit) left.push(ms);
        return clock.sleep(ms, signal, isLimit);
      },
    };
    const over = withSockets(noHttp, openSocketPool({ open: () => opening }, stepped), stepped);
    const [url, stop] = ["ws://127.0.0.1:1", new AbortController()];
    const patient = post(over, request(1), { url, timeoutMs: 60_000, signal: stop.signal });
    assert.equal(text(await post(over, request(2), { url, timeoutMs: 10 })), "timeout");
    now += 20_000;
    connected({ kind: "open", send: () => stop.abort(), close: () => {} });
    assert.equal(text(await patient), "cancelled");
    assert.deepEqual(left, [60_000, 10, 40_000]);
  });

  it("say why there is no WebSocket, without the address", async () => {
    const web = await hostileServer((_, response) => response.writeHead(403).end("no"));
    const over = transport();
    try {
      const port = await closedPort();
      assert.equal(
        text(await post(over, request(1), { url: `ws://127.0.0.1:${port}/key` })),
        "refused connection refused",
      );
      assert.equal(text(await post(over, request(1), { url: web.url.replace("http", "ws") })), "no-socket HTTP 403");
      assert.equal(text(await post(over, request(1), { url: "ws://[" })), "unsendable the address is not valid");
    } finally {
      await web.close();
    }
  });

  it("goes through a proxy by a tunnel", async () => {
    server = await socketServer((frame, socket) => answer(socket, frame, "through"));
    const [proxy, closed] = [await proxyServer(), await proxyServer(407)];
    const through = (url: string) => transport({ http_proxy: url });
    try {
      assert.match(text(await post(through(proxy.url), request(1))), /through/);
      assert.deepEqual(proxy.asked, [`CONNECT ${server.host}`]);
      assert.equal(text(await post(through(closed.url), request(1))), "proxy the proxy answered HTTP 407");
    } finally {
      await server.close();
      await proxy.close();
      await closed.close();
    }
  });

  it("does not take a notification that cannot be read for an answer", async () => {
    server = await socketServer((frame, socket) => {
      socket.send('{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0xa","result":{');
      answer(socket, frame, "0xa");
    });
    const line = await lineTo(server.url);
    assert.equal(text(await line.post(request(1), 1000, never)), '{"jsonrpc":"2.0","id":1,"result":"0xa"}');
    let unreadable = 0;
    line.listen("0xa", { row: () => assert.fail(), lost: () => assert.fail(), unreadable: () => void unreadable++ });
    assert.equal(unreadable, 1);
    line.close();
  });

  it("keeps rows that come before the id of the subscription", async () => {
    server = await socketServer((frame, socket) => {
      notify(socket, "0xa", 1);
      answer(socket, frame, "0xa");
      notify(socket, "0xa", 2);
      notify(socket, "0xb", 3);
    });
    const line = await lineTo(server.url);
    await line.post(request(1), 1000, never);
    await line.post(request(2), 1000, never);
    const told: unknown[] = [];
    line.listen("0xa", {
      row: (value) => told.push(value),
      lost: () => assert.fail(),
      unreadable: () => assert.fail(),
    });
    assert.deepEqual(told, [1, 2, 1, 2]);
    line.close();
  });
  it("stays open while one listens, however often others leave", async () => {
    server = await socketServer(() => {});
    const idle: (() => void)[] = [];
    const wait = (): Promise<void> => new Promise((end) => idle.push(end));
    const line = await lineTo(server.url, {
      ...clock,
      sleep: (ms, ...more) => (ms === 1000 ? wait() : clock.sleep(ms, ...more)),
    });
    const listener = { row: () => {}, lost: () => {}, unreadable: () => {} };
    const [leaveOne, leaveOther] = [line.listen("0xa", listener), line.listen("0xb", listener)];
    leaveOne();
    leaveOne();
    assert.equal(idle.length, 1, "it waits since it was opened");
    leaveOther();
    assert.equal(idle.length, 2);
    for (const end of idle) end();
    await line.closed;
  });
});
