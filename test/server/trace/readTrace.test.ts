import assert from "node:assert/strict";
import fc from "fast-check";
import { ask } from "../../../devchain/anvil.ts";
import { type JsonObject, type JsonValue, printJson } from "../../../server/src/base/json.ts";
import { readTrace } from "../../../server/src/trace/readTrace.ts";
import { unusableWhy } from "../../../server/src/trace/servedFrames.ts";
import { times } from "../../support/depth.ts";
import { type Code, program, push, returning } from "../../support/evm.ts";
import { clientTo } from "../../support/host.ts";
import { callable, payer, randomCall } from "../../support/randomCalls.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { traceInThread } from "../../support/traceInThread.ts";
import type { Lie } from "./anvilBlocks.ts";
import { corrected, deploy, lines, request } from "./anvilCalls.ts";
import { shown, traceReadings, unserved, words } from "./readings.ts";

const [first = "", second = ""] = callable;
const { signal } = new AbortController();

describe("a trace that is read", function () {
  this.timeout(600_000);
  const { read: reading, put, anvil } = traceReadings();

  it("is the node's own, and equals what the endpoint says: no false alarm", async () => {
    await fc.assert(
      fc.asyncProperty(randomCall, async (random) => {
        await deploy(anvil, random);
        const found = await reading([request(random), "latest"]);
        const inBulk = await reading([request(random), "latest"], { batch: false });
        assert.equal(found.kind, "computed", shown(found));
        if (found.kind !== "computed") return;
        assert.deepEqual(inBulk.kind === "computed" && inBulk.trace, found.trace, shown(inBulk));
        const config = { tracer: "callTracer", tracerConfig: { withLog: true } };
        const whole = await ask<JsonObject>(anvil, "debug_traceCall", [request(random), "latest", config]);
        assert.equal(unusableWhy(whole), undefined);
        const served = await reading([request(random), "latest"], { refuses: [] });
        assert.ok(served.kind === "served" && served.unusable === undefined, shown(served));
        const ours = lines(found.trace.calls[0]?.call ?? {});
        assert.deepEqual(ours, corrected(lines(whole), ours));
        // anvil simulates no creation
        const gas = random.to === undefined ? [] : ["gas", "logs"];
        assert.deepEqual(found.judged.equal, ["status", "output", ...gas]);
      }),
      { numRuns: times(150, 15) },
    );
  });

  it("of a simulation equals what the endpoint says of each call, which finds what those before it left", async () => {
    const several = fc.tuple(randomCall, fc.array(fc.constantFrom(...callable), { minLength: 1, maxLength: 3 }));
    await fc.assert(
      fc.asyncProperty(several, async ([random, others]) => {
        await deploy(anvil, random);
        const asked = { ...random, to: random.to ?? first, gas: 1_000_000n };
        const calls = [asked, ...others.map((to) => ({ ...asked, to }))].map(request);
        const found = await reading([{ blockStateCalls: [{ calls }] }, "latest"], { method: "eth_simulateV1" });
        assert.equal(found.kind, "computed", shown(found));
        if (found.kind !== "computed") return;
        assert.deepEqual(found.judged.equal, ["status", "output", "gas", "logs"]);
        assert.equal(found.trace.calls.length, calls.length);
      }),
      { numRuns: times(100, 10) },
    );
  });

  it("of a simulation changes what the calls together leave, with its overrides", async () => {
    await put(first, ["60015460010160015500"]);
    const stateOverrides = { [first]: { stateDiff: { [words(1n)]: words(7n) } } };
    const calls = [{ to: first }, { to: first }, { to: first }];
    const found = await reading([{ blockStateCalls: [{ stateOverrides, calls }] }, "latest"], {
      method: "eth_simulateV1",
    });
    assert.ok(found.kind === "computed", shown(found));
    assert.deepEqual(found.trace.changes, [{ address: first, slot: words(1n), before: words(7n), after: words(10n) }]);
    const lie: Lie = ({ method }, result) =>
      method === "eth_simulateV1"
        ? JSON.parse(printJson(result).replaceAll('"status":"0x1"', '"status":"0x0"'))
        : undefined;
    const other = await reading([{ blockStateCalls: [{ calls }] }, "latest"], { method: "eth_simulateV1", lie });
    assert.deepEqual(other, { kind: "differs", what: "status of call 1", here: "succeeded", there: "failed" });
  });

  for (const [simulation, why] of [
    [{ blockStateCalls: [{ calls: [{ to: first }] }, { calls: [] }] }, "Only a simulation of one block is traced."],
    [{ blockStateCalls: [{ calls: [] }] }, "The simulation has no calls."],
    [
      { blockStateCalls: [{ calls: [{ to: first }] }], validation: true },
      "A simulation with `validation` is not traced yet.",
    ],
    [
      { blockStateCalls: [{ calls: [{ to: first, gasPrice: "0x1" }] }] },
      "A simulation whose calls pay for gas is not traced yet.",
    ],
  ] satisfies readonly (readonly [JsonValue, string])[])
    it(`of a simulation is refused: ${why}`, async () =>
      assert.deepEqual(await reading([simulation, "latest"], { method: "eth_simulateV1" }), { kind: "failed", why }));

  it("follows the overrides of a call, also its time", async () => {
    await put(first, ["42"], returning(push(0), "54", "01"));
    const state = { [first]: { stateDiff: { [words(0n)]: words(7n) } } };
    const found = await reading([{ to: first }, "latest", state, { time: "0x6fffffff" }]);
    assert.ok(found.kind === "computed", shown(found));
    assert.equal(found.trace.calls[0]?.output, words(0x6fffffffn + 7n));
    assert.deepEqual(found.judged.equal.slice(0, 2), ["status", "output"]);
  });

  it("follows overrides of a balance, a nonce and all storage", async () => {
    await ask(anvil, "anvil_setStorageAt", [first, words(1n), words(9n)]);
    const balance: Code = [push(BigInt(second)), "31"];
    const created: Code = [push(0), push(0), push(0), "f0"];
    for (const [code, override] of [
      [balance, { [second]: { balance: "0x7" } }],
      [created, { [first]: { nonce: "0x9" } }],
      [[push(1), "54"], { [first]: { state: { [words(5n)]: words(1n) } } }],
    ] as const) {
      await put(first, returning(...code));
      const found = await reading([{ to: first }, "latest", override]);
      assert.ok(found.kind === "computed", shown(found));
      assert.deepEqual(found.judged.equal.slice(0, 2), ["status", "output"]);
    }
  });

  it("runs what pays for its gas", async () => {
    await ask(anvil, "anvil_setBalance", [payer, "0xde0b6b3a7640000"]);
    await put(first, returning("33", "31"));
    const fees = { from: payer, gas: "0x186a0", gasPrice: "0x77359400" }; // with maxFeePerGas, anvil takes less than GASPRICE says
    const found = await reading([{ to: first, ...fees }, "latest"]);
    assert.ok(found.kind === "computed", shown(found));
  });

  it("of `pending` is read again if the state that was read does not fit together", async () => {
    await put(first, returning(push(77), "54"));
    let moves = 0;
    const moving: Lie = ({ method }) => (method === "eth_getStorageAt" ? words(moves++ < 2 ? 9n : 0n) : undefined);
    const found = await reading([{ to: first }, "pending"], { lie: moving });
    assert.ok(found.kind === "computed" && found.isPending, shown(found));
    assert.deepEqual(found.judged.equal, ["status", "output", "gas", "logs"]);
    const always: Lie = ({ method }) => (method === "eth_getStorageAt" ? words(9n) : undefined);
    assert.equal((await reading([{ to: first }, "pending"], { lie: always })).kind, "differs");
  });
});

describe("a trace of a call that reads its block", () => {
  const chain = sharedChain({ sealEveryMs: 0 });

  it("is compared in the next block, where the hash of this one can be read", async () => {
    await chain.seal();
    const hashBefore = program([push(1), "43", "03", "40", "5f", "52", push(32), "5f", "f3"]); // BLOCKHASH(NUMBER - 1)
    const client = clientTo(chain.url);
    const params = [{ to: first }, "latest", { [first]: { code: hashBefore } }];
    const found = await readTrace(
      { method: "eth_call", params },
      {
        ...{ refuses: unserved, memory: {}, batch: undefined, openTracer: traceInThread, signal },
        ask: (questions) => client.ask(questions, signal),
      },
    );
    assert.deepEqual(
      found.kind === "computed" && found.judged.equal,
      ["status", "output", "gas", "logs"],
      shown(found),
    );
  });
});
