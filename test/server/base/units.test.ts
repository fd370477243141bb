import assert from "node:assert/strict";
import fc from "fast-check";
import { amountInWei, formatUnit, formatWei, grouped } from "../../../server/src/base/units.ts";

describe("an amount", () => {
  for (const [text, want] of [
    ["1.5 ether", 15n * 10n ** 17n],
    ["30 gwei", 30n * 10n ** 9n],
    ["30gwei", 30n * 10n ** 9n],
    ["1 Ether", 10n ** 18n],
    ["1,234.50 gwei", 1_234_500_000_000n],
    ["21000", 21000n],
    ["1.0 wei", 1n],
    ["1.5", "unit"],
    ["1 eth", "unit"],
    ["1 constructor", "unit"],
    ["1.5 wei", "precision"],
    ["0.0000000001 gwei", "precision"],
    ["-1 ether", "negative"],
    ["−1 ether", "negative"],
  ] as const)
    it(`${text} is ${want}`, () => assert.equal(amountInWei(text), want));

  it("is not read from anything else", () => {
    const others = "|1 __proto__|0xb|-0xb|0Xb|5ff|12a|1e18|0x1 ether|1,23 ether|.5 ether|1. ether|1e3 ether|ether";
    for (const text of [...others.split("|"), "9".repeat(1_000_000)]) assert.equal(amountInWei(text), undefined);
  });

  it("is read as it is shown", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
        fc.constantFrom("wei", "gwei", "ether"),
        (wei, unit) => {
          assert.equal(amountInWei(formatUnit(wei, unit)), wei);
          assert.equal(amountInWei(formatWei(wei)), wei);
        },
      ),
    );
  });
});

describe("digits in groups", () => {
  for (const [digits, want] of [
    ["123", "123"],
    ["1234", "1,234"],
    ["-123456", "−123,456"],
    ["-1234.5", "−1,234.5"],
    ["no number 1234", "no number 1234"],
    ["9".repeat(600_000), "999,".repeat(200_000).slice(0, -1)],
  ] as const)
    it(`are ${want.slice(0, 20)}`, () => assert.equal(grouped(digits) === want, true, digits.slice(0, 20)));
});
