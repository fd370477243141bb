import assert from "node:assert/strict";
import { staleAge, staleMs, titleInText, watchLine, watchName } from "../../client/src/watchText.ts";

const value = {
  id: "1",
  ok: true,
  value: "1.23457 ether",
  exact: "1.234567 ether",
  detail: "+0.5 ether since latest",
  spark: "▁▃█",
};

describe("a watched value", () => {
  it("is in six digits after its difference, before the drawing and its age", () => {
    assert.equal(watchLine(value, "9 s old"), "+0.5 ether since latest  1.23457 ether  ▁▃█  9 s old");
    assert.equal(watchLine({ id: "1", ok: true, value: "7", spark: "" }, undefined), "7");
  });
  it("has a name of label, difference and exact value", () =>
    assert.equal(watchName("alice", value, undefined), "alice, +0.5 ether since latest, 1.234567 ether"));

  it("holds while its endpoint reports its head", () => {
    assert.equal(staleAge(1000, 1000), undefined);
    assert.equal(staleAge(1000, 1000 + staleMs), undefined);
  });
  it("is old after that, by so much", () => assert.equal(staleAge(1000, 1001 + staleMs), staleMs + 1));
  it("is not old before its endpoint has reported a head", () => assert.equal(staleAge(undefined, 1e12), undefined));
});

describe("the title of a watched cell", () => {
  it("is its name, else its method", () => {
    assert.equal(titleInText('{ "method": "eth_call", "name" : "supply" }'), "supply");
    assert.equal(titleInText('{ "method": "eth_call", "params": [] }'), "eth_call");
  });
  it("is found in a cell that is still being typed", () =>
    assert.equal(titleInText('{ "method": "eth_call", "par'), "eth_call"));
  it("is not a text that is too long for a line, nor an empty one", () => {
    assert.equal(titleInText(`{ "name": "${"a".repeat(41)}", "method": "eth_call" }`), "eth_call");
    assert.equal(titleInText('{ "name": "", "params": [] }'), undefined);
  });
});
