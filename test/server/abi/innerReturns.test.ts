import assert from "node:assert/strict";
import fc from "fast-check";
import { scopeOf } from "../../../server/src/abi/abiScope.ts";
import { decodeCall } from "../../../server/src/abi/decodeCall.ts";
import { revertReason } from "../../../server/src/abi/decodeRevert.ts";
import { encodeParams } from "../../../server/src/abi/encode.ts";
import { decodeReturns, type InnerReturned, innerReturns } from "../../../server/src/abi/innerReturns.ts";
import { type AbiItem, parseItem, selectorOf } from "../../../server/src/abi/item.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { rows } from "../../support/rows.ts";

const alice = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const bob = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3";

function item(text: string): AbiItem {
  const found = parseItem(text, "Test.json");
  assert.ok(found, text);
  return found;
}

function encoded(params: AbiItem["inputs"], args: JsonValue): string {
  const found = encodeParams(params, args, () => false);
  assert.ok(found.kind === "encoded");
  return found.hex;
}

function call(text: string, ...args: readonly JsonValue[]): string {
  return selectorOf(item(text)) + encoded(item(text).inputs, args).slice(2);
}

function returned(text: string, ...args: readonly JsonValue[]): string {
  return encoded(item(text).outputs, args);
}

const balanceOf = "function balanceOf(address owner) returns (uint256 balance)";
const transfer = "function transfer(address to, uint256 value) returns (bool)";
const balance = call(balanceOf, alice);
const seven = returned(balanceOf, 7);
const error = (text: string): string => call("function Error(string message)", text);
const paused = "0xd93c0665";

/** A line each: `[2] transfer of token: reverted: EnforcedPause()`. */
function lines(inner: readonly InnerReturned[], indent = ""): readonly string[] {
  return inner.flatMap(({ path, asked, revert, returned, data, inner }) => {
    const name = asked.call?.name ?? `unknown ${asked.data.slice(0, 10)}`;
    const to = asked.to === undefined ? "" : ` of ${asked.to === token ? "token" : asked.to}`;
    const what = revert ? `reverted: ${revertReason(revert)}` : returned ? JSON.stringify(returned.values) : data;
    const below = lines(inner, `${indent}  `);
    return [`${indent}${path.join(".")} ${name}${to}: ${below.length > 0 ? "" : what}`.trimEnd(), ...below];
  });
}

function inner(outer: string, args: readonly JsonValue[], values: readonly JsonValue[]): readonly string[] {
  const made = decodeCall(call(outer, ...args), scopeOf([item(outer)]));
  assert.ok(made);
  const data = returned(outer, ...values);
  const [reading] = decodeReturns([made.item], data);
  assert.ok(reading);
  return lines(innerReturns(made, reading, data));
}

describe("innerReturns", () => {
  const aggregate3 =
    "function aggregate3((address target, bool allowFailure, bytes callData)[] calls) returns ((bool success, bytes returnData)[] returnData)";

  it("reads what each call of a multicall returned, or why it failed", () => {
    const calls = [balance, "0x12345678", call(transfer, alice, 5), balance, "0x12345678"];
    assert.deepEqual(
      inner(
        aggregate3,
        [calls.map((data) => [token, true, data])],
        [
          [
            [true, seven],
            [true, "0x"],
            [false, paused],
            [true, "0x12"],
            [false, error("too small")],
          ],
        ],
      ),
      [
        '0.0.returnData balanceOf of token: ["7"]',
        "0.1.returnData unknown 0x12345678 of token: 0x",
        "0.2.returnData transfer of token: reverted: EnforcedPause()",
        "0.3.returnData balanceOf of token: 0x12",
        "0.4.returnData unknown 0x12345678 of token: reverted: too small",
      ],
    );
  });

  const multicall = "function multicall(bytes[] data) returns (bytes[] results)";
  const ofSafe = `function execTransactionFromModuleReturnData(address to, uint256 value, bytes data, uint8 operation) returns (bool success, bytes returnData)`;
  for (const [what, outer = "", args = "", values = "", ...expected] of rows`
    aggregate
      function aggregate((address target, bytes callData)[] calls) returns (uint256 blockNumber, bytes[] returnData)
      [[["${token}", "${balance}"]]]
      [12, ["${seven}"]]
      1.0 balanceOf of token: ["7"]
    tryAggregate
      function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls) returns ((bool success, bytes returnData)[] returnData)
      [false, [["${token}", "${balance}"]]]
      [[[false, "${error("no")}"]]]
      0.0.returnData balanceOf of token: reverted: no
    tryBlockAndAggregate
      function tryBlockAndAggregate(bool requireSuccess, (address target, bytes callData)[] calls) returns (uint256 blockNumber, bytes32 blockHash, (bool success, bytes returnData)[] returnData)
      [false, [["${token}", "${balance}"]]]
      [12, "0x${"0".repeat(64)}", [[true, "${seven}"]]]
      2.0.returnData balanceOf of token: ["7"]
    a contract that calls itself
      ${multicall}
      [["${balance}", "${balance}"]]
      [["${seven}", "0x"]]
      0.0 balanceOf: ["7"]
      0.1 balanceOf: 0x
    parallel lists of what succeeded and what came
      function tryAll(bytes[] data) returns (bool[] ok, bytes[] results)
      [["${balance}", "${balance}"]]
      [[true, false], ["${seven}", "${paused}"]]
      1.0 balanceOf: ["7"]
      1.1 balanceOf: reverted: EnforcedPause()
    a module of a Safe
      ${ofSafe}
      ["${token}", 0, "${balance}", 0]
      [true, "${seven}"]
      1 balanceOf of token: ["7"]
    a module of a Safe that failed
      ${ofSafe}
      ["${token}", 0, "0xdeadbeef", 0]
      [false, "${error("no")}"]
      1 unknown 0xdeadbeef of token: reverted: no
    an account that runs packed calls
      function executeFromExecutor(bytes32 mode, bytes executionCalldata) returns (bytes[] returnData)
      ["0x${"0".repeat(64)}", "${token}${"0".repeat(64)}${balance.slice(2)}"]
      [["${seven}"]]
      0.0 balanceOf of token: ["7"]
    a multicall in a multicall
      ${aggregate3}
      [[["${bob}", false, "${call(multicall, [balance])}"]]]
      [[[true, "${returned(multicall, [seven])}"]]]
      0.0.returnData multicall of ${bob}:
      \ \ 0.0 balanceOf: ["7"]
  `)
    it(`reads what came of ${what}`, () =>
      assert.deepEqual(inner(outer, JSON.parse(args), JSON.parse(values)), expected));

  it("takes nothing for the answer of a call that is none", () => {
    const echo = "function echo(bytes data) returns (bytes)";
    assert.deepEqual(inner(echo, ["0xdeadbeef"], [seven]), []);
    const both = "function both(bytes[] a, bytes[] b) returns (bytes[])";
    assert.deepEqual(inner(both, [[balance], [balance]], [[seven]]), [], "which list is answered?");
    const none = "function verify(bytes signature) returns (bool valid, bytes hint)";
    assert.deepEqual(inner(none, ["0x1234"], [false, "0x1234"]), []);
  });

  it("never throws, and ends, whatever came", () => {
    const made = decodeCall(call(aggregate3, Array(50).fill([token, true, balance])));
    assert.ok(made);
    const word = fc.oneof(fc.constantFrom(32, 64, 0, 1, 50, 1600), fc.nat());
    fc.assert(
      fc.property(fc.array(word, { maxLength: 80 }), (words) => {
        const data = `0x${words.map((one) => one.toString(16).padStart(64, "0")).join("")}`;
        const [reading] = decodeReturns([made.item], data);
        assert.ok(reading);
        assert.ok(innerReturns(made, reading, data).length <= 50);
      }),
    );
  });
});
