import assert from "node:assert/strict";
import { labels } from "../../../server/src/analysis/labels.ts";
import { headerValues } from "../../../server/src/notebook/header.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { scopeOf } from "../../support/cell.ts";

const [alice, bob] = [`0x${"a1".repeat(20)}`, `0x${"b0".repeat(20)}`];

const headerWith = (name: string) => readCell(JSON.stringify({ labels: { [alice]: name } }), "header");

describe("a label", () => {
  for (const name of [
    bob,
    bob.toUpperCase(),
    "0xb0b0…b0b0",
    "\u200b0xb0b0b0",
    "０ｘb0b0",
    "pays 0xb0b0b0",
    "0хb0b0b0",
    "OxA0b8…eB48",
    "OxA0b86991",
    "0xAOb8…eB48",
    "0xАСЕ…b0b0",
    "0xb0",
  ])
    it(`that could pass for an address is not shown in place of one: ${name}`, () => {
      const scope = scopeOf(headerWith(name));
      assert.equal(labels(scope).size, 0);
      assert.equal(headerValues(scope.header).labels.size, 0);
    });
  it("is any other text", () => {
    for (const name of ["0xDAO", "0xbase", "Oxford", "Oxide ...", "bob", "x0y", "10x faster", "0x", "vault 0"])
      assert.equal(labels(scopeOf(headerWith(name))).get(alice), name);
  });
});
