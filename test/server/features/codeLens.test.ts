import assert from "node:assert/strict";
import type { LastResult } from "../../../server/src/analysis/scope.ts";
import { codeLenses } from "../../../server/src/features/codeLens.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { scopeOf } from "../../support/cell.ts";

function titles(text: string, last?: Partial<LastResult>, kind?: "header" | "markdown", index = 3): readonly string[] {
  const cell = readCell(text, kind);
  return codeLenses(cell, scopeOf(cell, { lastResult: () => last }), index).map(
    ({ title, action, index }) => `${title} (${action} ${index})`,
  );
}

describe("code lens", () => {
  it("runs requests and batches, alone or with all before them, and shows what they send", () => {
    const rest = ["Run above (run-above 3)", "Wire form (wire-form 3)", "Copy as… (copy-as 3)"];
    assert.deepEqual(titles(`{ "method": "eth_chainId" }`), ["Run (run 3)", ...rest]);
    assert.deepEqual(titles(`[{ "method": "eth_chainId" }]`), ["Run batch (run 3)", ...rest]);
  });

  it("offers nothing above the first cell", () =>
    assert.deepEqual(titles(`{ "method": "eth_chainId" }`, undefined, undefined, 0), [
      "Run (run 0)",
      "Wire form (wire-form 0)",
      "Copy as… (copy-as 0)",
    ]));

  it("offers the calls inside calls", () => {
    const traced = (method: string) => titles(`{ "method": "${method}" }`).includes("Trace (trace 3)");
    assert.deepEqual(["eth_call", "eth_simulateV1", "eth_getBalance"].map(traced), [true, true, false]);
  });

  it("shows the last result", () => {
    assert.equal(
      titles(`{ "method": "eth_chainId" }`, { ok: true, summary: "31337" }).at(-1),
      "✓ 31337 (show-result 3)",
    );
    assert.match(titles(`{ "method": "eth_chainId" }`, { ok: false, summary: "reverted" }).at(-1) ?? "", /^✗ reverted/);
  });

  it("explains an error message that a cell has in place of a request", () => {
    const message = `Error: VM Exception (transaction: 0x${"ab".repeat(32)})`;
    assert.deepEqual(titles(message), ["Explain (explain 3)"]);
    assert.deepEqual(titles(JSON.stringify({ text: [message] })), ["Explain (explain 3)"]);
    assert.deepEqual(titles("balance"), []);
  });

  it("is not there for what cannot run", () => {
    assert.deepEqual(titles("# title", undefined, "markdown"), []);
    assert.deepEqual(titles(`{ "endpoint": "x" }`, undefined, "header"), []);
    assert.deepEqual(titles(""), []);
  });
});
