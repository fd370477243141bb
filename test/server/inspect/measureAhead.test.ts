import assert from "node:assert/strict";
import type { JsonValue } from "../../../server/src/base/json.ts";
import type { BackgroundClient, Question } from "../../../server/src/gate/backgroundClient.ts";
import { measureAhead } from "../../../server/src/inspect/measureAhead.ts";
import type { Outcome } from "../../../server/src/rpc/outcome.ts";
import { fastClock } from "../../support/fastClock.ts";
import { sharedChain } from "../../support/sharedChain.ts";

describe("whether `pending` is pre-confirmed", () => {
  const chain = sharedChain({ kind: "ordinary" });

  it("is not concluded from a receipt of a block that was sealed meanwhile", async () => {
    const { alice, bob } = chain.accounts;
    const pay = () => chain.rpc("eth_sendTransaction", [{ from: alice.address, to: bob.address, value: "0x1" }]);
    const isReceipt = ({ method }: Question): boolean => method === "eth_getTransactionReceipt";
    /** The node executes the requests of a body one after the other, and the first time a block comes between them. */
    let isInterrupted = false;
    const ask = async (questions: readonly Question[]): Promise<readonly Outcome[]> => {
      const outcomes: Outcome[] = [];
      for (const question of questions) {
        if (isReceipt(question) && !isInterrupted) {
          isInterrupted = true;
          await chain.seal();
          await pay();
        }
        const value = (await chain.rpc(question.method, question.params)) as JsonValue;
        outcomes.push({ kind: "answered", result: { value, text: "" } } as Outcome);
      }
      return outcomes;
    };
    await pay();
    const client = { memory: {}, ask } as unknown as BackgroundClient;
    const measured = await measureAhead(client, fastClock(), new AbortController().signal);
    assert.deepEqual([measured?.is, measured?.guess], [false, true]);
  });
});
