import assert from "node:assert/strict";
import type { WriteQuestion } from "../../../server/src/base/ports.ts";
import { createService } from "../../../server/src/service/service.ts";
import { type CountingProxy, countingProxy } from "../../support/countingProxy.ts";
import { times } from "../../support/depth.ts";
import { person, runText, summaries, testHost } from "../../support/host.ts";
import { hostileServer } from "../../support/hostileServer.ts";
import { pluck } from "../../support/pluck.ts";
import { sharedChain } from "../../support/sharedChain.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const notebook = (header: string, ...cells: readonly string[]): string => `{${header}"cells":[${cells.join(",")}]}`;
const chainIdOf = (name: string): string => `{ "name": "${name}", "method": "eth_chainId" }`;

/** Sends nothing but what the notebook asks for. */
const quiet = { settings: { rpcNotebook: { tokenLookup: false } } };

describe("a run", () => {
  const chain = sharedChain();
  let proxy: CountingProxy;
  beforeEach(async () => {
    proxy = await countingProxy(chain.url);
  });

  /** Runs it through the counting proxy. */
  const run = (text: string, settings: Parameters<typeof runText>[1] = {}) =>
    runText(text, { endpoint: proxy.url, host: quiet, ...settings });

  it("fills in variables and earlier results, wherever they are in the notebook", async () => {
    const done = await run(
      notebook(
        `"variables":{"alice":"${alice}"},`,
        `{ "name": "block", "method": "eth_getBlockByNumber", "params": ["{{head.result}}", false] }`,
        `{ "method": "eth_getBalance", "params": ["{{alice}}", "{{block.result.number}}"] }`,
        `{ "name": "head", "method": "eth_blockNumber" }`,
      ),
    );
    assert.deepEqual(done.ended, [2, 0, 1]);
    assert.match(summaries(done)[1] ?? "", /^✓ 10,000.* ether$/);
    assert.deepEqual(done.result, { ok: 3, failed: 0, cancelled: false });
  });

  it("passes a decoded value on in the form that a request accepts", async () => {
    const done = await run(
      notebook(
        "",
        `{ "name": "logs", "method": "eth_getLogs", "params": [{ "fromBlock": "earliest", "address": "${chain.contracts.token.address}" }] }`,
        `{ "method": "eth_getBalance", "params": ["{{logs.decoded[0].args.to}}", "latest"] }`,
        `{ "method": "eth_getTransactionByHash", "params": ["{{logs.result[0].transactionHash}}"] }`,
      ),
    );
    assert.deepEqual(done.result, { ok: 3, failed: 0, cancelled: false });
    const asked = proxy.bodies.find((body) => body.includes("eth_getBalance"));
    assert.match(asked ?? "", /"method": "eth_getBalance","params": \["0x[0-9a-fA-F]{40}", "latest"\]/);
  });

  describe("fills in expectations", () => {
    const balance = (expect: string): string =>
      `{ "method": "eth_getBalance", "params": ["${alice}", "latest"], "expect": ${expect} }`;

    it("from variables and other cells, after these, and waits for it", async () => {
      const done = await run(
        notebook(
          `"variables":{"least":"1 ether","ids":[31337]},`,
          balance(`{ "result": { ">=": "{{least}}", "<": "1,000,000 ether", "==": "{{own.result}}" } }`),
          `{ "name": "own", "method": "eth_getBalance", "params": ["${alice}", "latest"] }`,
          `{ "method": "eth_chainId", "expect": { "result": { "in": "{{ids}}" } }, "within": "10 s" }`,
          `{ "batch": [{ "method": "eth_chainId", "expect": { "result": "{{ids[0]}}" } }], "expect": { "result": ["{{ids[0]}}"] } }`,
        ),
      );
      assert.deepEqual(done.result, { ok: 4, failed: 0, cancelled: false });
      assert.ok(done.ended.indexOf(1) < done.ended.indexOf(0));
    });

    it("and shows the filled-in value if the expectation fails", async () => {
      const done = await run(
        notebook(
          `"variables":{"most":"1 gwei","n":{"id":5}},`,
          balance(`{ "result": { "<": "{{most}}" } }`),
          `{ "batch": [{ "method": "eth_chainId" }], "expect": { "result[0]": "{{n.id}}" } }`,
          `{ "method": "eth_chainId", "expect": { "result": "0x{{n.id}}" } }`,
        ),
      );
      const texts = done.cells.map(({ output }) => output.text);
      assert.match(texts[0] ?? "", /to be less than "1 gwei"/);
      assert.match(texts[1] ?? "", /to be 5/);
      assert.match(texts[2] ?? "", /to be "0x5"/);
      assert.deepEqual(done.result, { ok: 0, failed: 3, cancelled: false });
    });

    it("and sends nothing if something is missing", async () => {
      const done = await run(
        notebook(
          "",
          `{ "name": "bad", "method": "eth_nope" }`,
          `{ "method": "eth_chainId", "expect": { "result": "{{bad.result}}" } }`,
          `{ "method": "eth_chainId", "expect": { "result": { "==": "{{nowhere}}" } } }`,
          `{ "name": "me", "method": "eth_chainId", "expect": { "result": "{{me.result}}" } }`,
        ),
      );
      assert.ok(!proxy.bodies.some((body) => /"expect"|\{\{/.test(body)));
      assert.deepEqual(done.result, { ok: 0, failed: 4, cancelled: false });
      assert.deepEqual(
        done.cells.map(({ notSent }) => notSent !== undefined),
        [false, true, true, true],
      );
    });
  });

  it("takes variables of the run before those of the header, with their type", async () => {
    const text = notebook(
      `"variables":{"who":"0x0000000000000000000000000000000000000001","full":true},`,
      `{ "method": "eth_getBalance", "params": ["{{who}}", "latest"] }`,
      `{ "method": "eth_getBlockByNumber", "params": ["0x1", "{{full}}"] }`,
    );
    const done = await run(text, { variables: { who: alice, full: false } });
    assert.deepEqual(done.result, { ok: 2, failed: 0, cancelled: false });
    assert.ok(proxy.bodies[0]?.includes(alice) && proxy.bodies[0].includes(`["0x1", false]`));
  });

  it("sends what is ready as one HTTP request, and what may be large alone", async () => {
    const done = await run(
      notebook(
        "",
        chainIdOf("a"),
        `{ "method": "eth_getLogs", "params": [{ "fromBlock": "0x1" }] }`,
        `{ "method": "eth_blockNumber" }`,
        `{ "method": "eth_getBlockReceipts", "params": ["0x1"] }`,
        `{ "method": "eth_getBalance", "params": ["${alice}", "latest"] }`,
        `{ "method": "eth_getCode", "params": ["{{b.result}}", "latest"] }`,
        `{ "name": "b", "method": "eth_getStorageAt", "params": ["${alice}", "0x0", "latest"] }`,
      ),
    );
    // the head that tells which state answered travels along
    assert.deepEqual([...proxy.methods()].sort(), [
      ["eth_chainId", "eth_getBlockByNumber", "eth_blockNumber", "eth_getBalance", "eth_getStorageAt"],
      ["eth_getBlockReceipts"],
      ["eth_getCode"],
      ["eth_getCode"], // of the address whose slot is zero
      ["eth_getLogs"],
    ]);
    assert.equal(done.result.failed, 1); // a storage word is no address
  });

  it("sends a thousand cells in one, and the head beside them", async () => {
    const cells = Array.from(
      { length: 1000 },
      () => `{ "method": "eth_getBalance", "params": ["${alice}", "latest"] }`,
    );
    const done = await run(notebook("", ...cells));
    const sizes = proxy.methods().map(({ length }) => length);
    assert.deepEqual([done.result.ok, sizes.sort((a, b) => a - b)], [1000, [1, 1000]]);
  });

  it("evaluates a request again when its inputs change", async () => {
    const service = createService(testHost(quiet));
    const uri = "file:///nowhere/again.rpc.json";
    service.openText(uri, notebook("", chainIdOf("a"), `{ "method": "eth_getCode", "params": ["{{who}}", "0x0"] }`));
    const send = async (who: string, ...cells: readonly number[]): Promise<string> => {
      const before = proxy.bodies.length;
      await service.run(
        { uri, endpoint: proxy.url, ...(cells.length > 0 && { cells: cells.map((index) => ({ index })) }) },
        { started: () => {}, finished: () => {} },
        new AbortController().signal,
        new Map([["who", who]]),
      );
      return proxy.bodies.slice(before).join("\n");
    };
    const [bob, carol] = ["0x0000000000000000000000000000000000000b0b", "0x00000000000000000000000000000000000ca401"];
    const whole = await send(bob);
    assert.match(whole, /"id":1,.*eth_chainId.*"id":2,.*eth_getCode.*0b0b/);
    assert.equal(await send(bob), whole);
    assert.equal(await send(carol), whole.replace(bob, carol));
    assert.match(await send(carol, 1), /^\{"jsonrpc":"2\.0","id":1,.*eth_getCode/);
    assert.match(await send(carol, 0), /^\{"jsonrpc":"2\.0","id":1,.*eth_chainId/);
  });

  it("follows a chain of references as long as the notebook", async () => {
    const length = times(8_000, 2_000);
    const cell = (at: number): string =>
      `{ "name": "c${at}", "method": "eth_getCode", "params": ["{{c${at + 1}.result}}"] }`;
    const done = await run(notebook("", ...Array.from({ length }, (_, at) => cell(at))));
    assert.equal(done.result.failed, length);
    assert.deepEqual(summaries(done).slice(-2), [
      `✗ not sent: \`c${length - 1}\`, which this cell refers to, was not sent.`,
      `✗ not sent: A placeholder has no value: {{c${length}.result}}; no variable or cell has the name \`c${length}\`.`,
    ]);
  });

  it("takes the items of a batch by their ids, and by their names", async () => {
    const done = await run(
      notebook(
        "",
        `{ "name": "both", "batch": [
          { "id": "b", "method": "eth_blockNumber" },
          { "id": 1, "name": "chain", "method": "eth_chainId" },
          { "id": "1", "method": "eth_gasPrice" }
        ], "expect": { "result[1]": 31337, "decoded": { "length": 3 } } }`,
        `{ "method": "eth_getBlockByNumber", "params": ["{{both.result[0]}}", false], "expect": { "result.number": "{{no placeholder}}" } }`,
        `[{ "method": "eth_getBalance", "params": ["${alice}", "{{chain.result}}"] }]`,
      ),
    );
    assert.deepEqual(pluck(done.cells, "ok"), [true, false, false]);
    assert.deepEqual(proxy.methods()[0], ["eth_blockNumber", "eth_chainId", "eth_gasPrice"]);
    assert.equal(done.cells[0]?.output.reports[1]?.summary, "31337, local chain (anvil, Hardhat)");
    assert.ok(proxy.bodies.some((body) => body.includes(`"0x7a69"]`)));
  });

  it("checks the expectations of a batch as a whole", async () => {
    const { cells } = await run(
      notebook(
        "",
        `{ "batch": [${chainIdOf("a")}, { "method": "eth_nope" }], "expect": { "result[0]": 1, "error[1].code": -32601 } }`,
        `{ "batch": [${chainIdOf("b")}, { "method": "eth_nope" }], "expect": { "result[0]": 31337, "error[1].reason": "unknown-method" } }`,
      ),
    );
    assert.deepEqual(
      cells.map(({ ok, misses }) => [ok, misses.map(({ path }) => path)]),
      [
        [false, ["result[0]"]],
        [true, []],
      ],
    );
    assert.match(cells[0]?.output.text ?? "", /Expected result\[0\] of the batch to be 1\.\n\s+→ It is "0x7a69"\./);
  });

  it("sends no batch in which an item is none", async () => {
    const done = await run(notebook("", `{ "batch": [${chainIdOf("a")}, 5] }`, `{ "batch": [] }`, `{ "batch": {} }`));
    assert.deepEqual(summaries(done), [
      "✗ not sent: Item 2 of the batch is not a request.",
      "✗ not sent: The cell has no request.",
      "✗ not sent: The cell has no request.",
    ]);
    assert.equal(proxy.bodies.length, 0);
  });

  it("stops only those that need what failed", async () => {
    const done = await run(
      notebook(
        "",
        `{ "name": "bad", "method": "eth_getBalance", "params": ["nonsense", "latest"] }`,
        `{ "name": "next", "method": "eth_getCode", "params": ["{{bad.result}}", "latest"] }`,
        `{ "method": "eth_getCode", "params": ["{{next.result}}", "latest"] }`,
        `{ "method": "eth_getBlockByNumber", "params": ["{{bad.error.code}}", false], "expect": { "error.reason": "bad-params" } }`,
        chainIdOf("fine"),
      ),
    );
    assert.deepEqual(summaries(done).slice(1), [
      "✗ not sent: `bad` did not return what this cell refers to.",
      "✗ not sent: `next`, which this cell refers to, was not sent.",
      done.cells[3]?.ok ? `✓ ${done.cells[3].output.reports[0]?.summary}` : "the error is a value like others",
      "✓ 31337, local chain (anvil, Hardhat)",
    ]);
  });

  it("passes on the result of a cell whose expectation failed", async () => {
    const done = await run(
      notebook(
        "",
        `{ "name": "head", "method": "eth_blockNumber", "expect": { "result": { "<": 1 } } }`,
        `{ "method": "eth_getBlockByNumber", "params": ["{{head.result}}", false] }`,
      ),
    );
    assert.deepEqual(pluck(done.cells, "ok"), [false, true]);
    assert.match(done.cells[0]?.output.text ?? "", /Expected result to be less than 1\.\n\s+→ It is "0x/);
  });

  it("takes a failure that is expected as right, and its absence as wrong", async () => {
    const { cells } = await run(
      notebook(
        "",
        `{ "method": "eth_nope", "expect": { "error.code": -32601 } }`,
        `{ "method": "eth_chainId", "expect": { "error.code": -32601 } }`,
        `{ "method": "eth_nope", "expect": { "error.code": 1 } }`,
        `{ "method": "eth_nope", "expect": { "result": 1 } }`,
      ),
    );
    assert.deepEqual(pluck(cells, "ok"), [true, false, false, false]);
  });

  it("never sends cells that refer to each other in a circle", async () => {
    const refer = (name: string, to: string): string =>
      `{ "name": "${name}", "method": "eth_getCode", "params": ["{{${to}.result}}", "latest"] }`;
    const done = await run(
      notebook("", refer("a", "b"), refer("b", "a"), refer("c", "b"), refer("d", "d"), chainIdOf("e")),
    );
    assert.deepEqual(summaries(done), [
      "✗ not sent: These cells refer to each other in a circle: a → b.",
      "✗ not sent: These cells refer to each other in a circle: a → b.",
      "✗ not sent: `b`, which this cell refers to, was not sent.",
      "✗ not sent: This cell refers to itself: d.",
      "✓ 31337, local chain (anvil, Hardhat)",
    ]);
    assert.deepEqual(proxy.methods(), [["eth_chainId"]]);
  });

  it("takes no value of a later cell with the same name, if the first has no answer", async () => {
    const done = await run(
      notebook(
        "",
        `{ "name": "x", "method": "eth_getCode", "params": ["{{x.result}}", "latest"] }`,
        `{ "batch": [${chainIdOf("x")}, ${chainIdOf("other")}] }`,
        `{ "method": "eth_getStorageAt", "params": ["${alice}", "{{other.result}}", "{{x.result}}"] }`,
      ),
    );
    assert.equal(summaries(done).at(-1), "✗ not sent: `x`, which this cell refers to, was not sent.");
  });

  it("says why a placeholder has no value", async () => {
    const refer = (path: string): string => `{ "method": "eth_getCode", "params": ["{{${path}}}", "latest"] }`;
    const done = await run(
      notebook(
        `"variables":{"x":[1,2]},`,
        refer("bob"),
        refer("x[2]"),
        refer("$env.HOME"),
        chainIdOf("c"),
        refer("c.decoded.y"),
      ),
    );
    assert.deepEqual(
      summaries(done).filter((line) => line.startsWith("✗")),
      [
        "✗ not sent: A placeholder has no value: {{bob}}; no variable or cell has the name `bob`.",
        "✗ not sent: A placeholder has no value: {{x[2]}}; `x` is an array of 2.",
        "✗ not sent: A placeholder has no value: {{$env.HOME}}.",
        "✗ not sent: A placeholder has no value: {{c.decoded.y}}; `c.decoded` is null.",
      ],
    );
  });

  describe("that writes", () => {
    const transfer = (value: string): string =>
      `{ "method": "eth_sendTransaction", "params": [{ "from": "${alice}", "to": "${alice}", "value": "${value}" }] }`;
    const asking = (answer: boolean, asked: WriteQuestion[]) => ({
      consent: person({
        allowWrites: async (question: WriteQuestion) => {
          asked.push(question);
          return answer;
        },
      }),
    });

    it("asks once, and sends no write without confirmation", async () => {
      const asked: WriteQuestion[] = [];
      const text = notebook(
        "",
        transfer("0x1"),
        transfer("0x2"),
        `{ "batch": [${chainIdOf("a")}, { "method": "evm_mine" }] }`,
        chainIdOf("b"),
      );
      const done = await run(text, { host: asking(false, asked) });
      assert.deepEqual(
        asked.map(({ writes }) => pluck(writes, "what")),
        [[`Send 1 wei from ${alice} to ${alice}`, `Send 2 wei from ${alice} to ${alice}`, "Run evm_mine"]],
      );
      assert.deepEqual(summaries(done), [
        "✗ not sent: `eth_sendTransaction` broadcasts a transaction, so it needs your confirmation.",
        "✗ not sent: `eth_sendTransaction` broadcasts a transaction, so it needs your confirmation.",
        "✗ not sent: `evm_mine` changes the node, so it needs your confirmation.",
        "✓ 31337, local chain (anvil, Hardhat)",
      ]);
      assert.deepEqual(proxy.methods(), [["eth_chainId"]]);
    });

    it("sends one after the other, in the order of the notebook", async () => {
      const asked: WriteQuestion[] = [];
      const values = ["0x1", "0x2", "0x3", "0x4", "0x5"];
      const done = await run(notebook("", ...values.map(transfer)), { host: asking(true, asked) });
      assert.equal(done.result.failed, 0);
      assert.deepEqual(
        proxy.bodies.map((body) => /"value": "(\w+)"/.exec(body)?.[1]),
        values,
      );
    });

    it("sends nothing to an endpoint that does not say which chain it is", async () => {
      const silent = await hostileServer(({ body }, response) =>
        response.end(
          JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(body).id, error: { code: -32601, message: "no" } }),
        ),
      );
      const text = notebook(`"chainId":"0x7a69",`, transfer("0x1"));
      const done = await runText(text, { endpoint: silent.url, host: asking(true, []) });
      assert.match(summaries(done)[0] ?? "", /^✗ not sent: 127\.0\.0\.1:\d+ does not say which chain it is/);
      assert.equal(silent.seen.length, 1);
    });
  });

  it("sends nothing to another chain than the notebook is for", async () => {
    const { host } = new URL(proxy.url);
    const text = notebook(
      `"chainId":"0x1",`,
      chainIdOf("a"),
      `{ "method": "eth_blockNumber", "endpoint": "${proxy.url}" }`,
    );
    const settings = { rpcNotebook: { endpoint: proxy.url } };
    const done = await runText(text, { host: { settings, approvedHosts: [host] } });
    assert.equal(summaries(done)[0], `✗ not sent: ${host} is chain 31337, and the header says chain 1.`);
    assert.match(summaries(done)[1] ?? "", /^✓/); // its endpoint is its own
    assert.deepEqual(proxy.methods(), [["eth_chainId"], ["eth_blockNumber"]]);
  });

  for (const [chain, said] of [
    ["[1]", "[1]"],
    ['"31337"', '"31337"'],
    ["null", "null"],
    ["true", "true"],
    ["31337.5", "31337.5"],
  ])
    it(`sends nothing if the chain of the notebook is not a number: ${chain}`, async () => {
      const settings = { rpcNotebook: { endpoint: proxy.url } };
      const host = { settings, approvedHosts: [new URL(proxy.url).host] };
      const done = await runText(notebook(`"chainId":${chain},`, `{ "method": "eth_blockNumber" }`), { host });
      assert.ok(summaries(done)[0]?.endsWith(`is chain 31337, and the header says chain ${said}.`), summaries(done)[0]);
      assert.deepEqual(proxy.methods(), [["eth_chainId"]]);
    });

  it("checks both the endpoint's chain and the header's against the actual chain", async () => {
    const text = notebook(`"endpoint":"dev","chainId":"0x1",`, chainIdOf("a"));
    const ran = async (chainId: number): Promise<string | undefined> => {
      const settings = { rpcNotebook: { endpoints: { dev: { url: proxy.url, chainId } } } };
      return summaries(await runText(text, { host: { settings } }))[0];
    };
    assert.equal(await ran(31337), "✗ not sent: dev is chain 31337, and the header says chain 1.");
    assert.equal(await ran(2), "✗ not sent: dev is chain 31337, and the entry of the endpoint says chain 2.");
  });

  it("sends nothing to a host that only the notebook names, and asks for it once", async () => {
    const asked: string[] = [];
    const consent = person({ allowHost: async ({ site }) => asked.push(site) > 99, allowWrites: async () => true });
    const text = notebook(
      `"endpoint":"${proxy.url}/node","chainId":"0x1",`,
      chainIdOf("a"),
      `{ "method": "evm_mine" }`,
    );
    const done = await runText(text, { host: { consent } });
    const { host } = new URL(proxy.url);
    assert.deepEqual(asked, [`http://${host}`]);
    assert.equal(summaries(done)[0], `✗ not sent: Requests to http://${host} (named by the header) are not allowed.`);
    assert.equal(proxy.bodies.length, 0);
  });

  it("does not ask about cells that would not be sent", async () => {
    const consent = person({ allowHost: () => assert.fail("asked"), allowWrites: () => assert.fail("asked") });
    const done = await runText(notebook(`"endpoint":"${proxy.url}",`, `{ "text": ["{ "] }`, `{ "markdown": "x" }`), {
      host: { consent },
    });
    assert.deepEqual(done.result, { ok: 0, failed: 1, cancelled: false });
  });
});
