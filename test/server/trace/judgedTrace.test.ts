import assert from "node:assert/strict";
import { startAnvil } from "../../../devchain/anvil.ts";
import { type JsonObject, type JsonValue, printJson } from "../../../server/src/base/json.ts";
import type { BlockQuestion } from "../../../server/src/rpc/head.ts";
import { readTrace } from "../../../server/src/trace/readTrace.ts";
import { log, push, returning, reverting } from "../../support/evm.ts";
import { clientTo } from "../../support/host.ts";
import { callable } from "../../support/randomCalls.ts";
import { traceInThread } from "../../support/traceInThread.ts";
import { type Lie, refusal } from "./anvilBlocks.ts";
import { shown, traceReadings, unserved, words } from "./readings.ts";

const [first = "", second = "", third = ""] = callable;
const { signal } = new AbortController();

describe("a trace that is compared with its endpoint", function () {
  this.timeout(600_000);
  const { read: reading, put } = traceReadings();

  it("is compared with the call itself where a simulation does not say in which block it ran", async () => {
    await put(first, returning(push(1)));
    const calls = [{ returnData: "0x" }, { status: "0x1", gasUsed: "0x1", returnData: words(1n), logs: [] }];
    const lie: Lie = ({ method, params }) =>
      method === "eth_simulateV1" && !JSON.stringify(params).includes("368110") ? [{ calls }] : undefined;
    const found = await reading([{ to: first }, "latest"], { batch: false, lie });
    assert.ok(found.kind === "computed", shown(found));
    assert.deepEqual(found.judged.equal, ["status", "output"]);
  });

  it("is computed again where the simulated block has another coinbase, which is read for less", async () => {
    const other = "ab".repeat(20);
    await put(first, returning(push(BigInt(`0x${other}`)), "31"));
    const lie: Lie = ({ method }, result) =>
      method === "eth_simulateV1"
        ? JSON.parse(JSON.stringify(result), (key, value) =>
            key === "returnData" && value.length > 500
              ? `${value.slice(0, 2 + 2 * 64)}${other.padStart(64, "0")}${value.slice(2 + 3 * 64)}`
              : value,
          )
        : undefined;
    const found = await reading([{ to: first }, "latest"], { lie });
    assert.ok(found.kind === "differs" && found.what === "gas used", shown(found));
  });

  it("is the endpoint's, if it serves traces that can be of a call; else computed, and says why", async () => {
    await put(first, returning(push(1)));
    const found = await reading([{ to: first }, "latest"], { refuses: [] });
    assert.ok(found.kind === "served" && found.unusable === undefined, shown(found));
    for (const lie of [
      { gasUsed: "-0x5" },
      { calls: [null] },
      { calls: [{ type: "CALL", gas: "0xffffffffff", gasUsed: "0x1" }] },
      { type: 5 },
    ]) {
      const other = await reading([{ to: first }, "latest"], {
        refuses: [],
        lie: ({ method }, call) => (method === "debug_traceCall" ? { ...(call as JsonObject), ...lie } : undefined),
      });
      assert.ok(other.kind === "computed" && other.unusable !== undefined, shown(other));
    }
    const none = await reading([{ to: first }, "latest"], {
      refuses: [],
      lie: ({ method }) => (method === "debug_traceCall" ? [] : method === "eth_call" ? words(9n) : undefined),
    });
    assert.ok(none.kind === "failed" && none.unusable !== undefined, shown(none));
  });

  for (const method of ["eth_getBalance", "eth_getCode", "eth_getTransactionCount", "eth_call", "eth_simulateV1"])
    it(`is the endpoint's also if that does not serve ${method}`, async () => {
      await put(first, returning(push(1)));
      for (const memory of [{}, { servesTraceCall: true }]) {
        const lie: Lie = (question) => (question.method === method ? refusal("no such method", -32601) : undefined);
        const found = await reading([{ to: first }, "latest"], { refuses: [], lie, memory });
        assert.ok(found.kind === "served" && found.unusable === undefined, shown(found));
      }
    });

  for (const [what, code, lie, why] of [
    ["returned something else", returning(push(1)), { output: words(2n) }, `the output is ${words(2n)} in it, but`],
    ["returned nothing", returning(push(1)), { output: undefined }, "the output is 0x in it, but"],
    ["failed", returning(push(1)), { error: "out of gas" }, "the status is failed in it, but succeeded in"],
    ["succeeded", reverting(1), { error: undefined }, "the status is succeeded in it, but failed in"],
    ["failed for another reason", reverting(1), { output: words(2n) }, `the output is ${words(2n)} in it, but`],
  ] as const)
    it(`is not the endpoint's if that says in \`eth_call\` otherwise whether or with what the call ended: it ${what}`, async () => {
      await put(first, code);
      const found = await reading([{ to: first }, "latest"], {
        refuses: [],
        lie: ({ method }, call) =>
          method === "debug_traceCall" ? ({ ...(call as JsonObject), ...lie } as JsonObject) : undefined, // of a call
      });
      assert.ok(found.kind === "computed", shown(found));
      assert.ok(found.unusable?.startsWith(why) && found.unusable.endsWith("in `eth_call`"), found.unusable);
    });

  for (const [what, lie, shows] of [
    [
      "a wrong word of storage",
      ({ method }) => (method === "eth_getStorageAt" ? words(9n) : undefined),
      { kind: "differs", what: "output", here: words(10n), there: words(1n) },
    ],
    [
      "code that is cut short",
      ({ method }, result) => (method === "eth_getCode" ? String(result).slice(0, 12) : undefined),
      { kind: "differs", what: "output", here: "0x", there: words(1n) },
    ],
    [
      "text in place of a balance",
      ({ method }) => (method === "eth_getBalance" ? "1 ether" : undefined),
      { kind: "failed", why: "The answer to `eth_getBalance` is not what it should be." },
    ],
    [
      "a word that is too long",
      ({ method }) => (method === "eth_getStorageAt" ? `0x${"1".repeat(66)}` : undefined),
      { kind: "failed", why: "The answer to `eth_getStorageAt` is not what it should be." },
    ],
    [
      "nothing about the block",
      ({ method, params }) => (method === "eth_call" && !JSON.stringify(params).includes('"to"') ? "0x" : undefined),
      {
        kind: "failed",
        why: "Calls of the chain do not say what their block is like: its rules may be from before Cancun.",
      },
    ],
  ] satisfies readonly (readonly [string, Lie, object])[])
    it(`is not shown from an endpoint that gives ${what}`, async () => {
      await put(first, returning(push(1), push(77), "54", "01"));
      assert.deepEqual(await reading([{ to: first }, "latest"], { lie }), shows);
    });

  for (const method of ["eth_call", "eth_estimateGas", "eth_simulateV1"])
    it(`is refused by rules that are not known yet: ${method}`, async () => {
      await put(first, returning(push(1)));
      const amsterdam = (key: string, value: unknown): unknown =>
        key === "returnData" && String(value).length > 500 ? `${String(value).slice(0, -1)}1` : value;
      const lie: Lie = ({ method: asked, params }, result) =>
        asked === "eth_call" && !JSON.stringify(params).includes('"to"')
          ? `${String(result).slice(0, -1)}1`
          : asked === "eth_simulateV1"
            ? JSON.parse(printJson(result), amsterdam)
            : undefined;
      const call = { to: first };
      const params: JsonValue =
        method === "eth_simulateV1" ? [{ blockStateCalls: [{ calls: [call] }] }, "latest"] : [call, "latest"];
      const found = await reading(params, { method, lie });
      assert.deepEqual(found, { kind: "failed", why: "The chain follows rules that are not known yet." });
      assert.equal((await reading(params, { method })).kind, "computed");
    });

  it("is not shown if the block was replaced in the middle", async () => {
    await put(first, returning(push(1)));
    let times = 0;
    const lie: Lie = ({ method }, block) =>
      method === "eth_getBlockByNumber" ? { ...(block as JsonObject), hash: words(BigInt(++times)) } : undefined;
    const found = await reading([{ to: first }, "latest"], { lie });
    assert.deepEqual(found, { kind: "failed", why: "The block was replaced while its state was read." });
  });

  it("finds wrong gas and a wrong log by a simulation, which plain calls do not show", async () => {
    await put(first, log(1, 2), returning(push(1)));
    const cold: Lie = ({ method }, result) => {
      if (method !== "eth_simulateV1") return undefined;
      const text = JSON.stringify(result, (_, value) => (typeof value === "bigint" ? Number(value) : value));
      return JSON.parse(text.replaceAll(words(2n), words(3n)));
    };
    const found = await reading([{ to: first }, "latest"], { lie: cold });
    assert.deepEqual(found.kind === "differs" && found.what, "log 1");
  });

  it("is not shown where only the call itself can say that it is wrong: the endpoint simulates nothing", async () => {
    await put(first, returning(push(1), push(77), "54", "01"));
    const lie: Lie = ({ method }) => (method === "eth_getStorageAt" ? words(9n) : undefined);
    const found = await reading([{ to: first }, "latest"], { lie, refuses: [...unserved, "eth_simulateV1"] });
    assert.equal(found.kind === "differs" && found.what, "output", shown(found));
  });

  for (const [method, sent] of [
    ["eth_getBlockByNumber", 1],
    ["eth_getCode", 2],
  ] as const)
    it(`sends nothing after it was cancelled: ${method}`, async () => {
      await put(first, returning(push(1), push(77), "54", "01"));
      const cancel = new AbortController();
      const asked: BlockQuestion[][] = [];
      const lie: Lie = (question) => {
        if (question.method === method) cancel.abort();
        return undefined;
      };
      const found = await reading([{ to: first }, "latest"], { asked, lie, signal: cancel.signal });
      assert.equal(found.kind, "failed");
      assert.equal(asked.length, sent);
    });

  it("says what was not compared, if the endpoint simulates nothing", async () => {
    await put(first, reverting(1));
    const found = await reading([{ to: first }, "latest"], { refuses: [...unserved, "eth_simulateV1"] });
    assert.deepEqual(found.kind === "computed" && found.judged.equal, ["status", "output"]);
  });

  it("ends where state is without end: each word leads to the next", async () => {
    // JUMPDEST, read the slot on the stack, and go on with its hash
    await put(third, [push(1)], ["5b", "80", "54", "50", push(0), "52", push(32), push(0), "20", push(2), "56"]);
    const found = await reading([{ to: third, gas: "0xffffff" }, "latest"]);
    assert.equal(found.kind, "failed");
  });

  for (const [params, why] of [
    [[{ to: first }, `0x${"ab".repeat(32)}`], "A block is read by its number, not by its hash."],
    [
      [{ to: first }, { blockHash: `0x${"ab".repeat(32)}` }],
      "Only a block that is named by its number or a tag is read.",
    ],
    [[{ to: first }, "0x99999"], /./],
    [[{ to: "0x1" }, "latest"], "The call has a form that is not known."],
    [[{ to: first, authorizationList: [] }, "latest"], "Calls with authorizations or blobs are not traced yet."],
    [[{ to: first }, "latest", { [first]: { movePrecompileToAddress: second } }], /overrides/],
    [["x"], "The request is not a call."],
    [[{ to: first, from: second, value: "0x1" }, "latest"], "The call is not computed: its sender cannot pay for it."],
    [[{ to: first, gas: "0x1" }, "latest"], /its gas is less/],
    [[{ to: first, gas: "0x3b9aca01" }, "latest"], "A call with more than 1,000,000,000 gas is not traced."],
  ] satisfies readonly (readonly [JsonValue, string | RegExp])[])
    it(`is refused for ${JSON.stringify(params).replaceAll(first, "…").slice(0, 60)}`, async () => {
      const found = await reading(params);
      assert.ok(found.kind === "failed", found.kind);
      if (typeof why === "string") assert.equal(found.why, why);
      else assert.match(found.why, why);
    });
});

describe("a trace on a chain with rules from before Cancun", () => {
  it("says so, whatever the words of the node are", async () => {
    const anvil = await startAnvil({ genesisTime: 1_750_000_000, hardfork: "shanghai" });
    const client = clientTo(`http://${anvil.host}`);
    const host = {
      ...{ refuses: unserved, memory: {}, batch: undefined, openTracer: traceInThread, signal },
      ask: (questions: readonly BlockQuestion[]) => client.ask(questions, signal),
    };
    const requests: readonly (readonly [string, JsonValue])[] = [
      ["eth_call", { to: first }],
      ["eth_simulateV1", { blockStateCalls: [{ calls: [{ to: first }] }] }],
    ];
    for (const [method, request] of requests) {
      const found = await readTrace({ method, params: [request, "latest"] }, host);
      assert.ok(found.kind === "failed" && /Cancun/.test(found.why), shown(found));
    }
    await anvil.kill();
  });
});
