import assert from "node:assert/strict";
import { type JsonValue, parseJson } from "../../../server/src/base/json.ts";
import { looseKey, nearestExchange, requestKey } from "../../../server/src/recording/match.ts";
import type { RecordedExchange } from "../../../server/src/recording/recording.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const nearBob = `${bob.slice(0, -2)}00`;
const logs = (fromBlock: string, toBlock: string, address: string) => [{ fromBlock, toBlock, address }];
const call = (data: string) => [{ to: bob, data }, "latest"];
const balanceOf = (end: string) => `0x70a08231${"0".repeat(62)}${end}`;

describe("the nearest recorded request", () => {
  const recorded = (params: RecordedExchange["params"] & object): RecordedExchange => ({
    endpoint: "local",
    method: "m",
    params,
    at: 0,
    tookMs: 1,
    reply: { kind: "fault", reason: "timeout", detail: "" },
  });

  for (const [what, asked, far, near, path] of [
    ["the closest block", [alice, "0x65"], [[alice, "0x1"]], [alice, "0x64"], "params[1]"],
    [
      "the closest of many",
      [alice, "0x65"],
      [
        [alice, "0x1"],
        [alice, "0x70"],
      ],
      [alice, "0x66"],
      "params[1]",
    ],
    ["the same account at another block", [alice, "0x65"], [[bob, "0x65"]], [alice, "0x1"], "params[1]"],
    ["a number, and not a tag", [alice, "0x65"], [[alice, "latest"]], [alice, "0x100"], "params[1]"],
    [
      "two blocks that moved a little",
      logs("0x10", "0x20", alice),
      [logs("0x10", "0x20", bob)],
      logs("0x11", "0x21", alice),
      "params[0].fromBlock",
    ],
    ["the address with most equal digits", [bob, "0x1"], [[alice, "0x1"]], [nearBob, "0x1"], "params[0]"],
    ["the address in other letters", [alice, "0x65"], [[bob, "0x65"]], [alice.toLowerCase(), "0x66"], "params[1]"],
    [
      "the call of the same function",
      call(balanceOf("01")),
      [call("0x18160ddd")],
      call(balanceOf("02")),
      "params[0].data",
    ],
    ["a request with as many parameters", [alice, "0x65"], [[alice]], [alice, "latest"], "params[1]"],
  ] as const)
    it(`is ${what}`, () => {
      const exchanges = [...far, near].map(recorded);
      for (const order of [exchanges, exchanges.toReversed()]) {
        const said = nearestExchange({ id: "1", method: "m", params: asked }, order);
        assert.ok(said.includes(`differs at ${path}: `), said);
        const alone = nearestExchange({ id: "1", method: "m", params: asked }, [recorded(near)]);
        assert.equal(said, alone);
      }
    });

  it("does not differ by a tag that another tag answers, unless there is no other difference", () => {
    const said = (asked: readonly string[]) =>
      nearestExchange({ id: "1", method: "m", params: asked }, [recorded([alice, "pending"])]);
    assert.doesNotMatch(said([bob, "latest"]), /params\[1\]/);
    assert.match(said([alice, "latest"]), /params\[1\]/, "a strict replay refuses another tag");
  });
});

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
