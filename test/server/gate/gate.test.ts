import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { WebSocket } from "ws";
import { killTree, ownTree } from "../../../scripts/lib/processes.mjs";
import { openMask } from "../../../server/src/base/mask.ts";
import type { Transport } from "../../../server/src/base/ports.ts";
import { readEndpoint } from "../../../server/src/endpoints/endpoint.ts";
import type { HostReference } from "../../../server/src/endpoints/hostValue.ts";
import { Approvals } from "../../../server/src/gate/approvals.ts";
import { clock } from "../../../server/src/node/environment.ts";
import { Limiter } from "../../../server/src/rpc/limiter.ts";
import { ownRequest } from "../../../server/src/rpc/wire.ts";
import { createService } from "../../../server/src/service/service.ts";
import { gatedHost, testHost } from "../../support/host.ts";
import { pluck } from "../../support/pluck.ts";
import { answer, notify, socketServer } from "../../support/socketServer.ts";

const anvil = fileURLToPath(new URL("../../../node_modules/.bin/anvil", import.meta.url));
const signal = new AbortController().signal;

describe("a port of this machine", () => {
  const servers: Server[] = [];
  const portOf = async (listener: RequestListener): Promise<number> => {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port; // it listens on TCP
  };
  const close = async (server: Server | undefined): Promise<void> => {
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  };
  const stateOf = async (port: number, trusted = true): Promise<string> =>
    (await createService(testHost({ trusted })).localPort({ port }, signal)).state;
  afterEach(async () => {
    await Promise.all(servers.splice(0).map(close));
  });

  it("has a chain if it answers eth_chainId", async () => {
    const port = await portOf((_, response) => response.end('{"jsonrpc":"2.0","id":1,"result":"0x7a69"}'));
    assert.equal(await stateOf(port), "chain");
  });

  it("is taken by a program that is no node", async () => {
    assert.equal(await stateOf(await portOf((_, response) => response.writeHead(404).end("not here"))), "taken");
    assert.equal(await stateOf(await portOf((_, response) => response.end("{}"))), "taken");
    assert.equal(await stateOf(await portOf((request) => request.socket.destroy())), "taken");
  });

  it("is free if nothing listens", async () => {
    const port = await portOf(() => {});
    await close(servers.pop());
    assert.equal(await stateOf(port), "free");
  });

  it("is not asked in a workspace that is not trusted, and nothing else is a port", async () => {
    let asked = 0;
    const port = await portOf((_, response) => {
      asked++;
      response.end();
    });
    assert.equal(await stateOf(port, false), "unknown");
    for (const other of [0, -1, 1.5, 70_000, Number.NaN]) assert.equal(await stateOf(other), "unknown");
    assert.equal(asked, 0);
  });

  it("has a chain as soon as the project's anvil listens, and is free when its terminal is closed", async () => {
    const port = await portOf(() => {});
    await close(servers.pop());
    const chain = spawn(anvil, ["--port", String(port)], { stdio: "ignore", ...ownTree() }); // as in a terminal
    const ended = new Promise((resolve) => chain.once("exit", resolve));
    try {
      for (let state = "free"; state !== "chain"; state = await stateOf(port))
        assert.equal(chain.exitCode, null, "anvil ended");
    } finally {
      killTree(Number(chain.pid), "SIGHUP"); // what closing a terminal sends to its processes
    }
    await ended;
    for (let state = "chain"; state !== "free"; ) state = await stateOf(port);
  });
});

describe("the gate", () => {
  it("alone has the transport and the sockets", () => {
    const host = gatedHost();
    // @ts-expect-error: what compiles without this line could send beside the gate
    assert.equal(host.transport, undefined);
    // @ts-expect-error: what compiles without this line could subscribe beside the gate
    assert.equal(host.sockets, undefined);
    const recorded = host.gate.recorded();
    // @ts-expect-error: what compiles without this line could send beside the gate of a recording
    assert.equal(recorded.transport ?? recorded.sockets, undefined);
    for (const { gate } of [host, recorded]) assert.deepEqual(Object.values(gate), []);
  });

  it("wants a permit, which only approvals give", () => {
    const { gate } = gatedHost();
    const { permit } = approvedRun("http://127.0.0.1:1", []);
    const copied = { ...permit, isOpen: true, dependOn: () => {} };
    const options = { timeoutMs: 1, maxBytes: 1, idempotent: true, clock, memory: {} };
    // @ts-expect-error: what compiles without this line could send anywhere
    const send = () => gate.send(copied, [], options, signal);
    // @ts-expect-error: what compiles without this line could subscribe anywhere
    const subscribe = () => gate.subscribe(copied, ownRequest("eth_subscribe", []), options, signal);
    assert.equal(typeof send, typeof subscribe);
  });
});

/** An approved site, and the leave of a run to send there. */
function approvedRun(url: string, values: readonly HostReference[]) {
  const host = { ...testHost(), trusted: true, approvedHosts: [new URL(url).origin] };
  const { endpoint } = readEndpoint("x", url);
  assert.ok(endpoint);
  const resolved = { endpoint, chosenBy: "header", why: "", origin: "", namedBy: "repository", values } as const;
  return { host, permit: new Approvals(host, openMask()).permit(resolved, "run") };
}

describe("permission that is lost in the middle of a run", () => {
  const options = { timeoutMs: 5000, maxBytes: 1_000_000, idempotent: true, batch: false as const, memory: {}, clock };
  const request = (id: number) => ({ id, method: "eth_chainId", text: `{"jsonrpc":"2.0","id":${id},"method":"m"}` });

  it("stops the messages that have not left, and a recording asks nothing more", async () => {
    const sent: string[] = [];
    const { host, permit } = approvedRun("http://127.0.0.1:1", []);
    const transport: Transport = {
      post: async ({ body }) => {
        sent.push(body);
        if (sent.length === 2) host.trusted = false;
        return { kind: "response", status: 200, headers: {}, body: body.replace("method", "result"), bytes: 1 };
      },
    };
    const { gate, finish } = gatedHost({ transport }).gate.recorded();
    const all = [1, 2, 3, 4].map(request);
    const outcomes = await gate.send(permit, all, { ...options, limiter: new Limiter(1) }, signal);
    assert.deepEqual(pluck(outcomes, "kind"), ["answered", "answered", "unreachable", "unreachable"]);
    const [, , third] = outcomes;
    assert.match(
      third?.kind === "unreachable" ? third.message : "",
      /^This request to 127.0.0.1:1 cannot be sent \(it is/,
    );
    assert.equal((await finish("test", signal)).exchanges.length, 2);
    assert.equal(sent.length, 2);
  });

  it("stops a value of the host that is no longer granted", () => {
    const value = { source: "secret", name: "KEY" } as const;
    const { permit } = approvedRun("http://127.0.0.1:1", []);
    assert.equal(permit.isOpen, true);
    permit.dependOn([value]);
    assert.equal(permit.isOpen, false);
  });

  it("leaves the connection to another subscription that uses it too", async () => {
    const opened: WebSocket[] = [];
    const server = await socketServer((frame, socket) => {
      opened.push(socket);
      answer(socket, frame, frame.params[0] === "mine" ? "0xa" : "0xb");
    });
    const { gate } = gatedHost();
    const stop = new AbortController();
    const [mine, other] = [approvedRun(server.url, []), approvedRun(server.url, [])];
    const subscribe = ({ permit }: typeof mine, name: string, idleMs: number) =>
      gate.subscribe(permit, ownRequest("eth_subscribe", [name]), { ...options, idleMs }, stop.signal);
    const [rows, otherRows] = [subscribe(mine, "mine", 1), subscribe(other, "other", 60_000)];
    const first = await Promise.all([rows.next(), otherRows.next()]);
    assert.deepEqual(pluck(first.flat(), "kind"), ["open", "open"]);
    mine.host.trusted = false;
    while ((await rows.next()).length > 0); // its silence is tested, which fails now, until it ends
    for (const socket of new Set(opened)) notify(socket, "0xb", "a row");
    assert.deepEqual(pluck(await otherRows.next(), "kind"), ["row"]);
    assert.equal(server.handshakes.length, 1);
    stop.abort();
    await server.close();
  });

  it("stops the messages of a subscription, and it does not connect again", async () => {
    const server = await socketServer((frame, socket) => {
      answer(socket, frame, "0xa");
      if (frame.method === "eth_subscribe") {
        host.trusted = false;
        socket.terminate();
      }
    });
    const { host, permit } = approvedRun(server.url, []);
    const over = { ...options, backoffMs: 1 };
    const rows = gatedHost().gate.subscribe(permit, ownRequest("eth_subscribe", ["newHeads"]), over, signal);
    const kinds: string[] = [];
    for (let events = await rows.next(); events.length > 0; events = await rows.next())
      kinds.push(...pluck(events, "kind"));
    assert.deepEqual(kinds, ["open", "lost", "end"]);
    assert.deepEqual(pluck(server.frames, "method"), ["eth_subscribe"]);
    await server.close();
  });
});
