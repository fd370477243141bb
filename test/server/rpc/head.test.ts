import assert from "node:assert/strict";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { type BlockQuestion, blockFacts, findBlock, findHead, type HeadMemory } from "../../../server/src/rpc/head.ts";
import { clientTo } from "../../support/host.ts";
import { answering, type HostileServer, hostileServer } from "../../support/hostileServer.ts";

const hash = `0x${"ab".repeat(32)}`;
const zero = `0x${"00".repeat(32)}`;

describe("which block an answer is about", () => {
  const cases: readonly (readonly [
    what: string,
    answer: JsonValue,
    number: bigint | undefined,
    hash?: string | undefined,
    timeMs?: number,
  ])[] = [
    ["a number", "0x10", 16n],
    ["a block", { number: "0x10", hash, timestamp: "0x5" }, 16n, hash, 5000],
    ["a block with milliseconds", { number: "0x10", hash, timestamp: "0x5", timestampMs: "0x1450" }, 16n, hash, 5200],
    ["a pending block", { number: "0x10", hash: null, timestamp: "0x5" }, 16n, undefined, 5000],
    ["logs", [{ blockNumber: "0x10", blockHash: hash, blockTimestamp: "0x5" }], 16n, hash, 5000],
    ["pre-confirmed logs", [{ blockNumber: "0x10", blockHash: zero }], 16n],
    ["receipts", [{ blockNumber: "0x10", blockHash: hash }], 16n, hash],
    ["a simulation, of the block beneath", [{ number: "0x11", parentHash: hash, calls: [] }], 16n, hash],
    [
      "a simulation of anvil, which gives the block its own number",
      [{ number: "0x10", parentHash: zero, calls: [] }],
      16n,
    ],
    ["no logs", [], undefined],
    ["null", null, undefined],
    ["a number that no block has", "0x1234567890abcdef1", undefined],
    ["hash in place of a number", hash, undefined],
  ];
  for (const [what, answer, number, of, timeMs] of cases) {
    it(what, () => {
      const facts = blockFacts(answer);
      assert.deepEqual([facts?.number, facts?.hash, facts?.timeMs], [number, of, timeMs]);
    });
  }
});

describe("the head", () => {
  let server: HostileServer;
  let results: Readonly<Record<string, unknown>>;
  const methods = (): readonly string[] =>
    server.seen.flatMap(({ body }) => [JSON.parse(body)].flat().map(({ method }) => method));
  const ask = () => {
    const asker = clientTo(server.url);
    return (questions: readonly BlockQuestion[]) => asker.ask(questions, new AbortController().signal);
  };
  beforeEach(async () => {
    server = await hostileServer(
      answering((method) => results[method], { code: -32601, message: "the method is not available" }),
    );
  });
  afterEach(() => server.close());

  it("costs one request if it is served", async () => {
    results = { eth_blockNumber: "0x10" };
    const memory: HeadMemory = {};
    assert.equal((await findHead(ask(), memory)).facts?.number, 16n);
    assert.deepEqual([methods(), memory], [["eth_blockNumber"], {}]);
  });

  it("is that of a block if only blocks are served, and that is remembered", async () => {
    results = { eth_getBlockByNumber: { number: "0x10", timestamp: "0x5", hash } };
    const memory: HeadMemory = {};
    for (let time = 0; time < 2; time++) assert.equal((await findHead(ask(), memory)).facts?.number, 16n);
    assert.deepEqual(methods(), ["eth_blockNumber", "eth_getBlockByNumber", "eth_getBlockByNumber"]);
  });

  it("is put together from a simulation, receipts and logs, which know more of it", async () => {
    const logs = [{ blockNumber: "0x10", blockHash: hash, blockTimestamp: "0x5" }];
    results = {
      eth_simulateV1: [{ number: "0x11", parentHash: hash, calls: [] }],
      eth_getBlockReceipts: [],
      eth_getLogs: logs,
    };
    const memory: HeadMemory = {};
    const { facts } = await findHead(ask(), memory);
    assert.deepEqual([facts, memory.headBy], [{ number: 16n, hash, timeMs: 5000 }, "eth_simulateV1"]);
  });

  it("at `pending` is not that of a simulation", async () => {
    results = {
      eth_simulateV1: [{ number: "0x11", parentHash: hash, calls: [] }],
      eth_getLogs: [{ blockNumber: "0x12" }],
    };
    assert.equal((await findBlock(ask(), {}, "pending")).facts?.number, 18n);
  });

  it("is not known if nothing is served", async () => {
    results = { eth_chainId: "0x1" };
    const { facts, outcome } = await findHead(ask(), {});
    assert.deepEqual([facts, outcome?.kind], [undefined, "refused"]);
  });
});
