import assert from "node:assert/strict";
import { staleAge, staleMs, titleInText } from "../../client/src/staleValue.ts";

describe("a watched value", () => {
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
