import assert from "node:assert/strict";
import { encodeFunctionData, toEventSelector } from "viem";
import { startDevchain } from "../../devchain/devchain.ts";
import type { Block, BlockTransaction, Log } from "../../devchain/types.ts";
import { sharedChain } from "../support/sharedChain.ts";
import { type Conversation, connect } from "./client.ts";

describe("subscriptions of the embedded chain", () => {
  const chain = sharedChain();
  let client: Conversation;
  before(async () => {
    client = await connect(chain.wsUrl);
  });
  after(() => client.close());

  const pay = (amount: bigint): Promise<unknown> =>
    chain.rpc("eth_sendTransaction", [
      {
        from: chain.accounts.alice.address,
        to: chain.contracts.token.address,
        gas: "0x30000",
        data: encodeFunctionData({
          abi: chain.contracts.token.abi,
          functionName: "transferWithMemo",
          args: [chain.accounts.bob.address, amount, `0x${"11".repeat(32)}`],
        }),
      },
    ]);
  const subscribe = (...params: readonly unknown[]): Promise<unknown> => client.ask("eth_subscribe", params);

  it("sends pre-confirmed logs once each, before their block", async () => {
    const every = await subscribe("pendingLogs");
    const memos = await subscribe("pendingLogs", {
      address: chain.contracts.token.address,
      topics: [toEventSelector("Memo(address,bytes32)")],
    });
    const hash = await pay(1n);
    const told = [await client.next<Log>(every), await client.next<Log>(every)];
    assert.deepEqual(
      told.map(({ transactionHash, blockHash, logIndex }) => ({ transactionHash, blockHash, logIndex })),
      [
        { transactionHash: hash, blockHash: null, logIndex: "0x0" },
        { transactionHash: hash, blockHash: null, logIndex: "0x1" },
      ],
    );
    assert.deepEqual(await client.next<Log>(memos), told[1]);
    const next = await pay(2n);
    assert.equal((await client.next<Log>(every)).transactionHash, next);
    await client.ask("eth_unsubscribe", [memos]);
  });

  it("sends the whole content of a block before it is sealed", async () => {
    const pending = await subscribe("newFlashblockTransactions");
    const heads = await subscribe("newHeads");
    const hash = await pay(3n);
    await chain.seal();
    const head = await client.next<Block>(heads);
    const block = (await chain.rpc("eth_getBlockByNumber", [head.number, false])) as {
      readonly transactions: string[];
    };
    assert.ok(block.transactions.includes(String(hash)));
    assert.equal(await client.next<string>(pending, (told) => told === hash), hash);
    await client.ask("eth_unsubscribe", [pending]);
  });

  it("sends transactions with their outcome if whole transactions are requested", async () => {
    const whole = await subscribe("newFlashblockTransactions", true);
    const hash = await pay(4n);
    const told = await client.next<BlockTransaction & { readonly logs: Log[]; readonly status: string }>(
      whole,
      (transaction) => transaction.hash === hash,
    );
    assert.deepEqual(
      [told.status, told.logs.length, told.from],
      ["0x1", 2, chain.accounts.alice.address.toLowerCase()],
    );
  });

  it("sends flashblocks as the whole pending block", async () => {
    const blocks = await subscribe("newFlashblocks");
    const hash = await pay(5n);
    const block = await client.next<Block>(blocks, ({ transactions }) => transactions.some((one) => one.hash === hash));
    assert.equal(Number(block.number), Number(await chain.rpc("eth_blockNumber")) + 1);
    assert.equal(await client.ask("eth_unsubscribe", [blocks]), true);
    assert.equal(await client.ask("eth_unsubscribe", [blocks]), false);
  });

  it("passes on the node's own", async () => {
    const sealed = await subscribe("logs", { address: chain.contracts.token.address });
    const hash = await pay(6n);
    await chain.seal();
    const log = await client.next<Log>(sealed, ({ transactionHash }) => transactionHash === hash);
    assert.match(String(log.blockHash), /^0x/);
    assert.equal(await client.ask("eth_unsubscribe", [sealed]), true);
  });

  it("refuses kinds and options that do not exist", async () => {
    for (const params of [["nope"], ["pendingLogs", 1], ["newFlashblockTransactions", "yes"], []]) {
      const { code } = (await subscribe(...params)) as { readonly code: number };
      assert.equal(code, -32602, JSON.stringify(params));
    }
  });

  it("answers other requests on the same connection, by the role of its path", async () => {
    assert.equal(await client.ask("eth_chainId"), "0x7a69");
    const visitor = await connect(`${chain.wsUrl}/public`);
    assert.deepEqual(await visitor.ask("eth_getBlockReceipts", ["latest"]), {
      code: -32601,
      message: "rpc method is not whitelisted",
    });
    visitor.close();
  });
});

describe("the clock of the embedded chain", () => {
  it("seals by itself, with traffic of its own", async () => {
    const chain = await startDevchain({ sealEveryMs: 100, refreshEveryMs: 20, traffic: 20 });
    const client = await connect(chain.wsUrl);
    const heads = await client.ask("eth_subscribe", ["newHeads"]);
    const logs = await client.ask("eth_subscribe", ["pendingLogs"]);
    const told: Log[] = [];
    const [first, second] = [await client.next<Block>(heads), await client.next<Block>(heads)];
    assert.equal(Number(second.number), Number(first.number) + 1);
    assert.ok(Number(second.timestamp) >= Number(first.timestamp));
    const third = await client.next<Block>(heads);
    // the block has the transactions that were sent while it was pending
    for (;;) {
      const log = await client.next<Log>(logs);
      if (Number(log.blockNumber) > Number(third.number)) break;
      if (log.blockNumber === third.number) told.push(log);
    }
    const sealed = (await chain.rpc("eth_getLogs", [{ fromBlock: third.number, toBlock: third.number }])) as Log[];
    assert.deepEqual(
      sealed.map((log) => ({ ...log, blockHash: null })),
      told,
    );
    assert.ok(told.length > 0);
    client.close();
    await chain.stop();
  });
});
