import assert from "node:assert/strict";
import fc from "fast-check";
import { type Anvil, ask, startAnvil } from "../../../devchain/anvil.ts";
import { type JsonObject, type JsonValue, printJson } from "../../../server/src/base/json.ts";
import type { BackgroundClient } from "../../../server/src/gate/backgroundClient.ts";
import type { BlockQuestion } from "../../../server/src/rpc/head.ts";
import type { Outcome } from "../../../server/src/rpc/outcome.ts";
import type { EndpointMemory } from "../../../server/src/rpc/send.ts";
import { readTrace, type TraceReading } from "../../../server/src/trace/readTrace.ts";
import { times } from "../../support/depth.ts";
import { type Code, calling, log, passingOn, program, push, returning, reverting } from "../../support/evm.ts";
import { clientTo } from "../../support/host.ts";
import { callable, payer, randomCall } from "../../support/randomCalls.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { traceInThread } from "../../support/traceInThread.ts";
import { corrected, deploy, lines, request } from "./anvilCalls.ts";

const [first = "", second = "", third = ""] = callable;
const { signal } = new AbortController();
const unserved = ["debug_traceCall", "eth_createAccessList"];

/** Changes what an endpoint answers. */
type Lie = (question: BlockQuestion, result: JsonValue) => JsonValue | undefined;

function shown(found: TraceReading): string {
  return printJson(found as unknown as JsonValue); // it consists of JSON
}

describe("a trace that is read", function () {
  this.timeout(600_000);
  let anvil: Anvil;
  let client: BackgroundClient;
  before(async () => {
    anvil = await startAnvil({ genesisTime: 1_750_000_000 });
    await ask(anvil, "anvil_mine", ["0x5"]);
    client = clientTo(`http://${anvil.host}`);
  });
  after(() => anvil?.kill());

  interface Given {
    readonly refuses?: readonly string[];
    readonly lie?: Lie;
    readonly method?: string;
    readonly batch?: number | false;
    readonly asked?: BlockQuestion[][];
    readonly memory?: EndpointMemory;
  }

  function reading(params: JsonValue, given: Given = {}): Promise<TraceReading> {
    const { refuses = unserved, lie, method = "eth_call", asked, batch, memory = {} } = given;
    return readTrace({ method, params }, { refuses, memory, batch, openTracer: traceInThread, ask: asking, signal });
    async function asking(questions: readonly BlockQuestion[]): Promise<readonly Outcome[]> {
      asked?.push([...questions]);
      const outcomes = await client.ask(questions, signal);
      return outcomes.map((outcome, at) => {
        const question = questions[at];
        if (outcome.kind !== "answered" || !question || !lie) return outcome;
        const value = lie(question, outcome.result.value);
        return value === undefined ? outcome : { ...outcome, result: { value, text: "" } };
      });
    }
  }
  function put(address: string, ...code: readonly Code[]): Promise<unknown> {
    return ask(anvil, "anvil_setCode", [address, program(...code)]);
  }
  const words = (value: bigint): string => `0x${value.toString(16).padStart(64, "0")}`;

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

  it("takes two messages more than its rounds, and one list of what it needs", async () => {
    const loads = Array.from({ length: 20 }, (_, slot): Code => [push(slot), "54", "50"]);
    await put(second, ...loads, returning(push(1)));
    await put(first, calling({ to: second }), passingOn);
    const call = [{ to: first }, "latest"];
    const asked: BlockQuestion[][] = [];
    const guessing = await reading(call, { asked });
    const listing = await reading(call, { refuses: ["debug_traceCall"] });
    assert.ok(guessing.kind === "computed" && listing.kind === "computed");
    assert.deepEqual([guessing.rounds, listing.rounds], [5, 3]);
    const state = asked.flat().filter(({ method }) => !/^eth_(?:call|simulateV1|getBlockByNumber)$/.test(method));
    assert.equal(new Set(state.map((one) => JSON.stringify(one))).size, state.length, "each value is read once");
    assert.ok(
      state.every(({ params }) => params.at(-1) === "0x5"),
      "at one block",
    );
  });

  it("takes five requests at a service of nine methods where each is a message: twelve contracts with five words each", async () => {
    const contracts = Array.from({ length: 12 }, (_, at) => `0x${`b0de00${10 + at}`.repeat(5)}`);
    const loads: Code = [1, 2, 3, 4, 5].flatMap((slot) => [push(slot), "54", "50"]);
    for (const address of contracts) {
      const others = address === contracts[0] ? contracts.slice(1).flatMap((to) => calling({ to })) : [];
      await put(address, loads, others, returning(push(1), "54"));
      await ask(anvil, "anvil_setStorageAt", [address, words(1n), words(7n)]);
    }
    const asked: BlockQuestion[][] = [];
    const memory = { headBy: "eth_simulateV1" } as const;
    const found = await reading([{ to: contracts[0] ?? "" }, "latest"], { batch: false, memory, asked, refuses: [] });
    assert.ok(found.kind === "computed", shown(found));
    assert.deepEqual(found.judged.equal, ["status", "output", "gas", "logs"]);
    assert.ok(
      asked.flat().length <= 5,
      asked
        .flat()
        .map(({ method }) => method)
        .join(),
    );
  });

  it("takes fewer rounds for a function that was traced before, and reads its values anew", async () => {
    // reads the slot that is the argument, and the slot that is named there
    await put(second, returning(push(4), "35", "54", "54"));
    const data = (slot: number): string => `0x12345678${slot.toString(16).padStart(64, "0")}`;
    const set = (slot: bigint, value: bigint) => ask(anvil, "anvil_setStorageAt", [second, words(slot), words(value)]);
    await set(5n, 6n);
    await set(6n, 7n);
    const memory = {};
    const given = { memory, refuses: unserved };
    const first = await reading([{ to: second, data: data(5) }, "latest"], given);
    await set(6n, 8n);
    const asked: BlockQuestion[][] = [];
    const again = await reading([{ to: second, data: data(5) }, "latest"], { ...given, asked });
    const other = await reading([{ to: second, data: data(6) }, "latest"], given);
    assert.ok(first.kind === "computed" && again.kind === "computed" && other.kind === "computed", shown(again));
    assert.deepEqual(
      [first, again, other].map(({ trace }) => BigInt(trace.calls[0]?.output ?? 0)),
      [7n, 8n, 0n],
    );
    assert.ok(again.rounds < first.rounds, `${again.rounds} of ${first.rounds}`);
    assert.ok(other.rounds <= first.rounds);
  });

  /** A contract that calls twenty others, each of which reads three slots. */
  async function putMany(): Promise<void> {
    const others = Array.from({ length: 20 }, (_, at) => `0x${(0xabcd0000 + at).toString(16).repeat(5)}`);
    const loads = [1, 2, 3].map((slot): Code => [push(slot), "54", "50"]);
    for (const [at, other] of others.entries()) await put(other, ...loads, returning(push(at)));
    await put(first, ...others.map((to) => calling({ to })), returning(push(1)));
  }

  it("of calls to more contracts than are guessed at once is whole", async () => {
    await putMany();
    const found = await reading([{ to: first }, "latest"]);
    assert.ok(found.kind === "computed", shown(found));
    const calls = found.trace.calls[0]?.call.calls as readonly JsonValue[] | undefined;
    assert.equal(calls?.length, 20);
    assert.ok(found.rounds <= 7, String(found.rounds));
  });

  it("reads with few requests where messages hold few: by a simulation, or singly if that is refused", async () => {
    await putMany();
    const found = await reading([{ to: first }, "latest"], { batch: false });
    assert.ok(found.kind === "computed", shown(found));
    assert.ok(found.requests < 20, String(found.requests));
    const short: Lie = ({ method, params }) =>
      method === "eth_simulateV1" && JSON.stringify(params).includes("368110") ? [] : undefined; // code that reads
    const singly = await reading([{ to: first }, "latest"], { batch: false, lie: short });
    assert.ok(singly.kind === "computed" && singly.requests > 100, shown(singly));
    assert.deepEqual(singly.trace, found.trace);
  });

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

  it("reads the nonce of an account that creates a contract by it", async () => {
    await ask(anvil, "anvil_setNonce", [first, "0x2a"]);
    const created: Code = [push(0), push(0), push(0), "f0"];
    await put(first, returning(...created));
    const asked: BlockQuestion[][] = [];
    const found = await reading([{ to: first }, "latest"], { batch: 1, asked });
    assert.ok(found.kind === "computed", shown(found));
    const nonces = asked.flat().filter(({ method }) => method === "eth_getTransactionCount");
    assert.equal(nonces[0]?.params[0], first);
    await ask(anvil, "anvil_setNonce", [first, "0x1"]);
  });

  it("is the endpoint's, if it serves traces", async () => {
    await put(first, returning(push(1)));
    const found = await reading([{ to: first }, "latest"], { refuses: [] });
    assert.equal(found.kind, "served");
  });

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
