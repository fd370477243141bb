import assert from "node:assert/strict";
import { isObject } from "../../../../server/src/base/json.ts";
import type { Clock } from "../../../../server/src/base/ports.ts";
import { clock } from "../../../../server/src/node/environment.ts";
import { createService } from "../../../../server/src/service/service.ts";
import { countedChain } from "../../../support/countedChain.ts";
import { countingProxy } from "../../../support/countingProxy.ts";
import { fastClock } from "../../../support/fastClock.ts";
import { type RunSettings, runText, testHost } from "../../../support/host.ts";
import { answering, hostileServer } from "../../../support/hostileServer.ts";

describe("the state that answered", () => {
  const counted = countedChain();
  /** Waits long for the head, so that a busy machine does not lose it. */
  const patient: Clock = { ...clock, sleep: (ms, signal, isLimit) => clock.sleep(isLimit ? ms * 40 : ms, signal) };

  const balance = (block: string): string =>
    `{ "method": "eth_getBalance", "params": ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", ${block}] }`;
  const endpoints = (more: object): RunSettings => ({
    host: {
      clock: patient,
      settings: { rpcNotebook: { endpoint: "x", endpoints: { x: { url: counted.proxy.url, ...more } } } },
    },
  });
  const facts = async (text: string, settings: RunSettings = endpoints({})): Promise<readonly string[]> => {
    const { cells } = await runText(text, settings);
    return cells.flatMap(({ output }) => output.reports.map((one) => one.facts.map(({ name }) => name).join(" ")));
  };
  const heads = (): number =>
    counted.proxy
      .methods()
      .flat()
      .filter((method) => method === "eth_getBlockByNumber").length;

  it("is shown by the head and its age, which the whole run reads once and in the same body", async () => {
    const shown = await facts(`[${balance('"latest"')}, ${balance('"pending"')}, ${balance('"safe"')}]`);
    assert.deepEqual(shown, Array(3).fill("endpoint block head time batch"));
    assert.deepEqual([heads(), counted.proxy.bodies.length], [1, 1]);
  });

  for (const [what, ms, age] of [
    ["in milliseconds where the node proves them", 200, 300],
    ["in seconds where its milliseconds are of another second", 1200, 500],
    ["in seconds where it gives none", undefined, 500],
  ] as const)
    it(`counts the age of the head ${what}`, async () => {
      const seconds = 1_721_808_580;
      const timestampMs = ms === undefined ? {} : { timestampMs: `0x${(seconds * 1000 + ms).toString(16)}` };
      const head = { number: "0x64", timestamp: `0x${seconds.toString(16)}`, ...timestampMs };
      const server = await hostileServer(answering((method) => (method === "eth_getBlockByNumber" ? head : "0x1")));
      const [clockAt, url] = [{ ...patient, date: () => seconds * 1000 + 500 }, server.url];
      const { cells } = await runText(balance('"latest"'), { host: { ...endpoints({ url }).host, clock: clockAt } });
      const [answer] = cells[0]?.answers() ?? [];
      assert.ok(isObject(answer) && isObject(answer.state));
      assert.equal(answer.state.ageMs, age);
    });

  it("is shown for a single cell, whose request stays alone", async () => {
    const { cells } = await runText(balance('"pending"'), endpoints({}));
    assert.match(cells[0]?.output.text ?? "", /block pending · head \d+, .* old · /);
    assert.deepEqual(counted.proxy.methods().map(String).sort(), ["eth_getBalance", "eth_getBlockByNumber"]);
    const [answer] = cells[0]?.answers() ?? [];
    assert.ok(isObject(answer) && isObject(answer.state));
    assert.equal(answer.state.asked, "pending");
    assert.equal(answer.state.preconfirmed, false);
  });

  for (const [what, text, more] of [
    ["where no tag is asked for", `[${balance('"0x1"')}, { "method": "eth_chainId" }]`, {}],
    ["at an endpoint that takes few requests", balance('"latest"'), { rate: 2 }],
  ] as const) {
    it(`costs nothing ${what}`, async () => {
      for (const shown of await facts(text, endpoints(more))) assert.doesNotMatch(shown, /head/);
      assert.equal(heads(), 0);
    });
  }

  it("is pre-confirmed if the endpoint says so, and never at latest", async () => {
    const shown = await facts(`[${balance('"pending"')}, ${balance('"latest"')}]`, endpoints({ preconfirmed: true }));
    assert.deepEqual(shown, ["endpoint block state head time batch", "endpoint block head time batch"]);
  });

  for (const [what, more, mark, never] of [
    ["a node's own guess is only not sealed", {}, /Block 101 · not sealed/, /pre-confirmed/],
    ["what the endpoint says is pre-confirmed is so", { preconfirmed: true }, /pre-confirmed/, /not sealed/],
  ] as const)
    it(`marks the pending block: ${what}`, async () => {
      const block = { hash: `0x${"ab".repeat(32)}`, timestamp: "0x1", transactions: [] };
      const answerTo = (method: string, params: unknown) => {
        const isPending = Array.isArray(params) && params[0] === "pending";
        if (method === "eth_chainId") return "0x1";
        return isPending ? { ...block, number: "0x65", hash: null } : { ...block, number: "0x64" };
      };
      const server = await hostileServer(answering(answerTo));
      const cell = `{ "method": "eth_getBlockByNumber", "params": ["pending", false] }`;
      const { cells } = await runText(cell, endpoints({ url: server.url, chainId: 1, ...more }));
      const [report] = cells[0]?.output.reports ?? [];
      const said = report?.headline?.map(({ text }) => text).join(" · ") ?? "";
      assert.match(said, mark);
      assert.doesNotMatch(said, never);
    });

  it("is pre-confirmed if a probe has measured that", async () => {
    const [uri, signal] = ["file:///nowhere/a.rpc.json", new AbortController().signal];
    const service = createService(testHost({ ...endpoints({}).host, clock: fastClock() }));
    service.openText(uri, balance('"pending"'));
    const texts: string[] = [];
    const go = () =>
      service.run({ uri }, { started() {}, finished: ({ output }) => void texts.push(output.text) }, signal);
    await go();
    const [from, to] = [counted.chain.accounts.alice.address, counted.chain.accounts.bob.address];
    await counted.chain.rpc("eth_sendTransaction", [{ from, to, value: "0x1" }]);
    await service.probe(uri, undefined, signal);
    // A busy machine can lose the head.
    for (let run = 0; run < 50 && !texts.slice(1).join().includes("head"); run++) await go();
    assert.doesNotMatch(texts[0] ?? "", /pre-confirmed/);
    assert.match(texts.at(-1) ?? "", /block pending · state pre-confirmed · head/);
  });

  it("is shown by both heads if the chain moved during a slow answer", async () => {
    let ahead = 0;
    const later: Clock = { ...patient, now: () => clock.now() + ahead, date: () => clock.date() + ahead };
    const slow = await countingProxy(counted.chain.url, async (body) => {
      if (!body.includes("eth_getTransactionCount")) return false;
      await counted.chain.seal();
      ahead = 5000;
      return false;
    });
    const count = `{ "method": "eth_getTransactionCount", "params": ["${counted.chain.accounts.alice.address}", "latest"] }`;
    const { cells } = await runText(count, { endpoint: slow.url, host: { clock: later } });
    assert.match(cells[0]?.output.text ?? "", /head \d+, .* old, \d+ when the answer had come/);
    assert.equal(
      slow
        .methods()
        .flat()
        .filter((method) => method === "eth_getBlockByNumber").length,
      2,
    );
  });

  it("is read once if a later cell is asked again until it holds", async () => {
    let ahead = 0;
    const later: Clock = { ...patient, now: () => clock.now() + ahead, date: () => clock.date() + ahead };
    const slow = await countingProxy(counted.chain.url, async (body) => {
      if (body.includes("eth_getTransactionCount")) ahead += 5000;
      return false;
    });
    const first = `{ "name": "first", ${balance('"latest"').slice(1)}`;
    const count = `{ "method": "eth_getTransactionCount", "params": ["${counted.chain.accounts.alice.address}", "latest"],
      "expect": { "result": "{{first.result}}" }, "within": "8 s" }`;
    await runText(`[${first}, ${count}]`, { endpoint: slow.url, host: { clock: later } });
    const asked = slow.methods().flat();
    assert.equal(asked.filter((method) => method === "eth_getTransactionCount").length > 1, true);
    assert.equal(asked.filter((method) => method === "eth_getBlockByNumber").length, 1);
  });

  it("does not wait for a head that never arrives", async () => {
    const slow = await countingProxy(counted.chain.url, (body) => body.includes("eth_getBlockByNumber"));
    const { cells } = await runText(balance('"latest"'), { endpoint: slow.url, host: { clock } });
    assert.equal(cells[0]?.ok, true);
    assert.doesNotMatch(cells[0].output.text, /head/);
  });
});
