import assert from "node:assert/strict";
import { watchLine, watchName } from "../../client/src/watchText.ts";

const value = { value: "1.5 ether", detail: "+0.5 ether to latest", spark: "▁▃█" };

describe("a watched value", () => {
  it("comes first, with its difference, then the drawing and its age", () => {
    assert.equal(watchLine(value, "9 s old"), "1.5 ether  +0.5 ether to latest  ▁▃█  9 s old");
    assert.equal(watchLine({ value: "7", spark: "" }, undefined), "7");
  });
  it("has a name of label, value and difference", () =>
    assert.equal(watchName("alice", value, undefined), "alice, 1.5 ether, +0.5 ether to latest"));
});
