import assert from "node:assert/strict";
import { type JsonValue, parseJson } from "../../../server/src/base/json.ts";
import { looseKey, requestKey } from "../../../server/src/recording/requestKey.ts";

const to = `"to":"0x${"aB".repeat(20)}"`;
const params = (text: string): JsonValue | undefined => (text === "" ? undefined : parseJson(text));

describe("a request of another client", () => {
  for (const [method, recorded, asked] of [
    ["eth_chainId", "", "null"],
    ["eth_chainId", "", "[]"],
    ["eth_getBalance", `["0xAB","latest"]`, `["0xab"]`],
    ["eth_getBalance", `["0xAB","pending"]`, `["0xab","latest"]`],
    ["eth_call", `[{${to},"data":"0x01"},"latest"]`, `[{${to.toLowerCase()},"input":"0x01"}]`],
    [
      "eth_call",
      `[{${to},"data":"0x01"}]`,
      `[{"from":"0x${"0".repeat(40)}",${to},"input":"0x01","data":"0x01","chainId":"0x1","nonce":"0x0"},"latest"]`,
    ],
    ["eth_getLogs", `[{"fromBlock":"0x0"}]`, `[{"fromBlock":"0x0","toBlock":"latest","topics":[]}]`],
    ["eth_subscribe", `["logs"]`, `["logs"]`],
    ["eth_subscribe", `["logs",{}]`, `["logs",{"fromBlock":"earliest","toBlock":"latest","topics":[]}]`],
  ] as const) {
    it(`gets the answer to ${method} ${recorded} with ${asked}`, () => {
      assert.equal(looseKey(method, params(asked)), looseKey(method, params(recorded)));
    });
  }

  for (const [method, recorded, asked] of [
    ["eth_getBalance", `["0xab","latest"]`, `["0xab","0x1"]`],
    ["eth_getBalance", `["0xab","latest"]`, `["0xab","earliest"]`],
    ["eth_call", `[{${to},"data":"0x01"}]`, `[{${to},"data":"0x02"}]`],
    ["eth_call", `[{${to}}]`, `[{${to},"from":"0x${"1".repeat(40)}"}]`],
    ["eth_call", `[{${to}}]`, `[{${to}},"latest",{"0x1":{"balance":"0x1"}}]`],
    ["eth_getLogs", `[{"fromBlock":"0x0"}]`, `[{"fromBlock":"0x1"}]`],
    ["eth_getLogs", `[{"toBlock":"0x1"}]`, `[{}]`],
    ["eth_getLogs", `[{"topics":["0x1"]}]`, `[{"topics":[null]}]`],
    ["eth_sendTransaction", `[{${to},"nonce":"0x1"}]`, `[{${to},"nonce":"0x2"}]`],
  ] as const) {
    it(`does not get the answer to ${method} ${recorded} with ${asked}`, () => {
      assert.notEqual(looseKey(method, params(asked)), looseKey(method, params(recorded)));
    });
  }

  it("asks the same with other order and case", () => {
    assert.equal(requestKey("a", params(`[{"b":"0xAB","c":1}]`)), requestKey("a", params(`[{"c":1,"b":"0xab"}]`)));
  });
});
