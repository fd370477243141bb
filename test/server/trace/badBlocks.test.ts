import assert from "node:assert/strict";
import { getContractAddress } from "viem";
import { type Anvil, ask, startAnvil } from "../../../devchain/anvil.ts";
import type { JsonObject, JsonValue } from "../../../server/src/base/json.ts";
import type { BackgroundClient } from "../../../server/src/gate/backgroundClient.ts";
import type { BlockQuestion } from "../../../server/src/rpc/head.ts";
import { blockProbe } from "../../../server/src/trace/blockProbe.ts";
import { isSystemContract } from "../../../server/src/trace/minedBlock.ts";
import type { TraceReading } from "../../../server/src/trace/readTrace.ts";
import { type Code, calling, log, program, push, store } from "../../support/evm.ts";
import { clientTo } from "../../support/host.ts";
import { callable } from "../../support/randomCalls.ts";
import { type Asking, type Lie, nodeTrace, readingOf, refusal, saysPrague } from "./anvilBlocks.ts";
import { lines } from "./anvilCalls.ts";

const [first = "", second = ""] = callable;
const system = "0x0000f90827f1c53a10cb7a02335b175320002935";

/** Changes every object of an answer to a method. */
function inAnswer(method: string, change: (one: JsonObject, at: number) => JsonObject): Lie {
  return (question, result) => {
    if (question.method !== method) return undefined;
    return Array.isArray(result) ? result.map((one, at) => change(one, at)) : change(result as JsonObject, 0); // it is one
  };
}

describe("a block that cannot be replayed, or not as the endpoint says", function () {
  this.timeout(300_000);
  let anvil: Anvil;
  let client: BackgroundClient;
  /** Two transactions: the first one changes what the second one logs. */
  let hash = "";
  let earlier = "";
  let number = "";
  /** A transaction that calls the contract at which the chain keeps hashes of blocks. */
  let calls = "";
  before(async () => {
    anvil = await startAnvil({ genesisTime: 1_750_000_000, hardfork: "osaka" });
    client = clientTo(`http://${anvil.host}`);
    const counting: Code = [push(7), "54", "50", push(1), "54", push(1), "01", push(1), "55"];
    await ask(anvil, "anvil_setCode", [first, program(counting, log(7, 8), calling({ to: second }))]);
    await ask(anvil, "anvil_setCode", [second, program(store(3, 9))]);
    await ask(anvil, "anvil_mine", ["0x3"]);
    const [from = "", other = ""] = await ask<readonly string[]>(anvil, "eth_accounts");
    const send = (transaction: object) =>
      ask<string>(anvil, "eth_sendTransaction", [{ gas: "0x30d40", ...transaction }]);
    earlier = await send({ from: other, to: first });
    hash = await send({ from, to: first, value: "0x1" });
    await ask(anvil, "anvil_mine", ["0x1"]);
    number = await ask<string>(anvil, "eth_blockNumber");
    calls = await send({ from, to: system, data: `0x${number.slice(2).padStart(64, "0")}` });
    await ask(anvil, "anvil_mine", ["0x1"]);
  });
  after(() => anvil?.kill());

  const reading = (given: Asking = {}, of = hash): Promise<TraceReading> => readingOf(client, of, given);
  async function assertFailed(given: Asking, why: string | RegExp, of = hash): Promise<void> {
    const found = await reading(given, of);
    assert.ok(
      found.kind === "failed",
      JSON.stringify(found, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
    );
    if (typeof why === "string") assert.equal(found.why, why);
    else assert.match(found.why, why);
  }

  it("is replayed in few messages, and reads each value once before it and once after", async () => {
    const asked: BlockQuestion[][] = [];
    const found = await reading({ asked });
    assert.ok(found.kind === "replayed");
    assert.deepEqual(lines(found.trace.calls[1]?.call ?? {}), lines(await nodeTrace(anvil, hash)));
    assert.deepEqual(
      found.trace.changes.map(({ before, after }) => [BigInt(before), BigInt(after)]),
      [[1n, 2n]],
      "only what this transaction changes",
    );
    const all = asked.flat().map((question) => JSON.stringify(question));
    assert.equal(new Set(all).size, all.length);
    assert.equal(asked.length, 5);
    const known = await ask<JsonValue>(anvil, "eth_getTransactionReceipt", [hash]);
    const fewer: BlockQuestion[][] = [];
    await reading({ asked: fewer, known });
    assert.equal(fewer.length, 4);
    const guessed: BlockQuestion[][] = [];
    await reading({ asked: guessed, known, refuses: ["debug_traceTransaction", "eth_createAccessList"] });
    assert.equal(guessed.length, 5);
  });
  it("is not replayed where traces are served", async () =>
    assert.equal((await reading({ refuses: [] })).kind, "served"));
  it("has its receipts one by one, if the endpoint serves no others", async () => {
    const refuses = ["debug_traceTransaction", "eth_getBlockReceipts"];
    assert.equal((await reading({ refuses })).kind, "replayed");
  });

  for (const [what, lie, shows] of [
    [
      "the gas of a receipt before it",
      inAnswer("eth_getBlockReceipts", (one, at) => (at === 0 ? { ...one, gasUsed: "0x5209" } : one)),
      /gas used of transaction 0/,
    ],
    [
      "the status of its receipt",
      inAnswer("eth_getBlockReceipts", (one, at) => (at === 1 ? { ...one, status: "0x0" } : one)),
      "status",
    ],
    ["a log", inAnswer("eth_getBlockReceipts", (one, at) => (at === 1 ? { ...one, logs: [] } : one)), "number of logs"],
    ["the price", inAnswer("eth_getBlockReceipts", (one) => ({ ...one, effectiveGasPrice: "0x1" })), /gas price/],
    [
      "a word after it",
      ({ method, params }) =>
        method === "eth_getStorageAt" && params.at(-1) === number ? `0x${"5".padStart(64, "0")}` : undefined,
      /word of storage .* after the block/,
    ],
    [
      "a word that it only read",
      ({ method, params }) =>
        method === "eth_getStorageAt" && BigInt(String(params[1])) === 7n && params.at(-1) !== number
          ? `0x${"5".padStart(64, "0")}`
          : undefined,
      /word of storage 0x7 of .* after the block/,
    ],
    [
      "a transaction after others, which it leaves out",
      (question, result) => {
        const firstOnly = (list: JsonValue | undefined) => (list as readonly JsonValue[]).slice(0, 1); // of a block
        if (question.method === "eth_getBlockReceipts") return firstOnly(result);
        if (question.method !== "eth_getBlockByNumber") return undefined;
        const block = result as JsonObject; // it is one
        return { ...block, transactions: firstOnly(block.transactions) };
      },
      "gas used by its block",
    ],
    [
      "what an account has after it",
      ({ method, params }) => (method === "eth_getBalance" && params.at(-1) === number ? "0x7" : undefined),
      /balance of .* after the block/,
    ],
    [
      "code that is cut short",
      ({ method }, result) => (method === "eth_getCode" ? String(result).slice(0, 12) : undefined),
      /./,
    ],
  ] satisfies readonly (readonly [string, Lie, string | RegExp])[])
    it(`is not shown from an endpoint that lies about ${what}`, async () => {
      const found = await reading({ lie }, shows === "gas used by its block" ? earlier : hash);
      assert.ok(found.kind === "differs", found.kind);
      if (typeof shows === "string") assert.equal(found.what, shows);
      else assert.match(found.what, shows);
    });

  it("counts what the block gives to validators", async () => {
    const [rich = ""] = (await ask<readonly string[]>(anvil, "eth_accounts")).slice(1);
    const withdrawals = [{ index: "0x1", validatorIndex: "0x1", address: rich, amount: "0x5" }];
    const giving = inAnswer("eth_getBlockByNumber", (block) => ({ ...block, withdrawals }));
    assert.equal((await reading({ lie: giving })).kind, "differs");
    const found = await reading({
      lie: (question, result) =>
        question.method === "eth_getBalance" && question.params[0] === rich && question.params[1] === number
          ? `0x${(BigInt(String(result)) + 5_000_000_000n).toString(16)}`
          : giving(question, result),
    });
    assert.equal(found.kind, "replayed");
  });

  it("is not shown if it was replaced while it was read, or while its state was", async () => {
    const other = `0x${"77".repeat(32)}`;
    const replaced = "The block was replaced while it was read.";
    await assertFailed({ lie: inAnswer("eth_getBlockByNumber", (block) => ({ ...block, hash: other })) }, replaced);
    const later: Lie = ({ method, params }, block) =>
      method === "eth_getBlockByNumber" && params[1] === false ? { ...(block as JsonObject), hash: other } : undefined; // it is one
    await assertFailed({ lie: later }, replaced);
    await assertFailed({ lie: inAnswer("eth_getBlockReceipts", (one) => ({ ...one, blockHash: other })) }, replaced);
  });

  it("says which answer is missing, if a part of a message is refused", async () => {
    const pruned: Lie = ({ method }) => (method === "eth_getStorageAt" ? refusal("missing trie node 0x12") : undefined);
    await assertFailed({ lie: pruned }, /state/i);
    let count = 0;
    const half: Lie = () => (++count > 12 && count % 2 === 0 ? refusal("header not found") : undefined);
    await assertFailed({ lie: half }, /./);
    const unserved: Lie = ({ method }) =>
      method === "eth_getBlockByNumber" ? refusal("the method does not exist", -32601) : undefined;
    await assertFailed({ lie: unserved }, /./);
  });

  for (const [why, change] of [
    ["Its block has deposits of the OP stack, which are not replayed.", { type: "0x7e" }],
    ["Its block has transactions of a type that is not known (0x6a).", { type: "0x6a" }],
    ["A transaction of its block has a form that is not known.", { gasPrice: "0x0", type: "0x0" }],
    ["A transaction of its block has a form that is not known.", { from: "0x1" }],
    ["Its block does not contain it.", { hash: `0x${"12".repeat(32)}` }],
  ] as const)
    it(`is refused: ${why}`, () =>
      assertFailed(
        {
          lie: inAnswer("eth_getBlockByNumber", (block) => ({
            ...block,
            transactions: (block.transactions as readonly JsonObject[]).map((one) => ({ ...one, ...change })), // objects
          })),
        },
        why,
      ));
  for (const [why, change] of [
    [/^Its block is from before Prague/, { requestsHash: undefined }],
    [/^The header of its block does not have the hash/, { extraData: "0x12" }],
    [/^The header of its block does not have the hash/, { nonce: 5n, stateRoot: null }],
    [/^Its block has more than 5,000 transactions/, { transactions: Array.from({ length: 5001 }, () => ({})) }],
    [/^The endpoint does not give the transactions/, { transactions: [`0x${"12".repeat(32)}`] }],
  ] as const)
    it(`is refused: ${why.source.slice(1)}`, () =>
      assertFailed(
        { lie: inAnswer("eth_getBlockByNumber", (block) => ({ ...block, ...change }) as unknown as JsonObject) }, // of a node
        why,
      ));
  it("is refused if its chain charges for another one, or its receipts are not all there", async () => {
    const change = (more: JsonObject): Asking => ({
      lie: inAnswer("eth_getBlockReceipts", (one) => ({ ...one, ...more })),
    });
    await assertFailed(change({ l1Fee: "0x0" }), /pay for another chain/);
    await assertFailed(change({ status: "yes" }), "A receipt of its block has a form that is not known.");
    const fewer: Lie = ({ method }, result) =>
      method === "eth_getBlockReceipts" ? (result as readonly JsonValue[]).slice(1) : undefined; // a list
    await assertFailed({ lie: fewer }, "The endpoint does not give all receipts of its block.");
  });
  it("is refused if it reads a contract that the chain itself changes", () =>
    assertFailed(
      {},
      /^Its block uses 0x0000f90827f1c53a10cb7a02335b175320002935, which the chain itself changes/,
      calls,
    ));
  // the EIPs give the accounts that create these contracts with their first transaction
  for (const [eip, creator] of [
    [4788, "0x0B799C86a49DEeb90402691F1041aa3AF2d3C875"],
    [2935, "0x3462413Af4609098e1E27A490f554f260213D685"],
    [7002, "0x8646861A7cF453dDD086874d622b0696dE5b9674"],
    [7251, "0x13d1913d623E6a9D8811736359E50fD31Fe54fCA"],
  ] as const)
    it(`knows the contract of EIP-${eip}`, () =>
      assert.ok(isSystemContract(getContractAddress({ from: creator, nonce: 0n }).toLowerCase())));
  it("is refused if rules of two forks fit, and have other calls inside", async () => {
    const third = callable[2] ?? "";
    // the instruction of Osaka, a call, and one that uses up the gas
    await ask(anvil, "anvil_setCode", [third, program([push(1), "1e", "50"], calling({ to: second }), ["fe"])]);
    const caught: Code = [push(0), push(0), push(0), push(0), push(0), push(BigInt(third)), push(50_000), "f1"];
    const outer = callable[3] ?? "";
    await ask(anvil, "anvil_setCode", [outer, program(caught)]);
    const [from] = await ask<readonly string[]>(anvil, "eth_accounts");
    const sent = await ask<string>(anvil, "eth_sendTransaction", [{ from, to: outer, gas: "0x30d40" }]);
    await ask(anvil, "anvil_mine", ["0x1"]);
    const refuses = ["debug_traceTransaction", "eth_simulateV1"];
    await assertFailed({ lie: saysPrague, refuses }, /two forks/, sent);
    await assertFailed({ refuses }, /two forks/, sent);
    const known = await reading({ lie: saysPrague, refuses });
    assert.ok(known.kind === "replayed" && !known.isReadTwice, "where the rules do not matter");
    const found = await reading({}, sent);
    assert.ok(found.kind === "replayed" && found.fork === "osaka", "a simulation follows the same rules");
    const other = await reading({ lie: saysPrague }, sent);
    assert.ok(other.kind === "differs" && other.what === "fork");
  });
  it("is not shown if a word was wrong that decides only what a call returned, and that the block replaced", async () => {
    const fifth = callable[4] ?? "";
    const replacing: Code = [push(1), "54", push(0), "52", ...store(1, 9), push(32), push(0), "f3"];
    await ask(anvil, "anvil_setCode", [fifth, program(replacing)]);
    await ask(anvil, "anvil_setStorageAt", [fifth, `0x${"1".padStart(64, "0")}`, `0x${"3".padStart(64, "0")}`]);
    await ask(anvil, "anvil_mine", ["0x1"]);
    const [from] = await ask<readonly string[]>(anvil, "eth_accounts");
    const sent = await ask<string>(anvil, "eth_sendTransaction", [{ from, to: fifth, gas: "0x30d40" }]);
    await ask(anvil, "anvil_mine", ["0x1"]);
    const after = await ask<string>(anvil, "eth_blockNumber");
    const lie: Lie = ({ method, params }) =>
      method === "eth_getStorageAt" && BigInt(String(params[1])) === 1n && params[2] !== after
        ? `0x${"5".padStart(64, "0")}`
        : undefined;
    const found = await reading({ lie }, sent);
    assert.ok(found.kind === "differs", found.kind);
    assert.equal(found.what, `word of storage 0x1 of ${fifth} before the block`);
    const right = await reading({}, sent);
    assert.ok(right.kind === "replayed" && right.isReadTwice);
  });
  it("is refused by rules that are not known yet", async () => {
    const lie: Lie = ({ method, params: [call] }, result) =>
      method === "eth_call" && (call as JsonObject).data === blockProbe // of a call
        ? `${String(result).slice(0, -1)}1`
        : undefined;
    await assertFailed({ lie }, "The chain follows rules that are not known yet.");
  });
  it("is refused by rules from before Prague", async () => {
    const old = await startAnvil({ genesisTime: 1_750_000_000, hardfork: "cancun" });
    const [from] = await ask<readonly string[]>(old, "eth_accounts");
    const sent = await ask<string>(old, "eth_sendTransaction", [{ from, to: first }]);
    await ask(old, "anvil_mine", ["0x1"]);
    const found = await readingOf(clientTo(`http://${old.host}`), sent);
    await old.kill();
    assert.ok(found.kind === "failed" && /before Prague/.test(found.why));
  });
  it("is not looked for if the transaction is in no block, or unknown", async () => {
    await assertFailed({}, "It is in no block.", `0x${"45".repeat(32)}`);
  });
  for (const [method, sent] of [
    ["eth_getBlockReceipts", 2],
    ["eth_getCode", 3],
  ] as const)
    it(`sends nothing after it was cancelled: ${method}`, async () => {
      const cancel = new AbortController();
      const asked: BlockQuestion[][] = [];
      const lie: Lie = (question) => {
        if (question.method === method) cancel.abort();
        return undefined;
      };
      const found = await reading({ asked, lie, signal: cancel.signal });
      assert.equal(found.kind, "failed");
      assert.equal(asked.length, sent);
    });
});
