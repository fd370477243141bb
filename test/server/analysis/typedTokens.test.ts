import assert from "node:assert/strict";
import fc from "fast-check";
import { cursorContext } from "../../../server/src/analysis/cursorContext.ts";
import { pathFrom, typedTokens } from "../../../server/src/analysis/typedTokens.ts";
import { bundledCatalog } from "../../../server/src/catalog/catalog.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";

const samples = [
  `{ "name": "b", "method": "eth_call", "params": [{ "to": "0x", "accessList": [{ "storageKeys": ["0x1"] }] }, "latest"] }`,
  `[{ "method": "eth_getLogs", "params": [{ "topics": [null, ["0x"]] }] }, 5, { "params": {} }]`,
  `{ "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ "stateOverrides": { "0x12": { "balance": 1 } } }] }], "expect": { "a": { ">=": 1 } } }`,
];

describe("words", () => {
  it("are every key and every value, with the way to each", () =>
    assert.deepEqual(
      typedTokens(readCell(`{ "params": [{ "to": "0x" }, 5] }`), bundledCatalog).map(({ kind, text, path }) => [
        kind,
        text,
        pathFrom(path, 0).join("/"),
      ]),
      [
        ["key", "params", "params"],
        ["key", "to", "params/0/to"],
        ["value", "0x", "params/0/to"],
        ["value", "5", "params/1"],
      ],
    ));

  it("are what placeAt says of them, also in broken text", () =>
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.nat(160), (sample, length) => {
        const cell = readCell(sample.slice(0, length));
        for (const { span, kind, text, role, owner, param, path, method } of typedTokens(cell, bundledCatalog)) {
          const place = cursorContext(cell, Math.min(span.start + 1, span.end), bundledCatalog);
          assert.deepEqual(
            place && [
              place.span,
              place.kind,
              place.text,
              place.role,
              place.owner,
              place.param,
              place.path,
              place.method,
            ],
            [span, kind, text, role, owner, param, path, method],
          );
        }
      }),
    ));

  it("are none in markdown", () => assert.deepEqual(typedTokens(readCell("# a", "markdown"), bundledCatalog), []));
});
