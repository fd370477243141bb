import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { clientTo } from "../../support/host.ts";
import { hostileServer } from "../../support/hostileServer.ts";

const { signal } = new AbortController();

/** Asks an endpoint that answers everything, unless the connection is to end. */
async function asked(ends: (socket: Socket) => boolean, times: number): Promise<readonly string[]> {
  const node = await hostileServer((_, response, socket) => {
    if (ends(socket)) socket.destroy();
    else response.end(`{"jsonrpc":"2.0","id":1,"result":"0x1"}`);
  });
  const asker = clientTo(node.url);
  const kinds: string[] = [];
  for (let time = 0; time < times; time++)
    for (const { kind } of await asker.ask([{ method: "eth_chainId", params: [] }], signal)) kinds.push(kind);
  await node.close();
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
