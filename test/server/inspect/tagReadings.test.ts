import assert from "node:assert/strict";
import { returnDataIn } from "../../../server/src/inspect/tagReadings.ts";

describe("what the first call of a simulation returned", () => {
  it("is read from the answer", () => assert.equal(returnDataIn([{ calls: [{ returnData: "0x01" }] }]), "0x01"));
  it("is nothing in an answer of another form", () => {
    for (const answer of [
      undefined,
      null,
      {},
      [],
      [null],
      [{}],
      [{ calls: null }],
      [{ calls: [] }],
      [{ calls: ["0x"] }],
    ])
      assert.equal(returnDataIn(answer), undefined);
  });
});
