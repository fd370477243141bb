import assert from "node:assert/strict";
import type { Divergence } from "../../devchain/divergence.ts";
import { type PlayChange, sorts } from "../../devchain/play.ts";
import type { Receipt } from "../../devchain/types.ts";
import { pluck } from "../support/pluck.ts";
import { block, chain, client, head, logs, pay, playedChain, receipt, start } from "./playedChain.ts";

describe("divergences of pre-confirmed state", () => {
  playedChain();

  /** Everything that a client received about each transaction, by block number and hash. */
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

  /** Computes the divergences from the received and the sealed transactions, in the form of the list. */
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
    await client.ask("eth_chainId"); // everything that was sent before has arrived
    return told;
  }

  it("are absent if none are injected", async () => {
    const told = await run({}, 4, 5);
    assert.deepEqual(chain.divergences(), []);
    assert.deepEqual(await found(told), []);
  });

  it("are sent as they are listed, as many of each sort as were injected", async () => {
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

  it("are late if a transaction arrives a block after the one it was announced for", async () => {
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
    assert.deepEqual(pluck(pendingLogs, "transactionHash"), [hash, phantom]);
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

  it("include a deployment, which is sealed without having been shown", async () => {
    await start("preconfirmed", 0);
    const hash = await chain.rpc("eth_sendTransaction", [{ from: chain.accounts.alice.address, data: "0x60005ff3" }]);
    await receipt(String(hash));
    assert.deepEqual(chain.divergences().map(line), [`extra ${hash}`]);
  });
});
