import assert from "node:assert/strict";
import type { LastResult } from "../../../server/src/analysis/scope.ts";
import { codeLenses } from "../../../server/src/features/codeLens.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { scopeOf } from "../../support/cell.ts";

function titles(text: string, last?: Partial<LastResult>, kind?: "header" | "markdown"): readonly string[] {
  const cell = readCell(text, kind);
  return codeLenses(cell, scopeOf(cell, { lastResult: () => last }), 3).map(
    ({ title, action, index }) => `${title} (${action} ${index})`,
  );
}

describe("code lens", () => {
  it("runs requests and batches", () => {
    assert.deepEqual(titles(`{ "method": "eth_chainId" }`), ["Run (run 3)"]);
    assert.deepEqual(titles(`[{ "method": "eth_chainId" }]`), ["Run batch (run 3)"]);
  });

  it("shows the last result", () => {
    assert.deepEqual(titles(`{ "method": "eth_chainId" }`, { ok: true, summary: "31337" }), [
      "Run (run 3)",
      "✓ 31337 (show-result 3)",
    ]);
    assert.match(titles(`{ "method": "eth_chainId" }`, { ok: false, summary: "reverted" })[1] ?? "", /^✗ reverted/);
  });

  it("is not there for what cannot run", () => {
    assert.deepEqual(titles("# title", undefined, "markdown"), []);
    assert.deepEqual(titles(`{ "endpoint": "x" }`, undefined, "header"), []);
    assert.deepEqual(titles(""), []);
  });
});
