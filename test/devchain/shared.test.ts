import assert from "node:assert/strict";
import { sharedChain } from "../support/sharedChain.ts";

describe("a chain that test files share", () => {
  const heads: unknown[] = [];
  for (const round of [1, 2])
    describe(`in file ${round}`, () => {
      const chain = sharedChain({ sealEveryMs: round === 1 ? 100 : 0 });
      it("is as it was at the start, whatever was done with it before", async () => {
        const { alice, bob } = chain.accounts;
        heads.push(await chain.rpc("eth_getBlockByNumber", ["latest", false]));
        const transaction = { from: alice.address, to: bob.address, value: "0x1" };
        const balance = await chain.rpc("eth_getBalance", [bob.address, "pending"]);
        heads.push(balance);
        const { sealEveryMs, kind, nodes } = await chain.play({});
        assert.deepEqual([sealEveryMs, kind, nodes], [round === 1 ? 100 : 0, "preconfirmed", [{ behind: 0 }]]);
        await chain.play({ diverge: { extra: 1 } });
        await chain.rpc("eth_sendTransaction", [transaction]);
        await chain.rpc("eth_getBlockByNumber", ["pending", true]);
        await chain.seal();
        assert.equal(chain.divergences().length, 1);
        const sent = await chain.rpc("eth_sendTransaction", [transaction]);
        assert.ok(await chain.rpc("eth_getTransactionReceipt", [sent]));
        await chain.play({ kind: "native", sealEveryMs: 0, nodes: [{ behind: 3 }] });
        await chain.rpc("eth_sendTransaction", [{ ...transaction, nonce: "0x50" }]);
        assert.ok(
          BigInt(String(await chain.rpc("eth_getBalance", [bob.address, "pending"]))) >= BigInt(String(balance)),
        );
      });
    });
  it("has the same block at the start of both", () => {
    assert.deepEqual(heads.slice(2), heads.slice(0, 2));
  });
});
