import assert from "node:assert/strict";
import type { Block, Log, Receipt } from "../../devchain/types.ts";
import { pluck } from "../support/pluck.ts";
import { post, request } from "./client.ts";
import {
  block,
  chain,
  client,
  head,
  logs,
  number,
  pay,
  playedChain,
  receipt,
  start,
  type TimedBlock,
  type TimedLog,
} from "./playedChain.ts";

describe("a native chain", () => {
  playedChain();

  it("makes a block every 200 ms, each with its own milliseconds, five in a second", async () => {
    await start("native", 200);
    const heads = await client.ask("eth_subscribe", ["newHeads"]);
    const first = await client.next<TimedBlock>(heads);
    const told = [first];
    while (told.length < 6) told.push(await client.next<TimedBlock>(heads));
    const times = told.map(({ timestampMs }) => Number(timestampMs));
    assert.ok(
      times.every((ms, i) => Math.floor(ms / 1000) === Number(told[i]?.timestamp)),
      String(times),
    );
    const steps = times.slice(1).map((ms, i) => ms - (times[i] ?? 0));
    assert.ok(
      steps.every((step) => step > 0),
      String(steps),
    );
    const numbers = told.map((one) => Number(one.number) - Number(first.number));
    assert.deepEqual(numbers, [0, 1, 2, 3, 4, 5]);
    for (const one of told) assert.equal((await block(one.number)).timestampMs, one.timestampMs);
  });

  it("has milliseconds on transactions and logs, in receipts on the logs only", async () => {
    await start("native", 0);
    const subscribed = await client.ask("eth_subscribe", ["logs", {}]);
    const hash = await pay();
    await chain.seal();
    const { timestampMs } = await block("latest");
    assert.match(String(timestampMs), /^0x/);
    const [log] = await logs({ fromBlock: "latest" });
    assert.equal(log?.blockTimestampMs, timestampMs);
    assert.equal((await client.next<TimedLog>(subscribed)).blockTimestampMs, timestampMs);
    const mined = (await chain.rpc("eth_getTransactionByHash", [hash])) as { readonly blockTimestampMs: string };
    assert.equal(mined.blockTimestampMs, timestampMs);
    const found = await receipt(hash);
    assert.deepEqual(
      found?.logs.map((one) => (one as TimedLog).blockTimestampMs),
      [timestampMs],
    );
    assert.equal(found?.blockTimestampMs, undefined);
    const [ofBlock] = (await chain.rpc("eth_getBlockReceipts", ["latest"])) as Receipt[];
    assert.deepEqual(ofBlock, found);
    const whole = (await chain.rpc("eth_getBlockByNumber", ["latest", true])) as { readonly transactions: object[] };
    assert.deepEqual(whole.transactions, [mined]);
  });

  it("leaves milliseconds out if it cannot prove them", async () => {
    await start("native", 0);
    assert.equal((await block("0x3")).timestampMs, undefined);
    await chain.rpc("evm_setNextBlockTimestamp", [Math.floor(Date.now() / 1000) + 100]);
    await chain.seal();
    assert.equal((await block("latest")).timestampMs, undefined);
  });

  it("answers `pending` as `latest`, with no transaction ahead", async () => {
    await start("native", 0);
    const { alice } = chain.accounts;
    const hash = await pay();
    assert.deepEqual(await block("pending"), await block("latest"));
    assert.equal(await number("eth_getTransactionCount", [alice.address, "pending"]), 0);
    assert.equal(await receipt(hash), null);
    assert.deepEqual(await logs({ fromBlock: "pending", toBlock: "pending" }), await logs({ fromBlock: "latest" }));
    await chain.seal();
    assert.equal(await number("eth_getTransactionCount", [alice.address, "pending"]), 1);
  });

  it("accepts the subscriptions of pre-confirmed state, and stays silent", async () => {
    await start("native", 0);
    const heads = await client.ask("eth_subscribe", ["newHeads"]);
    for (const name of ["newFlashblocks", "pendingLogs", "newFlashblockTransactions"]) {
      assert.match(String(await client.ask("eth_subscribe", [name])), /^0x/);
    }
    await pay();
    for (let i = 0; i < 3; i++) await chain.seal();
    for (let i = 0; i < 3; i++) await client.next(heads);
    assert.deepEqual(client.unread(), []);
  });

  it("answers eth_sendRawTransactionSync with the block's receipt, or in time without one", async () => {
    await start("native", 200);
    const { alice, bob } = chain.accounts;
    const call = { from: alice.address, to: bob.address, value: "0x1" };
    const found = (await chain.rpc("eth_sendTransactionSync", [call])) as Receipt;
    assert.match(String(found.blockHash), /^0x/);
    await chain.play({ sealEveryMs: 0 });
    for (const wait of [1, "0x1"]) {
      const { error } = await request(chain.url, "eth_sendTransactionSync", [call, wait]);
      assert.equal(error?.code, 4);
      assert.match(String(error?.data), /^0x[0-9a-f]{64}$/);
    }
  });
});

describe("an ordinary chain", () => {
  playedChain();

  it("guesses at `pending`, without receipts, logs or subscriptions of it", async () => {
    await start("ordinary", 0);
    const hash = await pay();
    const latest = await head();
    assert.equal(Number((await block("pending")).number), latest + 1);
    assert.equal(await number("eth_getTransactionCount", [chain.accounts.alice.address, "pending"]), 1);
    assert.equal(await receipt(hash), null);
    for (const name of ["newFlashblocks", "pendingLogs", "newFlashblockTransactions"]) {
      assert.equal((await request(chain.url, "eth_getLogs", [{ toBlock: "pending" }])).error, undefined);
      const { code } = (await client.ask("eth_subscribe", [name])) as { readonly code: number };
      assert.equal(code, -32602, name);
    }
    await chain.seal();
    assert.equal((await receipt(hash))?.status, "0x1");
    assert.equal((await block("latest")).timestampMs, undefined);
  });

  it("makes blocks without milliseconds, at the time of the clock however fast they are", async () => {
    await start("ordinary", 20);
    const heads = await client.ask("eth_subscribe", ["newHeads"]);
    const told: TimedBlock[] = [];
    while (told.length < 20) told.push(await client.next<TimedBlock>(heads));
    assert.ok(told.every(({ timestampMs }) => timestampMs === undefined));
    assert.ok(Number(told.at(-1)?.timestamp) <= Date.now() / 1000 + 5);
  });
});

describe("a chain that changes its kind while it runs", () => {
  playedChain();

  it("seals what it has shown, and continues on the same connections", async () => {
    await start("preconfirmed", 2000);
    const flashblocks = await client.ask("eth_subscribe", ["newFlashblocks"]);
    const pendingLogs = await client.ask("eth_subscribe", ["pendingLogs"]);
    const heads = await client.ask("eth_subscribe", ["newHeads"]);
    const hash = await pay();
    const told = await client.next<Log>(pendingLogs, ({ transactionHash }) => transactionHash === hash);
    const { kind, pending, sealEveryMs } = await chain.play({ kind: "native" });
    assert.deepEqual({ kind, pending, sealEveryMs }, { kind: "native", pending: "alias", sealEveryMs: 200 });
    const sealed = await receipt(hash);
    assert.deepEqual(
      sealed?.logs.map((log) => ({ ...log, blockHash: null })),
      [told],
    );
    const fast = await client.next<TimedBlock>(heads, ({ timestampMs }) => timestampMs !== undefined);
    await client.next<TimedBlock>(heads, (one) => Number(one.number) === Number(fast.number) + 1);
    client.forget();
    for (let i = 0; i < 3; i++) await client.next(heads);
    assert.deepEqual(
      client.unread().filter(({ params }) => params?.subscription === flashblocks),
      [],
    );
    await chain.play({ kind: "preconfirmed" });
    const later = await pay(2n);
    await client.next<Log>(pendingLogs, ({ transactionHash }) => transactionHash === later);
    await client.next<Block>(flashblocks);
    assert.deepEqual(chain.divergences(), []);
  });

  it("accepts the change as a request, only on its own endpoint, and names mistakes in it", async () => {
    await start("preconfirmed", 0);
    const changed = await request(chain.url, "devchain_play", [{ kind: "ordinary" }]);
    assert.equal((changed.result as { readonly kind: string }).kind, "ordinary");
    assert.deepEqual((await request(chain.url, "devchain_play")).result, changed.result);
    assert.equal((await request(chain.publicUrl, "devchain_play", [{ kind: "native" }])).status, 403);
    for (const [change, message] of [
      [{ kind: "fast" }, "Expected `kind` to be one of preconfirmed, native, ordinary."],
      [{ pace: 1 }, /^Unknown member `pace`\. Known: kind, /],
      [{ sealEveryMs: -1 }, "Expected `sealEveryMs` to be a whole number from 0."],
      [{ silent: ["newFlashblocks", "x"] }, /^Expected `silent` to be a list, each one of newFlashblocks, /],
      [{ nodes: [] }, /^Expected `nodes` to be a list of at least one/],
      [{ nodes: [{ finalizedBehind: 1 }] }, /^Expected `nodes` to be a list of at least one/],
      [{ diverge: { lost: 1 } }, "Expected `diverge` to be an object of counts: missing, extra, different, late."],
      ["native", "Expected an object."],
    ] as const) {
      const { error } = await request(chain.url, "devchain_play", [change]);
      assert.equal(error?.code, -32602);
      if (typeof message === "string") assert.equal(error?.message, message);
      else assert.match(String(error?.message), message);
    }
  });
});

describe("known faults", () => {
  playedChain();

  it("silent: any subscription is accepted and says nothing, also one made before", async () => {
    await start("preconfirmed", 0);
    const flashblocks = await client.ask("eth_subscribe", ["newFlashblocks"]);
    const before = await client.ask("eth_subscribe", ["newHeads"]);
    await client.next(flashblocks);
    await chain.play({ silent: ["newFlashblocks", "newHeads", "pendingLogs"] });
    const after = await client.ask("eth_subscribe", ["pendingLogs"]);
    const others = await client.ask("eth_subscribe", ["logs", {}]);
    client.forget();
    await pay();
    await chain.seal();
    await client.next<Log>(others);
    assert.deepEqual(client.unread(), []);
    await chain.play({ silent: [] });
    await pay(2n);
    await chain.seal();
    for (const subscription of [flashblocks, before, after]) await client.next(subscription);
  });

  it("pendingBehind: `pending` is a block of the past, in every read", async () => {
    await start("preconfirmed", 0);
    await chain.play({ pendingBehind: 4 });
    const latest = await head();
    assert.deepEqual(await block("pending"), await block(`0x${(latest - 4).toString(16)}`));
    await pay();
    const { alice } = chain.accounts;
    assert.equal(await number("eth_getTransactionCount", [alice.address, "pending"]), 0);
    const { error } = await request(chain.url, "eth_getLogs", [{ fromBlock: "latest", toBlock: "pending" }]);
    assert.equal(error?.message, "invalid block range params");
    await chain.play({ pendingBehind: 0 });
    assert.equal(await number("eth_getTransactionCount", [alice.address, "pending"]), 1);
  });

  it("refused: every read at `pending` is an error, and no other", async () => {
    await start("ordinary", 0);
    await chain.play({ pending: "refused" });
    const { alice } = chain.accounts;
    for (const [method, ...params] of [
      ["eth_getBalance", alice.address, "pending"],
      ["eth_call", { to: alice.address }, "pending"],
      ["eth_getLogs", { fromBlock: "0x1", toBlock: "pending" }],
      ["eth_getBlockByNumber", "pending", false],
      ["eth_simulateV1", { blockStateCalls: [] }, "pending"],
    ] as const) {
      const { error } = await request(chain.url, method, params);
      assert.deepEqual(error, { code: -32000, message: "pending block is not available" }, method);
    }
    assert.equal((await request(chain.url, "eth_getBalance", [alice.address])).error, undefined);
  });

  it("incomplete: every second transaction comes with the sealed block only", async () => {
    await start("preconfirmed", 0);
    await chain.play({ incomplete: true });
    const told = await client.ask("eth_subscribe", ["newFlashblockTransactions"]);
    const hashes = [await pay(1n), await pay(2n), await pay(3n), await pay(4n)];
    const [first = "", second = "", third = "", fourth = ""] = hashes;
    const shown = [first, third];
    assert.deepEqual((await block("pending")).transactions, shown);
    const pendingLogs = await logs({ fromBlock: "pending", toBlock: "pending" });
    assert.deepEqual(pluck(pendingLogs, "transactionHash"), shown);
    assert.equal(await receipt(second), null);
    assert.deepEqual([await client.next(told), await client.next(told)], shown);
    await chain.seal();
    assert.deepEqual((await block("latest")).transactions, hashes);
    assert.deepEqual(
      chain.divergences().map(({ sort, transaction }) => [sort, transaction]),
      [
        ["extra", second],
        ["extra", fourth],
      ],
    );
  });

  it("nodes: one URL answers from several heads in turn, each of them consistent", async () => {
    await start("preconfirmed", 0);
    const latest = await head();
    const hash = await pay();
    await chain.seal();
    await chain.play({ nodes: [{ behind: 0 }, { behind: 3, finalizedBehind: 9 }] });
    const seen = [await head(), await head(), await head(), await head()].toSorted((a, b) => a - b);
    assert.deepEqual(seen, [latest - 2, latest - 2, latest + 1, latest + 1]);
    const answers: string[] = [];
    for (let i = 0; i < 2; i++) {
      const calls = [
        ["eth_blockNumber"],
        ["eth_getBlockByNumber", "latest", false],
        ["eth_getBlockByNumber", `0x${(latest + 1).toString(16)}`, false],
        ["eth_getBlockByNumber", "finalized", false],
        ["eth_getTransactionReceipt", hash],
        ["eth_getTransactionCount", chain.accounts.alice.address, "latest"],
        ["eth_getLogs", { fromBlock: "0x0", toBlock: `0x${(latest + 1).toString(16)}` }],
      ].map(([method, ...params], id) => ({ jsonrpc: "2.0", id, method, params }));
      const { text } = await post(chain.url, JSON.stringify(calls));
      const [own, tip, hidden, final, mined, count, all] = (JSON.parse(text) as { readonly result: never }[]).map(
        ({ result }) => result as unknown,
      );
      const last = (all as Log[]).at(-1)?.blockNumber;
      answers.push(
        [
          Number(own) - latest,
          Number((tip as Block).number) - latest,
          hidden === null ? "hidden" : "there",
          Number((final as Block).number) - latest,
          mined === null ? "hidden" : "there",
          Number(count),
          Number(last) - latest,
        ].join(" "),
      );
    }
    assert.deepEqual(answers.toSorted(), ["-2 -2 hidden -11 hidden 0 -2", "1 1 there -1 there 1 1"]);
    // a connection stays with the first node
    for (let i = 0; i < 3; i++) assert.equal(Number(await client.ask("eth_blockNumber")), latest + 1);
  });
});
