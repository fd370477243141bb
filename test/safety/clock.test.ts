import assert from "node:assert/strict";
import { runText } from "../support/host.ts";
import { answering, type HostileServer, hostileServer, type Misbehaviour } from "../support/hostileServer.ts";

const hour = 3_600_000;
const realNow = Date.now;
const good = answering(() => "0x1");

/**
 * Runs requests while a person or a time server changes the clock of the machine.
 *
 * @param answer - Called with the number of the request, from 1.
 * @returns The duration in milliseconds.
 */
async function run(
  ms: number,
  cell: object,
  answer: (ordinal: number) => Misbehaviour,
  endpoint: object = {},
  count = 1,
): Promise<number> {
  const server: HostileServer = await hostileServer((seen, response, socket) => {
    Date.now = () => realNow() + ms;
    answer(server.seen.length)(seen, response, socket);
  });
  const settings = { rpcNotebook: { endpoints: { node: { url: server.url, ...endpoint } } } };
  const cells = Array.from({ length: count }, () => cell);
  const begun = performance.now();
  const { result } = await runText(JSON.stringify({ cells }), { endpoint: "node", host: { settings } });
  const tookMs = performance.now() - begun;
  assert.equal(result.failed, 0);
  return tookMs;
}

describe("changing the clock during a run", () => {
  afterEach(() => {
    Date.now = realNow;
  });

  for (const [direction, ms] of [["back", -hour] as const, ["forward", hour] as const])
    it(`an hour ${direction} does not change the length of waits`, async () => {
      const read = { method: "eth_blockNumber" };
      const until = { method: "eth_gasPrice", expect: { result: "0x2" }, within: "10 min" };
      const busy: Misbehaviour = (_, response) => void response.writeHead(429, { "retry-after": "1" }).end();
      const waits = await Promise.all([
        run(ms, read, (ordinal) => (ordinal > 1 ? good : busy)),
        run(ms, read, () => good, { rate: 4, batch: false }, 4),
        run(ms, until, (ordinal) => answering(() => (ordinal > 2 ? "0x2" : "0x1"))),
      ]);
      for (const [at, least] of [900, 600, 0].entries()) {
        const tookMs = waits[at] ?? 0;
        assert.ok(tookMs > least, `${tookMs} ms`); // a longer wait than it is meant to be has no end here
      }
    });
});
