import assert from "node:assert/strict";
import { diagnostics, fileDiagnostics } from "../../../server/src/features/diagnostics.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { readFile } from "../../../server/src/notebook/readFile.ts";
import { scopeOf } from "../../support/cell.ts";

describe("diagnostics", () => {
  it("say what is wrong, how bad it is, and where it is explained", () => {
    const cell = readCell(`{ "method": "eth_getBalanc" }`);
    assert.deepEqual(diagnostics(cell, scopeOf(cell)), [
      {
        span: { start: 12, end: 27 },
        severity: "error",
        code: "unknown-method",
        message: "Unknown method `eth_getBalanc`. Did you mean `eth_getBalance`?",
        docs: "docs/problems.md#unknown-method",
      },
    ]);
  });

  it("quote text of a notebook so that it stays in its quotes", () => {
    const cell = readCell(`{ "method": "eth_chainId", "a\`\\n\u202e[x](y)": 1 }`);
    const [hidden, unknown] = [...diagnostics(cell, scopeOf(cell))].sort((a, b) => a.code.localeCompare(b.code));
    assert.equal(hidden?.code, "bidi-character");
    assert.equal(unknown?.message, "Unknown member `a' \\u202e[x](y)`, which is not sent.");
  });

  it("take in faults of the file as a whole", () =>
    assert.deepEqual(
      fileDiagnostics(readFile("<<<<<<< HEAD\n{}").faults).map(({ code, severity }) => [code, severity])[0],
      ["conflict-marker", "error"],
    ));
});
