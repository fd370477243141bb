import assert from "node:assert/strict";
import type { JsonValue } from "../../../../server/src/base/json.ts";
import { openMask } from "../../../../server/src/base/mask.ts";
import { readEndpoint } from "../../../../server/src/endpoints/endpoint.ts";
import type { CaseFacts } from "../../../../server/src/report/caseFacts.ts";
import type { Outcome } from "../../../../server/src/rpc/outcome.ts";
import { ownRequest } from "../../../../server/src/rpc/wire.ts";
import { type CaseHost, CaseReader } from "../../../../server/src/run/observe/caseReader.ts";
import { maskedFacts } from "../../../../server/src/run/observe/maskFound.ts";
import { caseJson, caseNotebook, readCase, sendTransaction } from "../../../support/cases.ts";
import { countingProxy } from "../../../support/countingProxy.ts";
import { expectLinear } from "../../../support/growth.ts";
import { person, runText } from "../../../support/host.ts";
import { answering, type HostileServer, hostileServer } from "../../../support/hostileServer.ts";
import { sharedChain } from "../../../support/sharedChain.ts";

const hash = `0x${"ab".repeat(32)}`;
const place = { blockHash: `0x${"cd".repeat(32)}`, blockNumber: "0x64", transactionIndex: "0x0" };
const [from, to] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`];
const transaction = { hash, ...place, from, to, nonce: "0x7", gas: "0x5208", value: "0xa", input: "0x", type: "0x2" };
const receipt = {
  transactionHash: hash,
  ...place,
  from,
  to,
  status: "0x1",
  gasUsed: "0x5208",
  effectiveGasPrice: "0x3b9aca00",
  logs: [],
};
const block = { number: "0x64", hash: place.blockHash, timestamp: "0x67000000", transactions: [] };

type Results = Readonly<Record<string, unknown>>;

async function withAnswers<Result>(results: Results, use: (server: HostileServer) => Promise<Result>): Promise<Result> {
  const all: Results = {
    eth_chainId: "0xa",
    eth_getTransactionByHash: transaction,
    eth_getTransactionReceipt: receipt,
    eth_getBlockByNumber: block,
    ...results,
  };
  const server = await hostileServer((seen, response, socket) => {
    const isSymbol = seen.body.includes("0x95d89b41"); // asked for together with the decimals
    const both = isSymbol ? [`0x${"6".padStart(64, "0")}`, all.symbol] : [];
    answering((method) => (method === "eth_call" && both.length > 0 ? both.shift() : (all[method] ?? null)))(
      seen,
      response,
      socket,
    );
  });
  return await use(server);
}

/** The facts of a transaction in block 100. */
const known: CaseFacts = {
  hash,
  place: { endpoint: "a", host: "a", chainId: 10n, others: [], kind: "ordinary", blockMs: 100 },
  transaction,
  receipt,
  block: { number: 100n, timeMs: 100, hash: place.blockHash },
  heads: { latest: 100n, safe: 100n, finalized: undefined },
  nonces: { latest: 100n, pending: 100n },
  replacement: undefined,
  trace: undefined,
  reread: undefined,
  gaps: [],
  life: [{ name: "block", how: "block", at: 100 }],
};

const caseWith = (results: Results) => withAnswers(results, ({ url }) => readCase(url, hash));

describe("a case from answers of all kinds", () => {
  it("splits the fee of an OP Stack chain", async () => {
    const { text, json } = await caseWith({ eth_getTransactionReceipt: { ...receipt, l1Fee: "0x71afd498d0000" } });
    assert.equal(BigInt(json.gas.fee ?? 0), 21_000n * 1_000_000_000n + 0x71afd498d0000n);
    assert.match(text, /L1 part +0\.002 ether, ≈99% of the fee/);
    assert.equal(
      json.balanceChanges[0]?.change,
      `-0x${(21_000n * 1_000_000_000n + 0x71afd498d0000n + 10n).toString(16)}`,
    );
  });
  it("takes the gas of the first call from the receipt, where anvil counts the transactions before it", async () => {
    const call = { type: "CALL", from, to, gas: "0x5208", input: "0x" };
    const trace = { ...call, gasUsed: "0x2f0b8", calls: [{ ...call, gasUsed: "0x64" }] };
    const { text } = await caseWith({ debug_traceTransaction: trace });
    assert.match(text, /21,000 gas in 2 calls/);
    assert.doesNotMatch(text, /192,696/);
  });
  it("shows a deposit from layer 1, with what it mints", async () => {
    const deposit = { ...transaction, type: "0x7e", mint: "0x64", sourceHash: hash };
    const { text, json } = await caseWith({
      eth_getTransactionByHash: deposit,
      eth_getTransactionReceipt: { ...receipt, effectiveGasPrice: "0x0" },
    });
    assert.match(json.what, /^deposit from layer 1: the zero address sent/);
    assert.deepEqual(
      json.balanceChanges.map(({ address, change }) => [address, change]),
      [
        [from, "0x5a"],
        [to, "0xa"],
      ],
    );
    assert.match(text, /deposit/);
  });
  for (const [what, answers, gap] of [
    [
      "receipt",
      { eth_getTransactionReceipt: { ...receipt, transactionHash: place.blockHash, status: "0x0" } },
      "the receipt",
    ],
    [
      "transaction",
      { eth_getTransactionByHash: { ...transaction, hash: place.blockHash, value: "0xffff" } },
      "the transaction",
    ],
  ] as const)
    it(`does not take the ${what} of another transaction`, async () => {
      const { json, text } = await caseWith(answers);
      assert.match(text, new RegExp(`Not known: ${gap}, from \\w+\\. The answer is of another transaction\\.`));
      assert.doesNotMatch(text.replace(/Raw JSON[\s\S]*/, ""), /65535|[Rr]everted/);
      assert.deepEqual(json.gaps.map(({ what: part }) => part).slice(0, 1), [gap]);
    });
  it("does not take the time of another block", async () => {
    const { json } = await caseWith({ eth_getBlockByNumber: { ...block, number: "0x1", timestamp: "0x1" } });
    assert.equal(json.block, "0x64");
    assert.ok(json.gaps.some(({ why }) => why === "The answer is of another block."));
  });
  it("keeps its numbers beside a secret with the same digits", () => {
    const mask = openMask();
    for (const secret of ["100", "0x64", from]) mask.add(secret, "{{secret}}");
    const facts = maskedFacts(known, mask);
    assert.deepEqual([facts.block, facts.heads, facts.place.chainId], [known.block, known.heads, 10n]);
    assert.equal(facts.receipt?.blockNumber, "{{secret}}");
  });
  /** Reads the case as `results` then are; a method without one is not answered. */
  async function read(results: Readonly<Record<string, JsonValue>>): Promise<{ reader: CaseReader; host: CaseHost }> {
    const exchange = { startedAt: 0, durationMs: 0 } as Outcome["exchange"]; // nothing else of it is read
    const answered = (value: JsonValue): Outcome => ({ kind: "answered", result: { value, text: "" }, exchange });
    const { endpoint } = readEndpoint("x", "http://127.0.0.1:1");
    assert.ok(endpoint);
    const host: CaseHost = {
      client: {
        memory: {}, // of an endpoint that was not asked before
        endpoint,
        ask: async (questions) =>
          questions.some(({ method }) => method === "debug_traceTransaction")
            ? new Promise(() => {})
            : questions.map(({ method }) => answered(results[method] ?? null)),
      },
      place: () => known.place,
      signal: new AbortController().signal,
    };
    const clock = { now: () => 0, date: () => 0, sleep: () => new Promise<void>((over) => setImmediate(over)) };
    const reader = new CaseReader(hash, host, clock, false);
    const [method, params] = ["eth_getTransactionByHash", [hash]];
    reader.begin(method);
    await reader.complete({ ...ownRequest(method, params), returns: undefined }, answered(transaction));
    return { reader, host };
  }
  it("says how long it waited for a trace", async () => {
    const { reader } = await read({ eth_getTransactionReceipt: receipt, eth_getBlockByNumber: block });
    assert.deepEqual(reader.facts.gaps, [
      { what: "the calls inside", method: "debug_traceTransaction", why: "No answer within 10 s." },
    ]);
  });
  for (const [number, isKept] of [
    ["0x63", true],
    ["0x64", false],
  ] as const)
    it(`${isKept ? "keeps" : "drops"} a receipt of block 0x64 that is gone at head ${number}`, async () => {
      const results: Record<string, JsonValue> = { eth_getTransactionReceipt: receipt, eth_getBlockByNumber: block };
      const { reader, host } = await read(results);
      results.eth_getTransactionReceipt = null;
      results.eth_getTransactionByHash = transaction;
      results.eth_getBlockByNumber = { ...block, number };
      await reader.again(host);
      assert.equal(reader.facts.receipt !== undefined, isKept);
    });
  it("does not take another object as the trace", async () => {
    const { json } = await caseWith({ debug_traceTransaction: { structLogs: [] } });
    assert.equal(json.movements.length, 1);
    assert.ok(json.gaps.some(({ method }) => method === "debug_traceTransaction"));
  });
  it("shows times before and after all calendars", async () => {
    for (const timestamp of [-1e15, 1e15, "0xffffffffffffffff"])
      assert.equal((await caseWith({ eth_getBlockByNumber: { ...block, timestamp } })).json.status, "succeeded");
  });
  it("compares revert data of very many calls in a short time", () =>
    expectLinear(30_000, async (size) => {
      const call = (over: object) => ({
        type: "CALL",
        from,
        to,
        gas: "0x9",
        gasUsed: "0x1",
        input: "0x",
        output: "0x",
        ...over,
      });
      const failed = call({ error: "execution reverted", output: "0xdeadbeef" });
      const calls = [...Array.from({ length: size }, () => failed), call({})];
      await caseWith({
        eth_getTransactionReceipt: { ...receipt, status: "0x0" },
        debug_traceTransaction: call({ error: "execution reverted", output: `0x${"ab".repeat(size * 33)}`, calls }),
      });
    }));
  it("finds the transaction that took the nonce, if the node still has the old one", async () => {
    const other = { ...transaction, hash: `0x${"ef".repeat(32)}` };
    const { json, text } = await caseWith({
      eth_getTransactionByHash: { ...transaction, blockHash: null, blockNumber: null },
      eth_getTransactionReceipt: null,
      eth_getTransactionCount: "0x8",
      eth_getBlockByNumber: { ...block, transactions: [other] },
    });
    assert.equal(json.status, "replaced");
    assert.deepEqual(json.replacedBy, { hash: other.hash, block: "0x64" });
    assert.match(text, /Nonce 7 of 0x\w+ is used by another transaction, in block 100/);
  });
  it("says how many blocks were searched for it", async () => {
    const { text, json } = await caseWith({
      eth_getTransactionByHash: { ...transaction, blockHash: null, blockNumber: null },
      eth_getTransactionReceipt: null,
      eth_getTransactionCount: "0x8",
    });
    assert.equal(json.replacedBy, null);
    assert.match(text, /It is not in the last 16 blocks\./);
  });
  it("shows a hostile name of a token as plain text", async () => {
    const name = "\u202eETH\u001b[31m\n<b>";
    const symbol = Buffer.from(name).toString("hex");
    const words = ["20", (symbol.length / 2).toString(16)].map((one) => one.padStart(64, "0")).join("");
    const { text } = await caseWith({
      symbol: `0x${words}${symbol.padEnd(64, "0")}`,
      eth_getTransactionReceipt: {
        ...receipt,
        logs: [
          {
            address: to,
            topics: [
              "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
              `0x${from.slice(2).padStart(64, "0")}`,
              `0x${to.slice(2).padStart(64, "0")}`,
            ],
            data: `0x${"5".padStart(64, "0")}`,
            logIndex: "0x0",
            ...place,
          },
        ],
      },
    });
    assert.match(text, /ETH/);
    assert.doesNotMatch(text, /[\u202e\u001b]/);
  });
  it("survives answers that are not what they should be", async () => {
    for (const wrong of [
      [],
      5,
      "text",
      { status: {}, logs: 7, from: [], blockNumber: "x" },
      { calls: "no", error: {} },
    ])
      for (const method of [
        "eth_getTransactionByHash",
        "eth_getTransactionReceipt",
        "eth_getBlockByNumber",
        "debug_traceTransaction",
      ]) {
        const { text } = await caseWith({ [method]: wrong });
        assert.doesNotMatch(text, /undefined|\[object|at \w+ \(/, `${method}: ${JSON.stringify(wrong)}`);
      }
  });

  describe("beside the request", () => {
    const chain = sharedChain();

    const messagesOf = async (path: string, rate?: number): Promise<readonly (readonly string[])[]> => {
      const { alice, bob } = chain.accounts;
      const sent = await sendTransaction(chain, { from: alice.address, to: bob.address, value: "0x1" });
      await chain.seal();
      const proxy = await countingProxy(`${chain.url}${path}`);
      const endpoints = { counted: { url: proxy.url, chainId: chain.chainId, ...(rate !== undefined && { rate }) } };
      const { cells } = await runText(caseNotebook(sent), {
        endpoint: "counted",
        host: {
          consent: person({ allowHost: async () => true }),
          settings: { rpcNotebook: { endpoints, tokenLookup: false } },
        },
      });
      assert.ok(cells[0] && caseJson(cells[0]).status === "succeeded");
      const wire = proxy.bodies.find((body) => JSON.parse(body).method === "eth_getTransactionByHash");
      assert.equal(wire, `{"jsonrpc":"2.0","id":1,"method":"eth_getTransactionByHash","params":["${sent}"]}`);
      return proxy.methods();
    };

    it("asks in two rounds, and leaves the request as it is written", async () => {
      assert.deepEqual((await messagesOf("")).map((one) => one.join(" ")).toSorted(), [
        "debug_traceTransaction",
        "eth_chainId", // the gate's own
        "eth_getBlockByNumber",
        "eth_getTransactionByHash",
        "eth_getTransactionReceipt eth_getBlockByNumber eth_getBlockByNumber eth_getBlockByNumber",
      ]);
    });
    it("asks only for receipt and block where few requests are allowed", async () => {
      assert.deepEqual((await messagesOf("", 50)).flat().toSorted(), [
        "eth_chainId", // the gate's own
        "eth_getBlockByNumber",
        "eth_getTransactionByHash",
        "eth_getTransactionReceipt",
      ]);
    });
  });
});
