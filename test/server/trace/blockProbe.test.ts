import assert from "node:assert/strict";
import { toWord } from "../../../server/src/base/hex.ts";
import { blockProbe, readBlockProbe } from "../../../server/src/trace/blockProbe.ts";
import { type AccountFacts, type Fork, usualLimits } from "../../../server/src/trace/task.ts";
import { traceCall } from "../../../server/src/trace/traceCall.ts";
import { payer } from "../../support/randomCalls.ts";

describe("the code that asks a chain for its rules", () => {
  for (const [rules, fork] of [
    ["cancun", "cancun"],
    ["prague", "prague"],
    ["osaka", "osaka"],
    ["amsterdam", undefined],
  ] as const)
    it(`finds ${rules}`, async () => {
      const call = { from: payer, to: undefined, data: blockProbe, value: 0n, gas: 10_000_000n, gasPrice: 0n };
      const none: AccountFacts = { balance: 0n, nonce: 0n, code: "0x" };
      const accounts = new Map<string, AccountFacts>();
      const block = {
        ...{ number: 7n, time: 9n, gasLimit: 30_000_000n, baseFee: 0n, blobBaseFee: 1n },
        ...{ coinbase: `0x${"cb".repeat(20)}`, prevRandao: toWord(0n) },
      };
      for (let round = 0; round < 5; round++) {
        const task = {
          ...{ calls: [{ ...call, accessList: [] }], block, chainId: 5n, limits: usualLimits },
          fork: rules as Fork, // the newest one is none that is traced
        };
        const answer = await traceCall(task, { accounts, slots: new Map(), hashes: new Map() });
        if (answer.kind === "missing") for (const one of answer.needs.accounts) accounts.set(one, none);
        if (answer.kind === "missing") continue;
        assert.equal(answer.kind, "traced");
        if (answer.kind !== "traced") return;
        const found = readBlockProbe(answer.trace.calls[0]?.output);
        assert.deepEqual([found?.fork, found?.chainId, found?.block], [fork, 5n, block]);
        return;
      }
      assert.fail("It needs more and more.");
    });
});
