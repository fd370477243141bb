import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonObject } from "../../../server/src/base/json.ts";
import { formatWei } from "../../../server/src/base/units.ts";
import type { CaseFacts } from "../../../server/src/report/caseFacts.ts";
import { gasSections } from "../../../server/src/report/caseParts.ts";
import { feeWei } from "../../../server/src/report/receipts.ts";
import { times } from "../../support/depth.ts";

const hex = (value: bigint): string => `0x${value.toString(16)}`;
const some = (max: bigint): fc.Arbitrary<bigint | undefined> =>
  fc.option(fc.bigInt({ min: 0n, max }), { nil: undefined });

describe("the fee of a receipt", () => {
  it("is the sum of all its parts, and names each", () => {
    const parts = fc.record({
      gasUsed: fc.bigInt({ min: 0n, max: 30_000_000n }),
      effectiveGasPrice: fc.bigInt({ min: 0n, max: 10n ** 12n }),
      blobGasUsed: some(786_432n),
      blobGasPrice: some(10n ** 10n),
      l1Fee: some(10n ** 16n),
      operatorFeeScalar: some(2n ** 32n - 1n),
      operatorFeeConstant: some(2n ** 64n - 1n),
      daFootprintGasScalar: some(2n ** 16n - 1n),
    });
    fc.assert(
      fc.property(parts, (given) => {
        const { gasUsed, operatorFeeScalar: scalar = 0n, operatorFeeConstant = 0n } = given;
        const isJovian = given.daFootprintGasScalar !== undefined;
        const blobs = isJovian ? 0n : (given.blobGasUsed ?? 0n) * (given.blobGasPrice ?? 0n);
        const operator = (isJovian ? gasUsed * scalar * 100n : (gasUsed * scalar) / 10n ** 6n) + operatorFeeConstant;
        const all = gasUsed * given.effectiveGasPrice + blobs + (given.l1Fee ?? 0n) + operator;
        const entries = Object.entries(given).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, hex(value)] as const],
        );
        const receipt: JsonObject = Object.fromEntries(entries);
        assert.equal(feeWei(receipt), all);
        const [gas] = gasSections({ receipt } as CaseFacts);
        const shown = gas?.kind === "fields" ? gas.fields.map(({ name, value }) => `${name} ${value.text}`) : [];
        const named = { fee: all, blobs, "L1 part": given.l1Fee ?? 0n, "operator part": operator };
        for (const [name, wei] of Object.entries(named))
          assert.equal(
            shown.some((line) => line.startsWith(`${name} ${formatWei(wei)}`)),
            name === "fee" || wei > 0n,
            name,
          );
      }),
      { numRuns: times(2000) },
    );
  });
});
