import assert from "node:assert/strict";
import fc from "fast-check";
import { placeAt } from "../../../server/src/analysis/placeAt.ts";
import { bundledCatalog } from "../../../server/src/catalog/catalog.ts";
import { codeLenses } from "../../../server/src/features/codeLens.ts";
import { completion } from "../../../server/src/features/completion.ts";
import { diagnostics } from "../../../server/src/features/diagnostics.ts";
import { hover } from "../../../server/src/features/hover.ts";
import { plain } from "../../../server/src/features/snippet.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { scopeOf } from "../../support/cell.ts";

const samples = [
  `{ "name": "b", "method": "eth_getBalance", "params": ["{{alice}}", "pending"], "expect": { "result": { ">=": "1" } } }`,
  `{\n  "method": "eth_call",\n  "params": [{ "to": "{{token}}", "data": "0x70a08231" }, { "blockNumber": "0x1" }]\n}`,
  `{ "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ "stateOverrides": { "0x12": { "state": {} } }, "calls": [{ "gas": 1 }] }] }, "late`,
  `{ "method": "eth_getLogs", "params": [{ "address": [], "topics": [null, ["0x\\u00e9", "\u{1f600}"]], "fromBlock": "0x1" }] }`,
  `{ "batch": [{ "method": "eth_chainId" }, [], 3, { "params": {} }], "__proto__": 1, "constructor": { "toString": 2 } }`,
  `[{"method":"eth_chainId",}, {"method" "x"} "y" ]]}} {"`,
];
const around = {
  header: `{ "variables": { "alice": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }, "labels": { "0x": 1 } }`,
};

/** Asks every feature at one place; what they say has to lie in the text. */
function ask(text: string, offset: number): void {
  for (const kind of [undefined, "header"] as const) {
    const cell = readCell(text, kind);
    const scope = scopeOf(cell, around);
    const spans = [
      ...diagnostics(cell, scope),
      ...codeLenses(cell, scope, 0),
      hover(cell, offset, scope) ?? [],
      placeAt(cell, offset, bundledCatalog) ?? [],
      ...completion(cell, offset, scope),
    ]
      .flat()
      .map(({ span }) => span);
    for (const { start, end } of spans) assert.ok(0 <= start && start <= end && end <= text.length, text);
  }
}

describe("features", () => {
  it("answer at every place of a cell, and at the end of every beginning", () => {
    for (const sample of samples) {
      for (let offset = 0; offset <= sample.length; offset++) {
        ask(sample, offset);
        ask(sample.slice(0, offset), offset);
      }
    }
  });

  it("answer at any place of any beginning", () =>
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.nat(250), fc.nat(250), (sample, length, offset) => {
        const text = sample.slice(0, length);
        ask(text, Math.min(offset, text.length));
      }),
      { numRuns: 300 },
    ));

  it("answer for text of any kind", () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            '"',
            "\\",
            "\n",
            "0x",
            "{{",
            "}}",
            "method",
            '"params"',
            "eth_call",
            "1",
          ),
        ),
        fc.nat(60),
        (parts, at) => {
          const text = parts.join("");
          ask(text, Math.min(at, text.length));
        },
      ),
      { numRuns: 300 },
    ));

  it("leave valid JSON behind in a valid cell", () => {
    for (const sample of samples.slice(0, 2)) {
      for (let offset = 0; offset <= sample.length; offset++) {
        const cell = readCell(sample);
        for (const { span, insert, snippet, also = [] } of completion(cell, offset, scopeOf(cell, around))) {
          const edits = [{ span, insert: snippet ? plain(insert) : insert }, ...also].sort(
            (a, b) => b.span.start - a.span.start,
          );
          const after = edits.reduce(
            (text, edit) => text.slice(0, edit.span.start) + edit.insert + text.slice(edit.span.end),
            sample,
          );
          assert.doesNotThrow(() => JSON.parse(after), after);
        }
      }
    }
  });
});
