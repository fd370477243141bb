import assert from "node:assert/strict";
import { watchLine, watchName } from "../../client/src/watchText.ts";

const value = { value: "1.23457 ether", exact: "1.234567 ether", detail: "+0.5 ether since latest", spark: "▁▃█" };

describe("a watched value", () => {
  it("is in six digits after its difference, before the drawing and its age", () => {
    assert.equal(watchLine(value, "9 s old"), "+0.5 ether since latest  1.23457 ether  ▁▃█  9 s old");
    assert.equal(watchLine({ value: "7", spark: "" }, undefined), "7");
  });
  it("has a name of label, difference and exact value", () =>
    assert.equal(watchName("alice", value, undefined), "alice, +0.5 ether since latest, 1.234567 ether"));
});
