import assert from "node:assert/strict";
import { person, runText, summaries } from "../../../support/host.ts";
import { type HostileServer, hostileServer, replying } from "../../../support/hostileServer.ts";
import { patientClock } from "../../../support/patientClock.ts";

describe("an expectation with `within`", () => {
  let server: HostileServer;
  /** Balances asked for so far. */
  let asked = 0;
  let blocks = 0x10;
  /** The answer to the nth question for a balance, from 1. */
  let answer: (nth: number) => object = () => ({ result: "0x0" });
  beforeEach(async () => {
    asked = 0;
    blocks = 0x10;
    answer = () => ({ result: "0x0" });
    server = await hostileServer(
      replying((method) =>
        method === "eth_blockNumber" ? { result: `0x${(blocks++).toString(16)}` } : answer(++asked),
      ),
    );
  });

  const cell = (within: string, more = ""): string =>
    `{ "method": "eth_getBalance", "params": ["0x0000000000000000000000000000000000000001", "pending"],
      "expect": { "result": { ">=": 3 } }, "within": "${within}"${more} }`;
  const run = (text: string, clock = patientClock(), signal?: AbortSignal) =>
    runText(`[${text}]`, { endpoint: server.url, host: { clock }, ...(signal && { signal }) });

  it("repeats the cell until it holds, and says why it waits", async () => {
    answer = (nth) => ({ result: `0x${nth - 1}` });
    const done = await run(cell("10 s"));
    assert.equal(asked, 4);
    assert.deepEqual(done.result, { ok: 1, failed: 0, cancelled: false });
    assert.match(done.cells[0]?.output.text ?? "", /The expectation holds now: sent 4 times in/);
    assert.match(done.waits[0] ?? "", /^Expected result to be at least 3\. It is "0x0"\. Asked once, \d.* left\.$/);
    assert.match(done.waits[2] ?? "", /It is "0x2"\. Asked 3 times, /);
  });

  it("does not repeat a cell that holds at once", async () => {
    answer = () => ({ result: "0x3" });
    const done = await run(cell("10 s"));
    assert.deepEqual([asked, done.waits.length, done.result.ok], [1, 0, 1]);
  });

  it("does not repeat a cell that cannot be checked", async () => {
    answer = () => ({ result: "0x3" });
    const done = await run(`{ "method": "eth_gasPrice", "expect": { "result": { ">": "a lot" } }, "within": "10 s" }`);
    assert.deepEqual([asked, done.result.failed], [1, 1]);
    assert.match(done.cells[0]?.output.text ?? "", /This cannot be checked: `>` takes a number/);
  });

  it("shows the last comparison when the time is over", async () => {
    answer = (nth) => ({ result: nth < 3 ? "0x1" : "0x2" });
    const done = await run(cell("3 s"));
    assert.equal(done.result.failed, 1);
    assert.match(done.cells[0]?.output.text ?? "", /Expected result to be at least 3\.\n\s+→ It is "0x2"\./);
    assert.match(done.cells[0]?.output.text ?? "", /The time of `within` is over: sent \d+ times in 3(?:\.\d)? s\./);
    assert.ok(asked > 3 && asked < 10, `${asked} times`);
  });

  it("counts blocks", async () => {
    answer = (nth) => ({ result: nth < 4 ? "0x0" : "0x9" });
    assert.equal((await run(cell("3 blocks"))).result.ok, 1); // read with the third block
    asked = 0;
    assert.equal((await run(cell("2 blocks"))).result.failed, 1);
    assert.equal(asked, 3);
  });

  it("ends if the endpoint sends no block number", async () => {
    blocks = Number.NaN;
    const done = await run(cell("1 block"));
    assert.equal(done.result.failed, 1);
  });

  it("ends at once when it is cancelled, with the last answer", async () => {
    const stop = new AbortController();
    const done = await run(
      cell("1 min"),
      patientClock((total) => total >= 500 && stop.abort()),
      stop.signal,
    );
    assert.equal(done.result.cancelled, true);
    assert.equal(done.cells[0]?.cancelled, true);
    assert.match(done.cells[0]?.output.text ?? "", /It is "0x0"[\s\S]*The wait was cancelled: sent 2 times/);
  });

  it("keeps the last answer when it is cancelled during a request", async () => {
    const stop = new AbortController();
    answer = (nth) => {
      if (nth === 2) stop.abort();
      return { result: "0x1" };
    };
    const done = await run(cell("1 min"), patientClock(), stop.signal);
    assert.match(done.cells[0]?.output.text ?? "", /It is "0x1"[\s\S]*The wait was cancelled: sent 1 time /);
  });

  it("stops if a repetition cannot help", async () => {
    answer = () => ({ error: { code: -32602, message: "invalid argument 0: hex string has length 2" } });
    const done = await run(cell("1 min"));
    assert.equal(asked, 1);
    assert.equal(done.result.failed, 1);
  });

  it("never sends a write twice", async () => {
    const text = `[{ "method": "eth_sendRawTransaction", "params": ["0x01"], "expect": { "result": "0x1" }, "within": "5 s" }]`;
    const consent = person({ allowHost: async () => true, allowWrites: async () => true });
    const done = await runText(text, { endpoint: server.url, host: { clock: patientClock(), consent } });
    assert.equal(asked, 1);
    assert.match(summaries(done)[0] ?? "", /^✗/);
  });

  it("waits for a batch as a whole, and gives the last answer on", async () => {
    answer = (nth) => ({ result: `0x${nth}` });
    const done = await run(
      `{ "name": "b", "batch": [{ "method": "eth_gasPrice" }, { "method": "eth_gasPrice" }], "within": "5 s",
         "expect": { "result[1]": 6 } },
       { "method": "eth_getBlockTransactionCountByNumber", "params": ["{{b.result[0]}}"] }`,
    );
    assert.equal(done.result.ok, 2);
    assert.ok(server.seen.at(-1)?.body.includes(`["0x5"]`));
  });
});
