import assert from "node:assert/strict";
import fc from "fast-check";
import { readRowFile } from "../../../server/src/evaluate/rowFile.ts";
import { csvLine } from "../../../server/src/save/csv.ts";
import { times } from "../../support/depth.ts";

describe("rows of a CSV file that this program wrote", () => {
  it("have the values that were written, whatever they begin with", () => {
    const begun = fc.constantFrom("", "'", "''", "=", "+1", "-2", "-a", "' =", "\t", " @", "\n", '"', "＝");
    const value = fc.tuple(begun, fc.string({ unit: "binary" })).map(([start, rest]) => start + rest);
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 5 }), (lines) => {
        const text = [["a", "b"], ...lines].map((line) => `${csvLine(line)}\n`).join("");
        const rows = readRowFile("a.csv", text);
        assert.deepEqual("rows" in rows && rows.rows.map(({ a, b }) => [a, b]), lines);
      }),
      { numRuns: times(1000) },
    );
  });
});
