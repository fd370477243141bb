import assert from "node:assert/strict";
import { whyNotName } from "../../../server/src/evaluate/save.ts";
import { expectLinear } from "../../support/growth.ts";

describe("the name of a file of logs", () => {
  it("has placeholders, and no other braces", () => {
    for (const [name, isRight] of [
      ["a/{{day}}-{{n.result}}.csv", true],
      ["{day}.csv", false],
      ["{{day}}-{from}.csv", false],
    ] as const)
      assert.equal(whyNotName(name) === undefined, isRight, name);
  });
  it("is checked in time in proportion to its length", () =>
    expectLinear(80_000, (length) => whyNotName(`${"{{".repeat(length / 2)}.csv`)));
});
