import assert from "node:assert/strict";
import type { Shown } from "../../../server/src/report/report.ts";
import { plainText, plainUnit, screenColumns, screenRow } from "../../../server/src/report/screenTable.ts";
import { addressShown, quantityShown, weiShown } from "../../../server/src/report/shown.ts";
import { table } from "../../../server/src/report/table.ts";
import { tokenShown } from "../../../server/src/report/tokens.ts";
import { alice } from "./outcomes.ts";

const dollar = { symbol: "DUSD", decimals: 6, source: "the contract" };
const unlimited = tokenShown(String(2n ** 256n - 1n), dollar, "approve(address,uint256)");

/** Columns and numbers of a table with these cells in one column, beside a column of ordinals. */
function column(cells: readonly Shown[]) {
  const section = table(cells, [
    { name: "n", of: (_, index) => ({ text: String(index) }) },
    { name: "v", of: (cell) => cell },
  ]);
  const columns = screenColumns(section);
  return { column: columns[1], numbers: section.rows.map((row) => screenRow(row, columns)[1]?.number) };
}

describe("a table on a screen", () => {
  it("calls only an allowance unlimited", () => {
    for (const [signature, isUnlimited] of [
      ["balanceOf(address)", false],
      ["allowance(address,address)", true],
      ["", false],
    ] as const)
      assert.equal(/^unlimited/.test(tokenShown(String(2n ** 256n - 1n), dollar, signature).text), isUnlimited);
  });
  it("has the unit of amounts in the head, that of the largest for ether", () => {
    const { column: gas, numbers } = column([weiShown(30_000_000_000n), weiShown(15n * 10n ** 17n)]);
    assert.deepEqual([gas?.unit, numbers], ["ether", ["0.00000003", "1.5"]]);
  });
  it("has tokens in their unit, and says what has no number", () => {
    const { column: value, numbers } = column([tokenShown("2500000", dollar), unlimited]);
    assert.deepEqual([value?.unit, numbers], ["DUSD", ["2.5", undefined]]);
  });
  it("has no unit for amounts of different tokens", () => {
    const other = tokenShown("1", { symbol: "X", decimals: 0, source: "" });
    assert.equal(column([tokenShown("1", dollar), other]).column?.unit, undefined);
  });
  it("says once what all rows share, unless that is all", () => {
    assert.equal(column([addressShown(alice, new Map()), addressShown(alice, new Map())]).column?.shared?.text, alice);
    assert.equal(column([{ text: "a" }, { text: "b" }]).column?.shared, undefined);
    assert.equal(column([{ text: "a" }]).column?.shared, undefined);
  });
});

describe("a value for other programs", () => {
  for (const [cell, plain] of [
    [unlimited, String(2n ** 256n - 1n)],
    [tokenShown("2500000", dollar), "2500000"],
    [weiShown(30_000_000_000n), "30000000000"],
    [quantityShown("0x2", "gas"), "2"],
    [{ ...quantityShown("0x107d", "block"), text: "4,221 pre-confirmed" }, "4221"],
    [quantityShown("0x65920080", "seconds"), "2024-01-01T00:00:00Z"],
    [addressShown(alice, new Map([[alice.toLowerCase(), "alice"]])), alice],
    [{ text: "succeeded", raw: "0x1" }, "succeeded"],
    [{ text: "38.0%", raw: "0.38" }, "0.38"],
    [{ text: "1,291" }, "1291"],
  ] satisfies readonly (readonly [Shown, string])[])
    it(`of ${cell.text} is ${plain.slice(0, 30)}`, () => assert.equal(plainText(cell), plain));

  it("has one unit a column", () => {
    assert.equal(plainUnit([weiShown(5n), weiShown(10n ** 18n), { text: "" }]), "wei");
    assert.equal(plainUnit([tokenShown("1", dollar), unlimited]), "10^-6 DUSD");
    assert.equal(plainUnit([{ text: "1" }]), undefined);
  });
});
