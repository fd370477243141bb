import assert from "node:assert/strict";
import { isTypo } from "../../../server/src/analysis/typo.ts";

describe("a slip", () => {
  for (const [typed, name] of [
    ["eth_getBalanc", "eth_getBalance"],
    ["eth_getBalancee", "eth_getBalance"],
    ["eth_getBalamce", "eth_getBalance"],
    ["eth_getBalacne", "eth_getBalance"],
    ["eth_getbalance", "eth_getBalance"],
    ["", "a"],
  ] as const)
    it(`is ${typed || "nothing"} for ${name}`, () => assert.ok(isTypo(typed, name)));
  for (const [typed, name] of [
    ["eth_call", "eth_call"],
    ["eth_getCode", "eth_getLogs"],
    ["eth_getBalan", "eth_getBalance"],
    ["zks_getLogs", "eth_getLogs"],
  ] as const)
    it(`is not ${typed} for ${name}`, () => assert.ok(!isTypo(typed, name)));
});
