import assert from "node:assert/strict";
import { type Run, runText } from "../support/host.ts";
import { answering, type HostileServer, hostileServer } from "../support/hostileServer.ts";

const hour = 3_600_000;
const realNow = Date.now;

/** Changes the time of day of this process, as a person or a time server changes that of a machine. */
function jump(ms: number): void {
  Date.now = () => realNow() + ms;
}

function run(cells: readonly object[], endpoint: object | string): Promise<Run> {
  const settings = { rpcNotebook: { endpoints: { node: endpoint } } };
  return runText(JSON.stringify({ cells }), { endpoint: "node", host: { settings } });
}

describe("changing the clock during a run", () => {
  let server: HostileServer;
  afterEach(async () => {
    Date.now = realNow;
    await server.close();
  });

  for (const ms of [-hour, hour]) {
    const direction = ms < 0 ? "back" : "forward";

    it(`waits for Retry-After when the clock goes an hour ${direction}`, async () => {
      const good = answering(() => "0x1");
      server = await hostileServer((seen, response, socket) => {
        if (server.seen.length > 1) return good(seen, response, socket);
        jump(ms);
        return response.writeHead(429, { "retry-after": "1" }).end();
      });
      const begun = performance.now();
      const { cells } = await run([{ method: "eth_blockNumber" }], server.url);
      const took = performance.now() - begun;
      assert.equal(cells[0]?.ok, true);
      assert.ok(took > 900 && took < 8000, `${took} ms`);
    });

    it(`keeps the rate when the clock goes an hour ${direction}`, async () => {
      const good = answering(() => "0x1");
      server = await hostileServer((seen, response, socket) => {
        jump(ms);
        return good(seen, response, socket);
      });
      const cells = Array.from({ length: 4 }, () => ({ method: "eth_blockNumber" }));
      const begun = performance.now();
      const { cells: ended } = await run(cells, { url: server.url, rate: 4, batch: false });
      const took = performance.now() - begun;
      assert.ok(ended.every(({ ok }) => ok));
      assert.ok(took > 600 && took < 8000, `${took} ms`);
    });

    it(`asks again for as long as \`within\` says when the clock goes an hour ${direction}`, async () => {
      const good = answering(() => (server.seen.length > 2 ? "0x2" : "0x1"));
      server = await hostileServer((seen, response, socket) => {
        jump(ms);
        return good(seen, response, socket);
      });
      const cell = { method: "eth_gasPrice", expect: { result: "0x2" }, within: "5 s" };
      const { cells } = await run([cell], server.url);
      assert.equal(cells[0]?.ok, true);
    });
  }
});
