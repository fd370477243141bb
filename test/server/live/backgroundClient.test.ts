import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { readEndpoint } from "../../../server/src/endpoints/endpoint.ts";
import { openBackgroundClient } from "../../../server/src/live/backgroundClient.ts";
import { testHost } from "../../support/host.ts";

const { signal } = new AbortController();

/** Answers everything, unless the test says that the connection is to end. */
async function server(ends: (socket: Socket) => boolean): Promise<Server> {
  const made = createServer((request, response) => {
    if (ends(request.socket)) request.socket.destroy();
    else response.end(`{"jsonrpc":"2.0","id":1,"result":"0x1"}`);
  });
  await new Promise<void>((done) => made.listen(0, "127.0.0.1", done));
  return made;
}

async function asked(ends: (socket: Socket) => boolean, times: number): Promise<readonly string[]> {
  const node = await server(ends);
  const { endpoint } = readEndpoint("x", `http://127.0.0.1:${(node.address() as AddressInfo).port}`); // it listens on TCP
  assert.ok(endpoint);
  const { clock, transport } = testHost();
  const asker = openBackgroundClient(endpoint, {}, { clock, transport, memory: {} });
  const kinds: string[] = [];
  for (let time = 0; time < times; time++)
    for (const { kind } of await asker.ask([{ method: "eth_chainId", params: [] }], signal)) kinds.push(kind);
  node.closeAllConnections();
  await new Promise((done) => node.close(done));
  return kinds;
}

describe("a background request", () => {
  it("is sent again if a kept connection was closed", async () => {
    const known = new WeakSet<Socket>();
    const isKept = (socket: Socket): boolean => known.has(socket) || !known.add(socket);
    assert.deepEqual(await asked(isKept, 3), ["answered", "answered", "answered"]);
  });

  it("is asked twice at most", async () => {
    let count = 0;
    assert.deepEqual(await asked(() => count++ < 10, 1), ["unreachable"]);
    assert.equal(count, 2);
  });
});
