import assert from "node:assert/strict";
import { codeActions } from "../../../server/src/features/codeActions.ts";
import { completion } from "../../../server/src/features/completion.ts";
import { hover } from "../../../server/src/features/hover.ts";
import { plain } from "../../../server/src/features/snippet.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { scopeOf } from "../../support/cell.ts";
import { pluck } from "../../support/pluck.ts";
import { hash } from "../convert/recognise/pastedTexts.ts";

const asked = `{\n  "method": "eth_getTransactionByHash",\n  "params": ["${hash}"],\n  "explain": true\n}`;

describe("a cell that has only a value", () => {
  for (const text of [hash, `"${hash}"`, `{ "text": ["${hash}"] }`]) {
    const cell = readCell(text);
    const scope = scopeOf(cell);

    it(`can be replaced by a request: ${text.slice(0, 12)}`, () => {
      const found = codeActions(cell, { start: 3, end: 3 }, scope).filter(({ title }) =>
        title.startsWith("Explain as"),
      );
      assert.deepEqual(pluck(found, "title"), [
        "Explain as Transaction hash",
        "Explain as Block hash",
        "Explain as Word of 32 bytes",
      ]);
      assert.deepEqual(found[0]?.edits, [{ cell, span: { start: 0, end: text.length }, insert: asked }]);
    });

    it(`says what it may be: ${text.slice(0, 12)}`, () => {
      const shown = hover(cell, 4, scope);
      assert.match(shown?.markdown ?? "", /^\*\*Transaction hash\*\* What the transaction did.*\n\n\*\*Block hash\*\*/);
      assert.deepEqual(shown?.span, { start: 0, end: text.length });
    });
  }

  for (const [text, label] of [
    [hash, /^Explain 0x.*: Transaction hash$/],
    ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", /: Address$/],
    ["21000000", /^Explain 21000000: Block 21,000,000$/],
    ["block 17", /: Block 17$/],
    ["0xa9059cbb", /: Function transfer/],
  ] as const)
    it(`completes ${text.slice(0, 30)}`, () => {
      const cell = readCell(text);
      const [first] = completion(cell, text.length, scopeOf(cell));
      assert.match(first?.label ?? "", label);
      assert.deepEqual([first?.span, first?.filterText], [{ start: 0, end: text.length }, text]);
      assert.equal(readCell(plain(first?.insert ?? "")).requests.length > 0, true);
    });

  it("is nothing else that a person writes", () => {
    for (const text of [
      "",
      "bal",
      "eth_getBalance",
      "last 500 blocks",
      `{ "method": "eth_`,
      "[",
      `{ "params": ["${hash}"] }`,
      "{}",
    ]) {
      const cell = readCell(text);
      const scope = scopeOf(cell);
      assert.ok(!codeActions(cell, { start: 0, end: 0 }, scope).some(({ title }) => title.startsWith("Explain")), text);
      assert.ok(!completion(cell, text.length, scope).some(({ label }) => label.startsWith("Explain")), text);
    }
  });
});
