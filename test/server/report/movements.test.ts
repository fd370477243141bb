import assert from "node:assert/strict";
import type { CaseFacts } from "../../../server/src/report/caseFacts.ts";
import { valueMovements } from "../../../server/src/report/movements.ts";
import { alice, bob } from "./outcomes.ts";

describe("the value that a transaction moved", () => {
  const transaction = { from: alice, to: bob, value: "0x5" };
  const moved = (facts: object) => {
    const all = { receipt: { status: "0x1", logs: [] }, transaction, ...facts } as unknown as CaseFacts; // no more of them is read
    return valueMovements(all, undefined).map(({ from, to, amount, source }) => {
      const name = (address: string) => (address === alice.toLowerCase() ? "alice" : "bob");
      return `${source}: ${amount} from ${name(from)} to ${name(to)}`;
    });
  };
  const frame = (from: string, to: string, value: string, calls: readonly object[] = []) => {
    return { type: "CALL", from, to, value, gasUsed: "0x1", calls };
  };

  it("is what its calls moved, if there is a trace, and else its own value", () => {
    assert.deepEqual(moved({}), ["transaction: 5 from alice to bob"]);
    const trace = frame(alice, bob, "0x5", [frame(bob, alice, "0x2")]);
    assert.deepEqual(moved({ trace }), ["transaction: 5 from alice to bob", "call 0.0: 2 from bob to alice"]);
  });
  it("leaves out what an account sent itself", () => {
    assert.deepEqual(moved({ transaction: { ...transaction, to: alice } }), []);
    const trace = frame(alice, bob, "0x5", [frame(bob, bob, "0x2")]);
    assert.deepEqual(moved({ trace }), ["transaction: 5 from alice to bob"]);
  });
  it("is nothing if it failed, but what a deposit brings", () => {
    assert.deepEqual(moved({ receipt: { status: "0x0", logs: [] } }), []);
  });
});
