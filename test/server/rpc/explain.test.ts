import assert from "node:assert/strict";
import { explain } from "../../../server/src/rpc/explain.ts";
import type { Refused } from "../../../server/src/rpc/outcome.ts";

function todo(method: string, reason: Refused["reason"], code = -32000): string {
  const exchange = { name: "h", host: "h", startedAt: 0, durationMs: 0, status: 200 };
  const refused: Pick<Refused, "kind" | "reason" | "code" | "message"> & { exchange: typeof exchange } = {
    kind: "refused",
    reason,
    code,
    message: "no",
    exchange,
  };
  return explain(refused as unknown as Refused, method).todo; // the rest of a refusal has no part in it
}

describe("what to do after a refusal", () => {
  it("is to fix a misspelled method", () => {
    assert.match(
      todo("eth_getBalnce", "unknown-method"),
      /^Did you mean `eth_getBalance`\? Check the spelling, or use/,
    );
    assert.match(todo("getBalance", "unknown-method"), /^Did you mean `eth_getBalance`\?/);
    for (const method of ["zks_getLogs", "nope", "eth_somethingElseAltogether"])
      assert.match(todo(method, "unknown-method"), /^Check the spelling/, method);
    assert.doesNotMatch(todo("eth_getBalance", "unknown-method"), /spelling/);
  });

  it("is about the call if nothing was to be broadcast", () => {
    assert.match(todo("eth_call", "tx-rejected"), /^Check `gas`, the fees/);
    assert.match(todo("eth_sendRawTransaction", "tx-rejected"), /^Check nonce, fees/);
  });

  it("is about what took so long", () => {
    assert.match(todo("eth_getLogs", "timeout"), /fewer blocks/);
    assert.match(todo("debug_traceTransaction", "timeout"), /shorter trace/);
    for (const method of ["eth_call", "eth_estimateGas", "eth_simulateV1", "eth_getBalance"])
      assert.doesNotMatch(todo(method, "timeout"), /fewer blocks|trace/, method);
  });

  it("is about what each code of a simulation says", () => {
    const codes = [10, 11, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26].map((code) => -38000 - code);
    const todos = new Set(codes.map((code) => todo("eth_simulateV1", "simulation", code)));
    assert.equal(todos.size, codes.length);
    assert.ok(!todos.has(todo("eth_simulateV1", "simulation")));
    assert.match(todo("eth_simulateV1", "simulation", -38014), /balance/);
  });
});
