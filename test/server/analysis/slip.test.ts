import assert from "node:assert/strict";
import { isSlip } from "../../../server/src/analysis/slip.ts";

describe("a slip", () => {
  for (const [typed, name] of [
    ["eth_getBalanc", "eth_getBalance"],
    ["eth_getBalancee", "eth_getBalance"],
    ["eth_getBalamce", "eth_getBalance"],
    ["eth_getBalacne", "eth_getBalance"],
    ["eth_getbalance", "eth_getBalance"],
    ["", "a"],
  ] as const) {
    it(`is ${typed || "nothing"} for ${name}`, () => assert.ok(isSlip(typed, name)));
  }
  for (const [typed, name] of [
    ["eth_call", "eth_call"],
    ["eth_getCode", "eth_getLogs"],
    ["eth_getBalan", "eth_getBalance"],
    ["zks_getLogs", "eth_getLogs"],
  ] as const) {
    it(`is not ${typed} for ${name}`, () => assert.ok(!isSlip(typed, name)));
  }
});
