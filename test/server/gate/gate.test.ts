import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { killTree, ownTree } from "../../../scripts/lib/processes.mjs";
import { createService } from "../../../server/src/service/service.ts";
import { gatedHost, testHost } from "../../support/host.ts";

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
  it("alone has the transport", () => {
    const host = gatedHost();
    // @ts-expect-error: what compiles without this line could send beside the gate
    assert.equal(host.transport, undefined);
    assert.deepEqual(Object.values(host.gate), []);
  });
});
