import assert from "node:assert/strict";
import { explain } from "../../../server/src/rpc/explain.ts";
import type { Refused } from "../../../server/src/rpc/outcome.ts";
import { refused } from "../report/outcomes.ts";

function todo(method: string, reason: Refused["reason"], code = -32000): string {
  return explain(refused({ reason, code }), method).todo;
}

describe("what to do after a refusal", () => {
  it("is to fix a misspelled method", () => {
    for (const method of ["eth_getBalnce", "getBalance"])
      assert.match(todo(method, "unknown-method"), /`eth_getBalance`/);
    for (const method of ["zks_getLogs", "nope", "eth_getBalance"])
      assert.doesNotMatch(todo(method, "unknown-method"), /`eth_/, method);
  });

  it("is another for a method that only reads, or that takes long for another reason", () => {
    assert.notEqual(todo("eth_call", "tx-rejected"), todo("eth_sendRawTransaction", "tx-rejected"));
    const slow = ["eth_getLogs", "debug_traceTransaction", "eth_call"].map((method) => todo(method, "timeout"));
    assert.equal(new Set(slow).size, 3);
  });

  it("is another for each code of a simulation", () => {
    const codes = [10, 11, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26].map((code) => -38000 - code);
    const todos = new Set([-32000, ...codes].map((code) => todo("eth_simulateV1", "simulation", code)));
    assert.equal(todos.size, codes.length + 1);
  });
});
