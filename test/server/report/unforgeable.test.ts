import assert from "node:assert/strict";
import fc from "fast-check";
import { scopeOf } from "../../../server/src/abi/abiScope.ts";
import { encodeParams } from "../../../server/src/abi/encode.ts";
import { type AbiItem, itemFromJson, parseItem, selectorOf } from "../../../server/src/abi/item.ts";
import { type JsonValue, parseJson } from "../../../server/src/base/json.ts";
import { describeCall, describeLog } from "../../../server/src/report/describe.ts";
import { descriptionText } from "../../../server/src/report/descriptionText.ts";
import { reportOf } from "../../../server/src/report/reportOf.ts";
import { abiShown } from "../../../server/src/report/shown.ts";
import { reportText } from "../../../server/src/report/text.ts";
import { tokenShown } from "../../../server/src/report/tokens.ts";
import { alice, answered, bob, refused } from "./outcomes.ts";

function item(declaration: string): AbiItem {
  const found = parseItem(declaration, "test");
  assert.ok(found, declaration);
  return found;
}

function encoded(params: AbiItem["inputs"], args: JsonValue): string {
  const found = encodeParams(params, args, () => false);
  assert.ok(found.kind === "encoded");
  return found.hex;
}

/** The same values on every way to a reader. */
const ways: Readonly<Record<string, (types: string, args: readonly JsonValue[]) => string>> = {
  "decoded call data"(types, args) {
    const { inputs } = item(`function f(${types})`);
    return descriptionText(
      describeCall(
        selectorOf(item(`function f(${types})`)) + encoded(inputs, args).slice(2),
        scopeOf([item(`function f(${types})`)]),
      ),
    );
  },
  "what a call returned"(types, args) {
    const own = item(`function f() returns (${types})`);
    const params = [{ to: bob, data: selectorOf(own) }, "latest"];
    const outcome = answered(encoded(own.outputs, args));
    return reportText(reportOf({ title: "t", method: "eth_call", params, outcome, scope: scopeOf([own]) }));
  },
  "a table of logs"(types, args) {
    const own = item(`event E(${types})`);
    const outcome = answered([{ address: bob, topics: [own.hash], data: encoded(own.inputs, args) }]);
    return reportText(reportOf({ title: "t", method: "eth_getLogs", params: [{}], outcome, scope: scopeOf([own]) }));
  },
  "a decoded log"(types, args) {
    const own = item(`event E(${types})`);
    return descriptionText(
      describeLog({ address: bob, topics: [own.hash], data: encoded(own.inputs, args) }, scopeOf([own])),
    );
  },
  "the fields of a revert"(types, args) {
    const own = item(`error E(${types})`);
    const outcome = refused({ reason: "revert", revertData: selectorOf(own) + encoded(own.inputs, args).slice(2) });
    return reportText(reportOf({ title: "t", method: "eth_call", params: [], outcome, scope: scopeOf([own]) }));
  },
};

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
    const summary = (reason: string) => {
      const own = item("error Error(string message)");
      const outcome = refused({
        reason: "revert",
        revertData: selectorOf(own) + encoded(own.inputs, [reason]).slice(2),
      });
      return reportOf({ title: "t", method: "eth_call", params: [], outcome }).summary;
    };
    assert.equal(summary("too small"), "reverted: too small");
    assert.equal(summary("Denied(who: 5)"), 'reverted: "Denied(who: 5)"');
    assert.equal(summary("panic 0x11: an overflow"), 'reverted: "panic 0x11: an overflow"');
    assert.equal(summary("no reason given"), 'reverted: "no reason given"');
  });
  it("cannot forge an argument of an error with another", () => {
    const own = item("error E(string a, uint8 b)");
    const outcome = refused({
      reason: "revert",
      revertData: selectorOf(own) + encoded(own.inputs, ["x, b: 5", 7]).slice(2),
    });
    const { summary } = reportOf({ title: "t", method: "eth_call", params: [], outcome, scope: scopeOf([own]) });
    assert.equal(summary, 'reverted: E(a: "x, b: 5", b: 7)');
  });
  it("cannot forge another result in a line of several", () => {
    const error = item("error Error(string message)");
    const reason = selectorOf(error) + encoded(error.inputs, ["x, balanceOf 9"]).slice(2);
    const calls = item("function tryAll(bytes[] data) returns ((bool ok, bytes data)[] results)");
    const inner = `0xa9059cbb${encoded(item("function f(address to, uint256 value)").inputs, [alice, "5"]).slice(2)}`;
    const params = [{ to: bob, data: selectorOf(calls) + encoded(calls.inputs, [[inner]]).slice(2) }, "latest"];
    const outcome = answered(encoded(calls.outputs, [[[false, reason]]]));
    const report = reportOf({ title: "t", method: "eth_call", params, outcome, scope: scopeOf([calls]) });
    assert.match(report.summary, /transfer reverted: "x, balanceOf 9"$/);
    const failed = [{ number: "0x1", calls: [{ status: "0x0", gasUsed: "0x1", returnData: reason, logs: [] }] }];
    const simulated = reportOf({ title: "t", method: "eth_simulateV1", params: [{}], outcome: answered(failed) });
    assert.match(simulated.summary, /1 failed \(reverted: "x, balanceOf 9"\), 1 gas$/);
  });
  it("cannot forge another argument by bytes that are a revert", () => {
    const error = item("error Error(string message)");
    const reason = selectorOf(error) + encoded(error.inputs, ["x, b: 5"]).slice(2);
    const events = ["event A(bytes a, uint8 b)", "event B(bytes a, uint8 b)"].map(item);
    const logs = events.map(({ hash, inputs }) => ({
      address: bob,
      topics: [hash],
      data: encoded(inputs, [reason, "7"]),
    }));
    const report = reportOf({
      title: "t",
      method: "eth_getLogs",
      params: [{}],
      outcome: answered(logs),
      scope: scopeOf(events),
    });
    assert.match(reportText(report), /a: revert data: "x, b: 5", b: 7 /);
  });
  it("of an endpoint cannot look like another item", () => {
    const outcome = answered({ number: "0x1", uncles: ["a, b", "c"] });
    const report = reportOf({ title: "t", method: "eth_getBlockByNumber", params: ["latest", false], outcome });
    assert.match(reportText(report), /uncles +"a, b", c\n/);
  });
  it("cannot forge an amount by the symbol of its token", () => {
    const shown = (symbol: string) => tokenShown("1", { symbol, decimals: 0, source: "its contract" }).text;
    assert.equal(shown("USD₮0"), "1 USD₮0");
    assert.equal(shown("000 USDC, to: 0x12"), '1 "000 USDC, to: 0x12"');
    assert.equal(shown("000,000"), '1 "000,000"');
  });
});

describe("the names of an ABI", () => {
  it("are identifiers, or there are none", () => {
    const json = parseJson(
      '{"type":"function","name":"f","inputs":[{"name":"a: 5, b","type":"uint8"},{"name":"ok","type":"bool"}]}',
    );
    assert.deepEqual(
      itemFromJson(json ?? null, "Test.json")?.inputs.map(({ name }) => name),
      ["", "ok"],
    );
    assert.equal(
      itemFromJson({ type: "function", name: "f(uint256) from ERC-20", inputs: [] }, "Test.json"),
      undefined,
    );
  });
});
