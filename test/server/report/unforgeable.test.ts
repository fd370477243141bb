import assert from "node:assert/strict";
import fc from "fast-check";
import { type AbiScope, scopeOf } from "../../../server/src/abi/abiScope.ts";
import { type AbiItem, itemFromJson, selectorOf } from "../../../server/src/abi/item.ts";
import { type JsonObject, type JsonValue, parseJson } from "../../../server/src/base/json.ts";
import { type Description, describeCall, describeLog } from "../../../server/src/report/describe.ts";
import { descriptionText } from "../../../server/src/report/descriptionText.ts";
import { abiShown } from "../../../server/src/report/shown.ts";
import { tokenShown } from "../../../server/src/report/tokens.ts";
import type { Refused } from "../../../server/src/rpc/outcome.ts";
import { pluck } from "../../support/pluck.ts";
import { alice, bob, callOf, encoded, item, refused, reportFor, textOf } from "./outcomes.ts";

const described = (own: AbiItem, describe: (scope: AbiScope) => Description): string =>
  descriptionText(describe(scopeOf([own])));

/** The same values on every way to a reader. */
const ways: Readonly<Record<string, (types: string, args: readonly JsonValue[]) => string>> = {
  "decoded call data"(types, args) {
    const own = item(`function f(${types})`);
    return described(own, (scope) => describeCall(callOf(own, ...args), scope));
  },
  "what a call returned"(types, args) {
    const own = item(`function f() returns (${types})`);
    const params = [{ to: bob, data: selectorOf(own) }, "latest"];
    return textOf("eth_call", params, encoded(own.outputs, args), { scope: scopeOf([own]) });
  },
  "a table of logs"(types, args) {
    const own = item(`event E(${types})`);
    return textOf("eth_getLogs", [{}], [logOf(own, args)], { scope: scopeOf([own]) });
  },
  "a decoded log"(types, args) {
    const own = item(`event E(${types})`);
    return described(own, (scope) => describeLog(logOf(own, args), scope));
  },
  "the fields of a revert"(types, args) {
    const own = item(`error E(${types})`);
    return textOf("eth_call", [], reverting(own, ...args), { scope: scopeOf([own]) });
  },
};

function logOf({ hash, inputs }: AbiItem, args: readonly JsonValue[]): JsonObject {
  return { address: bob, topics: [hash], data: encoded(inputs, args) };
}

function reverting(error: AbiItem, ...args: readonly JsonValue[]): Refused {
  return refused({ reason: "revert", revertData: callOf(error, ...args) });
}

const failure = item("error Error(string message)");

describe("what a contract writes", () => {
  for (const [way, show] of Object.entries(ways)) {
    it(`cannot look like another item of a list, in ${way}`, () => {
      assert.match(show("string[] list", [[""]]), /\[""\]/);
      assert.match(show("string[] list", [["a, b"]]), /\["a, b"\]/);
      assert.match(show("string[] list", [['a", "b']]), /\["a\\", \\"b"\]/);
    });
    it(`cannot look like another member of a tuple, in ${way}`, () =>
      assert.match(show("(string n, uint8 x) t", [["n, x: 5", 7]]), /\(n: "n, x: 5", x: 7\)/));
    it(`cannot look like an address or a number, in ${way}`, () => {
      const shown = show("(string n, address who, bytes4 id)[] list", [[[bob, alice, "0x12345678"]]]);
      assert.ok(shown.includes(`[(n: "${bob}", who: ${alice}, id: 0x12345678)]`), shown);
    });
  }
  it("shows two lists alike only where they are", () =>
    fc.assert(
      fc.property(
        ...(Array.from({ length: 2 }, () =>
          fc.array(fc.string({ unit: fc.constantFrom(...'",\\[]( )x:5'), maxLength: 8 }), { maxLength: 4 }),
        ) as [fc.Arbitrary<string[]>, fc.Arbitrary<string[]>]),
        (a, b) => {
          const [left, right] = [a, b].map((list) => abiShown(list, "string[]", new Map()).text);
          assert.equal(left === right, JSON.stringify(a) === JSON.stringify(b));
        },
      ),
    ));
  it("cannot end the quotes around a string", () =>
    assert.equal(abiShown('a", x: "5', "string", new Map()).text, '"a\\", x: \\"5"'));
  it("says which items of a list are missing", () =>
    assert.equal(abiShown(["missing", null], "string[]", new Map()).text, '["missing", missing]'));
  it("cannot pass its reason for another revert", () => {
    const summary = (reason: string) => reportFor("eth_call", [], reverting(failure, reason)).summary;
    assert.equal(summary("too small"), "reverted: too small");
    for (const forged of ["Denied(who: 5)", "panic 0x11: an overflow", "no reason given"])
      assert.equal(summary(forged), `reverted: "${forged}"`);
  });
  it("cannot forge an argument of an error with another", () => {
    const own = item("error E(string a, uint8 b)");
    const { summary } = reportFor("eth_call", [], reverting(own, "x, b: 5", 7), { scope: scopeOf([own]) });
    assert.equal(summary, 'reverted: E(a: "x, b: 5", b: 7)');
  });
  it("cannot forge another result in a line of several", () => {
    const reason = callOf(failure, "x, balanceOf 9");
    const calls = item("function tryAll(bytes[] data) returns ((bool ok, bytes data)[] results)");
    const inner = callOf("function transfer(address to, uint256 value)", alice, "5");
    const params = [{ to: bob, data: callOf(calls, [inner]) }, "latest"];
    const results = encoded(calls.outputs, [[[false, reason]]]);
    const { summary } = reportFor("eth_call", params, results, { scope: scopeOf([calls]) });
    assert.match(summary, /transfer reverted: "x, balanceOf 9"$/);
    const failed = [{ number: "0x1", calls: [{ status: "0x0", gasUsed: "0x1", returnData: reason, logs: [] }] }];
    const simulated = reportFor("eth_simulateV1", [{}], failed);
    assert.match(simulated.summary, /1 failed \(reverted: "x, balanceOf 9"\), 1 gas$/);
  });
  it("cannot forge another argument by bytes that are a revert", () => {
    const reason = callOf(failure, "x, b: 5");
    const events = ["event A(bytes a, uint8 b)", "event B(bytes a, uint8 b)"].map(item);
    const logs = events.map((event) => logOf(event, [reason, "7"]));
    assert.match(textOf("eth_getLogs", [{}], logs, { scope: scopeOf(events) }), /a: revert data: "x, b: 5", b: 7 /);
  });
  it("of an endpoint cannot look like another item", () => {
    const block = { number: "0x1", uncles: ["a, b", "c"] };
    assert.match(textOf("eth_getBlockByNumber", ["latest", false], block), /uncles +"a, b", c$/);
  });
  it("cannot forge an amount by the symbol of its token", () => {
    const shown = (symbol: string) => tokenShown("1", { symbol, decimals: 0, source: "its contract" }).text;
    assert.equal(shown("USD₮0"), "1 USD₮0");
    assert.equal(shown("000 USDC, to: 0x12"), '1 "000 USDC, to: 0x12"');
    for (const coin of ["ether", "Ether", "wei"]) assert.equal(shown(coin), `1 "${coin}"`);
    assert.equal(shown("000,000"), '1 "000,000"');
  });
});

describe("the names of an ABI", () => {
  it("are identifiers, or there are none", () => {
    const json = parseJson(
      '{"type":"function","name":"f","inputs":[{"name":"a: 5, b","type":"uint8"},{"name":"ok","type":"bool"}]}',
    );
    assert.deepEqual(pluck(itemFromJson(json ?? null, "Test.json")?.inputs ?? [], "name"), ["", "ok"]);
    assert.equal(
      itemFromJson({ type: "function", name: "f(uint256) from ERC-20", inputs: [] }, "Test.json"),
      undefined,
    );
  });
});
