import assert from "node:assert/strict";
import { explain } from "../../../server/src/rpc/explain.ts";
import type { Refused } from "../../../server/src/rpc/outcome.ts";

function todo(method: string, reason: Refused["reason"]): string {
  const exchange = { name: "h", host: "h", startedAt: 0, durationMs: 0, status: 200 };
  const refused: Pick<Refused, "kind" | "reason" | "code" | "message"> & { exchange: typeof exchange } = {
    kind: "refused",
    reason,
    code: -32000,
    message: "no",
    exchange,
  };
  return explain(refused as unknown as Refused, method).todo; // the rest of a refusal has no part in it
}

describe("what to do after a refusal", () => {
  it("is to mend a slip of the pen, where the method is none that is known", () => {
    assert.match(
      todo("eth_getBalnce", "unknown-method"),
      /^Did you mean `eth_getBalance`\? Check the spelling, or use/,
    );
    assert.match(todo("getBalance", "unknown-method"), /^Did you mean `eth_getBalance`\?/);
    for (const method of ["eth_getBalance", "zks_getLogs", "nope", "eth_somethingElseAltogether"])
      assert.match(todo(method, "unknown-method"), /^Check the spelling/, method);
  });

  it("speaks of the call, where nothing was to be broadcast", () => {
    assert.match(todo("eth_call", "tx-rejected"), /^Check `gas`, the fees/);
    assert.match(todo("eth_sendRawTransaction", "tx-rejected"), /^Check nonce, fees/);
  });
});
