import assert from "node:assert/strict";
import { type Devchain, startDevchain } from "../../devchain/devchain.ts";
import type { Divergence } from "../../devchain/divergence.ts";
import { type Kind, type PlayChange, sorts } from "../../devchain/play.ts";
import type { Block, Log, Receipt } from "../../devchain/types.ts";
import { type Conversation, connect, post, request } from "./client.ts";

type TimedBlock = Block & { readonly timestampMs?: string };
type TimedLog = Log & { readonly blockTimestampMs?: string };

let chain: Devchain;
let client: Conversation;

async function start(kind: Kind, sealEveryMs?: number): Promise<void> {
  chain = await startDevchain({
    kind,
    refreshEveryMs: 20,
    traffic: false,
    ...(sealEveryMs === undefined ? {} : { sealEveryMs }),
  });
  client = await connect(chain.wsUrl);
}

/** Ends what a test has begun by {@link start}. */
function endEach(): void {
  afterEach(async () => {
    client.close();
    await chain.stop();
  });
}

const block = async (tag: string, url = chain.url): Promise<TimedBlock> =>
  (await request(url, "eth_getBlockByNumber", [tag, false])).result as TimedBlock;
const logs = async (filter: object): Promise<readonly TimedLog[]> =>
  (await request(chain.url, "eth_getLogs", [filter])).result as TimedLog[];
const number = async (method: string, params: readonly unknown[] = []): Promise<number> =>
  Number((await request(chain.url, method, params)).result);
const head = (): Promise<number> => number("eth_blockNumber");

/** Sends dollars; alice has some, and nothing else sends hers. */
async function pay(amount = 1n): Promise<string> {
  const { alice, bob } = chain.accounts;
  const data = `0xa9059cbb${bob.address.slice(2).padStart(64, "0")}${amount.toString(16).padStart(64, "0")}`;
  const call = { from: alice.address, to: chain.contracts.token.address, data, gas: "0x30000" };
  return String(await chain.rpc("eth_sendTransaction", [call]));
}

async function receipt(hash: string): Promise<Receipt | null> {
  return (await chain.rpc("eth_getTransactionReceipt", [hash])) as Receipt | null;
}

describe("a native chain", () => {
  endEach();

  it("makes a block every 200 ms, each with its own milliseconds, five in a second", async () => {
    await start("native");
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

  it("leaves milliseconds out where it cannot prove them", async () => {
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

  it("answers eth_sendRawTransactionSync with the block's receipt, or in time that there is none", async () => {
    await start("native");
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
  endEach();

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

  it("makes blocks of equal distance without milliseconds", async () => {
    await start("ordinary", 50);
    const heads = await client.ask("eth_subscribe", ["newHeads"]);
    const [first, second] = [await client.next<TimedBlock>(heads), await client.next<TimedBlock>(heads)];
    assert.equal(Number(second.number), Number(first.number) + 1);
    assert.equal(second.timestampMs, undefined);
  });
});

describe("a chain that changes its kind while it runs", () => {
  endEach();

  it("seals what it has told, and goes on on the same connections", async () => {
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

  it("takes the change over the wire, on its own endpoint only, and names what is wrong with it", async () => {
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
  endEach();

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
    assert.deepEqual(
      pendingLogs.map(({ transactionHash }) => transactionHash),
      shown,
    );
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

describe("divergences of pre-confirmed state", () => {
  endEach();

  /** Everything that a client was told of each transaction, by block number and hash. */
  async function listen(): Promise<Map<string, Receipt>> {
    const subscription = await client.ask("eth_subscribe", ["newFlashblockTransactions", true]);
    const told = new Map<string, Receipt>();
    const take = async (): Promise<void> => {
      for (;;) {
        const one = await client.next<Receipt & { readonly hash: string }>(subscription);
        told.set(`${Number(one.blockNumber)} ${one.hash}`, one);
      }
    };
    void take();
    return told;
  }

  /** Finds by itself, from what was told and what was sealed, in the words of the list. */
  async function found(told: ReadonlyMap<string, Receipt>): Promise<readonly string[]> {
    const places = new Map<string, Receipt>();
    for (let at = 0, last = await head(); at <= last; at++) {
      const receipts = (await chain.rpc("eth_getBlockReceipts", [`0x${at.toString(16)}`])) as Receipt[];
      for (const one of receipts) places.set(one.transactionHash, one);
    }
    const lines: string[] = [];
    for (const [key, shown] of told) {
      const [number, hash = ""] = key.split(" ");
      const sealed = places.get(hash);
      if (!sealed) lines.push(`missing ${hash}`);
      else if (Number(sealed.blockNumber) !== Number(number)) lines.push(`late ${hash}`);
      else {
        if (sealed.gasUsed !== shown.gasUsed) lines.push(`different ${hash} gasUsed`);
        if (sealed.status !== shown.status) lines.push(`different ${hash} status`);
        for (const [i, log] of sealed.logs.entries()) {
          if (log.data !== shown.logs[i]?.data) lines.push(`different ${hash} logs[${i}].data`);
        }
      }
    }
    const toldHashes = new Set([...told.keys()].map((key) => key.split(" ")[1]));
    for (const [hash, { blockNumber }] of places) {
      if (Number(blockNumber) > firstBlock && !toldHashes.has(hash)) lines.push(`extra ${hash}`);
    }
    return lines.toSorted();
  }

  const line = ({ sort, transaction, field }: Divergence): string =>
    [sort, transaction, ...(field === undefined ? [] : [field])].join(" ");
  let firstBlock = 0;

  async function run(change: PlayChange, blocks: number, perBlock: number): Promise<Map<string, Receipt>> {
    await start("preconfirmed", 0);
    firstBlock = await head();
    const told = await listen();
    await chain.play(change);
    for (let i = 0; i < blocks; i++) {
      for (let k = 0; k < perBlock; k++) await pay(BigInt(i * perBlock + k + 1));
      await chain.seal();
    }
    await client.ask("eth_chainId"); // everything that was told before has come
    return told;
  }

  it("are none where none are injected", async () => {
    const told = await run({}, 4, 5);
    assert.deepEqual(chain.divergences(), []);
    assert.deepEqual(await found(told), []);
  });

  it("are told as they are listed, of each sort as many as were asked for", async () => {
    const told = await run({ diverge: { missing: 3, extra: 3, different: 4 } }, 4, 8);
    const list = chain.divergences();
    const counts = sorts.map((wanted) => list.filter(({ sort }) => sort === wanted).length);
    assert.deepEqual(counts, [3, 3, 4, 0]);
    assert.deepEqual(await found(told), list.map(line).toSorted());
    assert.deepEqual((await chain.play({})).diverge, { missing: 0, extra: 0, different: 0, late: 0 });
    for (const { sort, field, shown, sealed, shownAt, sealedAt } of list) {
      if (sort === "different") assert.ok(field && shown && sealed && shown !== sealed);
      assert.ok(sort === "extra" ? shownAt === null : shownAt !== null && shownAt <= sealedAt);
    }
    assert.deepEqual(await chain.rpc("devchain_divergences"), list);
  });

  it("are late where a transaction comes a block after the one it was told for", async () => {
    const told = await run({ diverge: { late: 5 } }, 3, 3);
    await chain.seal();
    const list = chain.divergences();
    assert.deepEqual(
      list.map(({ sort, shownIn, sealedIn }) => [sort, Number(shownIn) - firstBlock, Number(sealedIn) - firstBlock]),
      [...Array(3).fill(["late", 1, 2]), ...Array(2).fill(["late", 2, 3])],
    );
    assert.deepEqual(await found(told), list.map(line).toSorted());
  });

  it("show a phantom in every read of pre-confirmed state, until its block is sealed", async () => {
    await start("preconfirmed", 0);
    await chain.play({ diverge: { missing: 1 } });
    const hash = await pay();
    const { transactions } = await block("pending");
    const phantom = String(transactions.find((one) => String(one) !== hash));
    assert.equal((await receipt(phantom))?.status, "0x1");
    const mined = (await chain.rpc("eth_getTransactionByHash", [phantom])) as { readonly hash: string };
    assert.equal(mined.hash, phantom);
    const pendingLogs = await logs({ fromBlock: "pending", toBlock: "pending" });
    assert.deepEqual(
      pendingLogs.map(({ transactionHash }) => transactionHash),
      [hash, phantom],
    );
    await chain.seal();
    assert.equal(await receipt(phantom), null);
    assert.equal(await chain.rpc("eth_getTransactionByHash", [phantom]), null);
    assert.deepEqual(chain.divergences().map(line), [`missing ${phantom}`]);
  });

  it("never hide or change what was shown before the injection began", async () => {
    await start("preconfirmed", 0);
    const hash = await pay();
    const before = await receipt(hash);
    await chain.play({ incomplete: true, diverge: { extra: 1, different: 1 } });
    assert.deepEqual(await receipt(hash), before);
  });

  it("list a deployment, which is sealed without having been told", async () => {
    await start("preconfirmed", 0);
    const hash = await chain.rpc("eth_sendTransaction", [{ from: chain.accounts.alice.address, data: "0x60005ff3" }]);
    await receipt(String(hash));
    assert.deepEqual(chain.divergences().map(line), [`extra ${hash}`]);
  });
});
