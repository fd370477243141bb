import assert from "node:assert/strict";
import type { Clock } from "../../../server/src/base/ports.ts";
import { clock } from "../../../server/src/node/environment.ts";
import { createService } from "../../../server/src/service/service.ts";
import { testHost } from "../../support/host.ts";
import { answering, type HostileServer, hostileServer } from "../../support/hostileServer.ts";
import { patientClock } from "../../support/patientClock.ts";

const uri = "file:///nowhere/a.rpc.json";

/** Answers everything, but asks for a pause of ten seconds where it is asked for the price of gas, and never syncs. */
function startServer(): Promise<HostileServer> {
  return hostileServer((seen, response, socket) => {
    if (seen.body.includes("eth_gasPrice")) return void response.writeHead(429, { "retry-after": "10" }).end("slowly");
    if (!seen.body.includes("eth_syncing")) answering(() => "0x1")(seen, response, socket);
  });
}

/** A long pause ends only when it is cancelled. */
const sleep: Clock["sleep"] = (ms, signal, isLimit) => clock.sleep(ms > 5000 ? 2 ** 31 - 1 : ms, signal, isLimit);

describe("a cell that waits", () => {
  let server: HostileServer;
  before(async () => {
    server = await startServer();
  });

  for (const [what, cells, endpoint, told] of [
    [
      "because the endpoint asks for a pause",
      `{ "method": "eth_gasPrice" }`,
      {},
      /^127\.0\.0\.1:\d+ asks for fewer requests \(HTTP 429\)\. Trying again in 10(?:\.\d)? s\.$/,
    ],
    [
      "for what another cell was told",
      `{ "name": "first", "method": "eth_gasPrice" }, { "method": "eth_chainId", "expect": { "result": 2 }, "within": "20 s" }`,
      { batch: false },
      /^127\.0\.0\.1:\d+ asked for a pause\. Sending in \d+(?:\.\d)? s\.$/,
    ],
    [
      "for its share of the rate",
      `{ "method": "eth_chainId" }, { "method": "eth_chainId" }, { "method": "eth_chainId" }`,
      { batch: false, rate: 0.1 },
      /^127\.0\.0\.1:\d+ gets at most 0\.1 requests a second\. Sending in \d+(?:\.\d)? s\.$/,
    ],
    [
      "for a place among the messages under way",
      Array.from({ length: 9 }, () => `{ "method": "eth_syncing" }`).join(","),
      { batch: false },
      /^127\.0\.0\.1:\d+ has to answer 8 other messages first\.$/,
    ],
    [
      "for what it expects",
      `{ "method": "eth_chainId", "expect": { "result": 2 }, "within": "20 s" }`,
      {},
      /^Expected result .*2\. .* Asked 2 times, .* left\.$/,
    ],
  ] as const) {
    it(`${what} says so, and ends at once when it is cancelled`, async () => {
      const endpoints = { slow: { url: server.url, ...endpoint } };
      const settings = { rpcNotebook: { endpoint: "slow", endpoints } };
      const service = createService(testHost({ settings, clock: { ...clock, sleep } }));
      service.openText(uri, `[${cells}]`);
      const stop = new AbortController();
      const waits: string[] = [];
      let cancelled = 0;
      const result = await service.run(
        { uri },
        {
          started: () => {},
          waiting({ why }) {
            waits.push(why);
            if (told.test(why)) stop.abort();
          },
          finished: (cell) => {
            if (cell.cancelled) cancelled++;
          },
        },
        stop.signal,
      );
      assert.ok(
        waits.some((why) => told.test(why)),
        waits.join("\n"),
      );
      assert.equal(result.cancelled, true);
      assert.ok(cancelled > 0);
    });
  }

  it("because the endpoint refused more says so, and the result says at which pace the rest was sent", async () => {
    const clock = patientClock();
    let windowEnds = 0;
    let taken = 0;
    const strict = await hostileServer(({ body }, response) => {
      if (clock.now() >= windowEnds) [windowEnds, taken] = [clock.now() + 1000, 0];
      if (++taken > 2) return void response.writeHead(429).end("slowly");
      response.end(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(body).id, result: "0x1" }));
    });
    const endpoints = { strict: { url: strict.url, batch: false } };
    const service = createService(testHost({ settings: { rpcNotebook: { endpoint: "strict", endpoints } }, clock }));
    service.openText(uri, `[${Array.from({ length: 6 }, () => `{ "method": "eth_chainId" }`).join(",")}]`);
    const waits: string[] = [];
    let text = "";
    const { ok } = await service.run(
      { uri },
      {
        started: () => {},
        waiting: ({ why }) => waits.push(why),
        finished: ({ output }) => (text += output.text),
      },
      new AbortController().signal,
    );
    await strict.close();
    assert.equal(ok, 6);
    assert.ok(
      waits.some((why) => /gets at most \d requests? every \d/.test(why)),
      waits.join("\n"),
    );
    assert.match(text, /\d requests? every [\d.]+ s, because 127\.0\.0\.1:\d+ refused more/);
  });

  it("for places that another run has, ends at once when it is cancelled, and goes on when they are free", async () => {
    const release: (() => void)[] = [];
    let [now, most] = [0, 0];
    const shared = await hostileServer(({ body }, response) => {
      most = Math.max(most, ++now);
      release.push(() => {
        now--;
        response.end(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(body).id, result: "0x1" }));
      });
    });
    const endpoints = { slow: { url: shared.url, batch: false } };
    const service = createService(testHost({ settings: { rpcNotebook: { endpoint: "slow", endpoints } } }));
    const uris = ["a", "b", "c"].map((name) => `file:///nowhere/${name}.rpc.json`);
    const cells = Array.from({ length: 8 }, () => `{ "method": "eth_syncing" }`).join(",");
    for (const each of uris) service.openText(each, `[${cells}]`);
    const stop = new AbortController();
    let hasToWait = (): void => {};
    const held = new Promise<void>((resolve) => {
      hasToWait = resolve;
    });
    const go = (each: string, signal = new AbortController().signal) =>
      service.run({ uri: each }, { started: () => {}, waiting: hasToWait, finished: () => {} }, signal);
    const [first, second, third] = [go(uris[0] ?? ""), go(uris[1] ?? ""), go(uris[2] ?? "", stop.signal)];
    await held;
    stop.abort();
    assert.equal((await third).cancelled, true);
    const letGo = setInterval(() => release.shift()?.(), 2);
    const both = await Promise.all([first, second]).finally(() => clearInterval(letGo));
    assert.deepEqual([both.map(({ ok }) => ok), most], [[8, 8], 8]);
  });
});
