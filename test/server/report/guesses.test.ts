import assert from "node:assert/strict";
import { scopeOf } from "../../../server/src/abi/abiScope.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { describeLog } from "../../../server/src/report/describe.ts";
import { descriptionText } from "../../../server/src/report/descriptionText.ts";
import { alice, bob, item, textOf, topic, transferTopic } from "./outcomes.ts";

const log = { address: bob, topics: [transferTopic, topic(alice), topic(bob)], data: topic("0x5") };
const transfer = `0xa9059cbb${topic(alice).slice(2)}${topic("0x5").slice(2)}`;
const own = [
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "function transfer(address to, uint256 value) returns (bool)",
];

const text = (method: string, params: JsonValue, value: JsonValue, abi: readonly string[] = []): string =>
  textOf(method, params, value, { scope: scopeOf(abi.map(item)) });

const event = /Decoded as [^\n]*Transfer\(address,address,uint256\) from ERC-20/;
const call = /Decoded as transfer\(address,uint256\) from ERC-20/;
const simulated = [
  { number: "0x1", calls: [{ status: "0x1", gasUsed: "0x5208", returnData: topic("0x1"), logs: [log] }] },
];
const simulation = [{ blockStateCalls: [{ calls: [{ to: bob, data: transfer }] }] }, "latest"];
const block = {
  number: "0x1",
  transactions: [{ hash: topic("0x9"), from: alice, to: bob, value: "0x0", input: transfer }],
};

describe("a guess in a table", () => {
  for (const [name, method, params, value, wanted] of [
    ["a log", "eth_getLogs", [{}], [log], event],
    ["a log of a receipt", "eth_getBlockReceipts", ["latest"], [{ logs: [log] }], event],
    ["a log of a subscription", "eth_subscribe", ["logs", {}], [log], event],
    ["a simulated call", "eth_simulateV1", simulation, simulated, call],
    ["a log of a simulation", "eth_simulateV1", simulation, simulated, event],
    ["a transaction of a block", "eth_getBlockByNumber", ["latest", true], block, call],
  ] as const satisfies readonly (readonly [string, string, JsonValue, JsonValue, RegExp])[])
    it(`is marked, where it is ${name}, and no guess where the project declares it`, () => {
      assert.match(text(method, params, value), wanted);
      assert.doesNotMatch(text(method, params, value, own), /a guess/);
    });
  it("is marked where the project only has a guessed ABI", () => {
    const guessed = scopeOf(
      own.map((one) => ({ ...item(one), isGuessed: true, address: bob, source: "Guessed.json" })),
    );
    assert.match(textOf("eth_getLogs", [{}], [log], { scope: guessed }), /Guessed\.json.*a guess/);
    assert.match(textOf("eth_getBlockByNumber", ["latest", true], block, { scope: guessed }), /Guessed\.json.*a guess/);
  });
  it("is marked where the project declares the event with other arguments indexed only", () => {
    const two = ["event Transfer(address indexed from, address to, uint256 value)"];
    assert.match(text("eth_getLogs", [{}], [log], two), event);
  });
  it("is no transfer of the native currency, which simulations write as a log", () => {
    const native = { ...log, address: "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee" };
    assert.doesNotMatch(text("eth_getLogs", [{}], [native]), /a guess/);
  });
});

describe("a decoded log", () => {
  it("says that its event is a guess", () =>
    assert.match(descriptionText(describeLog(log)), /from ERC-20, guessed by topic 0/));
});
