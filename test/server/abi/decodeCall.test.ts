import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeAbiParameters, encodeFunctionData, encodePacked, parseAbiItem, parseAbiParameters } from "viem";
import { scopeOf } from "../../../server/src/abi/abiScope.ts";
import { type DecodedCall, decodeCall, type InnerCall } from "../../../server/src/abi/decodeCall.ts";
import { decodeReturns } from "../../../server/src/abi/innerReturns.ts";
import { parseItem } from "../../../server/src/abi/item.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { rows } from "../../support/rows.ts";

const alice = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const bob = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3";

function call(text: string, ...args: readonly unknown[]): `0x${string}` {
  const item = parseAbiItem(text as "function f(uint256)"); // any function will do at run time
  return encodeFunctionData({ abi: [item], functionName: item.name, args: args as unknown as [bigint] }); // as above
}

const transfer = (to: string, value: bigint) => call("function transfer(address to, uint256 value)", to, value);
const approve = call("function approve(address spender, uint256 value)", bob, 5n);

const short = (text: string): string =>
  text.replaceAll(alice, "alice").replaceAll(bob, "bob").replaceAll(token, "token").replaceAll('"', "");

/** A call as a reader sees it, and what it carries on a line each: `[2] token.transfer(alice, 5)`. */
function lines(found: DecodedCall | undefined, indent = ""): readonly string[] {
  if (!found) return [`${indent}unknown`];
  const args = found.args.map(({ value }) => short(JSON.stringify(value) ?? "…"));
  const faults = found.faults.map((fault) => ` ! ${fault}`).join("");
  return [
    `${found.name}(${args.join(", ").slice(0, 60)})${faults}`,
    ...found.inner.flatMap((one) => innerLines(one, indent)),
  ];
}

function innerLines({ path, to, value, delegate, data, call }: InnerCall, indent: string): readonly string[] {
  const [head, ...rest] = call ? lines(call, `${indent}  `) : [data];
  const sent = value === undefined ? "" : `{${value}}`;
  const where = to === undefined ? "" : `${short(to)}${delegate ? ".delegate" : ""}${sent}: `;
  return [`${indent}  ${path.join(".")} ${where}${head}`, ...rest];
}

const inner = (data: JsonValue, ...abi: readonly string[]): readonly string[] =>
  lines(decodeCall(data, scopeOf(abi.flatMap((text) => parseItem(text, "Test.json") ?? [])))).slice(1);

describe("decodeCall", () => {
  it("names a known function with its arguments and its source", () => {
    const found = decodeCall(transfer(alice, 5n));
    assert.deepEqual(lines(found), ["transfer(alice, 5)"]);
    assert.deepEqual([found?.source, found?.guess, found?.args[0]?.name], ["ERC-20", true, "to"]);
  });
  it("takes the project's word first, without a guess", () => {
    const own = parseItem("function transfer(address who, uint256 wad)", "Token.json");
    const found = decodeCall(transfer(alice, 5n).toUpperCase().replace("X", "x"), scopeOf(own ? [own] : []));
    assert.deepEqual([found?.source, found?.guess, found?.args[1]?.name], ["Token.json", false, "wad"]);
    assert.deepEqual(found?.others, []);
  });
  it("goes by the data where the project's declaration does not fit", () => {
    // 0xa9059cbb is the selector of both
    const own = parseItem("function many_msg_babbage(bytes1 a)", "Other.json");
    assert.deepEqual(lines(decodeCall(transfer(alice, 5n), scopeOf(own ? [own] : []))), ["transfer(alice, 5)"]);
  });
  it("tells all functions that fit, with their sources", () => {
    // keccak begins with 0x42966c68 in both
    const other = parseItem("function collate_propagate_storage(bytes16 id)", "Other.json");
    const burn = parseItem("function burn(uint256 amount)", "Token.json");
    const data = `0x42966c68${"7".padStart(64, "0")}`;
    const found = decodeCall(data, scopeOf([other, burn].flatMap((item) => item ?? [])));
    assert.deepEqual(lines(found), ["burn(7)"]);
    const ambiguous = decodeCall(`0x42966c68${"0".repeat(64)}`, scopeOf([other, burn].flatMap((item) => item ?? [])));
    assert.equal(ambiguous?.name, "collate_propagate_storage");
    assert.deepEqual(ambiguous?.others, [{ declaration: "function burn(uint256 amount)", source: "Token.json" }]);
  });
  it("names a function whose arguments do not fit, and keeps the data", () => {
    const data = transfer(alice, 5n).slice(0, 100);
    const found = decodeCall(data);
    assert.deepEqual(lines(found), ["transfer(alice, …) ! the data ends before the last argument"]);
    assert.equal(found?.data, data);
    assert.deepEqual(lines(decodeCall("0xa9059cbb")), ["transfer(…, …) ! the data ends before the last argument"]);
  });
  it("has nothing to say of what it does not know", () => {
    for (const data of ["0x", "0x12", "0xdeadbeef", "transfer", null, 5, undefined])
      assert.equal(decodeCall(data), undefined);
  });

  const aggregate = call("function aggregate((address target, bytes callData)[] calls)", [
    { target: bob, callData: approve },
  ]);
  const calls = [{ target: token, allowFailure: false, value: 9n, callData: transfer(alice, 5n) }];
  for (const [what, data = "", ...expected] of rows`
    a multicall of one contract
      ${call("function multicall(bytes[] data)", [transfer(alice, 5n), "0xdeadbeef", approve])}
      0.0 transfer(alice, 5)
      0.1 0xdeadbeef
      0.2 approve(bob, 5)
    Multicall3
      ${call("function aggregate3((address target, bool allowFailure, bytes callData)[] calls)", calls)}
      0.0.callData token: transfer(alice, 5)
    Multicall3 with value
      ${call("function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)", calls)}
      0.0.callData token{9}: transfer(alice, 5)
    Multicall and Multicall2
      ${call("function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls)", true, [{ target: token, callData: aggregate }])}
      1.0.callData token: aggregate([{target:bob,callData:0x095ea7b30000000000000000000000003c44)
      \ \ 0.0.callData bob: approve(bob, 5)
    the call of an account
      ${call("function execute(address dest, uint256 value, bytes func)", token, 7n, transfer(alice, 5n))}
      2 token{7}: transfer(alice, 5)
    parallel lists
      ${call("function propose(address[] targets, uint256[] values, bytes[] calldatas, string description)", [token, bob], [0n, 3n], [approve, transfer(bob, 1n)], "text")}
      2.0 token{0}: approve(bob, 5)
      2.1 bob{3}: transfer(bob, 1)
    an upgrade with a call
      ${call("function upgradeToAndCall(address newImplementation, bytes data)", token, "0x5c975abb")}
      1 token: paused()
  `)
    it(`follows ${what}`, () =>
      assert.deepEqual(
        inner(data).map((line) => line.slice(2)),
        expected,
      ));

  it("follows a Safe to the calls of its batch", () => {
    const transactions = [
      { operation: 0, to: token, value: 0n, data: transfer(alice, 5n) },
      { operation: 0, to: bob, value: 10n ** 18n, data: "0x" },
      { operation: 1, to: alice, value: 0n, data: "0xdeadbeef01" },
    ] as const;
    const packed = transactions.map(({ operation, to, value, data }) =>
      encodePacked(
        ["uint8", "address", "uint256", "uint256", "bytes"],
        [operation, to, value, BigInt(data.length / 2 - 1), data],
      ).slice(2),
    );
    const multiSend = call("function multiSend(bytes transactions)", `0x${packed.join("")}`);
    const safe = call(
      "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 a, uint256 b, uint256 c, address d, address e, bytes signatures)",
      ...[bob, 0n, multiSend, 1, 0n, 0n, 0n, alice, alice, `0x${"ab".repeat(65)}`],
    );
    const [batch, ...calls] = inner(safe);
    assert.match(batch ?? "", /^ {2}2 bob\.delegate\{0\}: multiSend\(/);
    assert.deepEqual(calls, [
      "    0.0 token{0}: transfer(alice, 5)",
      "    0.1 bob{1000000000000000000}: 0x",
      "    0.2 alice.delegate{0}: 0xdeadbeef01",
    ]);
    const cut = call("function multiSend(bytes transactions)", `0x${packed.join("").slice(0, -2)}`);
    assert.deepEqual(inner(cut), []);
  });

  it("follows user operations to factory and call", () => {
    const execute = call("function execute(address dest, uint256 value, bytes func)", token, 7n, approve);
    const operation = {
      ...{ sender: alice, nonce: 0n, initCode: `${bob}${transfer(alice, 1n).slice(2)}`, callData: execute },
      ...{ accountGasLimits: `0x${"0".repeat(64)}`, preVerificationGas: 0n, gasFees: `0x${"0".repeat(64)}` },
      ...{ paymasterAndData: "0x", signature: "0x" },
    };
    const data = call(
      "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)",
      [operation],
      bob,
    );
    const found = inner(data).map((line) => line.replace(/0x.*/, "…"));
    assert.deepEqual(found, [
      "  0.0.initCode.0 bob: transfer(alice, 1)",
      "  0.0.callData alice: execute(token, 7, …",
      "    2 token{7}: approve(bob, 5)",
    ]);
  });

  it("reads what modular accounts run by its mode", () => {
    const execute = "function execute(bytes32 mode, bytes executionCalldata)";
    const run = (mode: string, data: string): readonly string[] =>
      inner(call(execute, `0x${mode.padEnd(64, "0")}`, data));
    assert.deepEqual(run("00", encodePacked(["address", "uint256", "bytes"], [token, 3n, approve])), [
      "  1.0 token{3}: approve(bob, 5)",
    ]);
    assert.deepEqual(run("ff", encodePacked(["address", "bytes"], [token, approve])), [
      "  1.0 token.delegate: approve(bob, 5)",
    ]);
    const calls = "(address to, uint256 value, bytes data)[]";
    const list = [
      { to: token, value: 1n, data: approve },
      { to: bob, value: 2n, data: "0x" },
    ] as const;
    const expected = ["  1.0 token{1}: approve(bob, 5)", "  1.1 bob{2}: 0x"];
    assert.deepEqual(run("01", encodeAbiParameters(parseAbiParameters(calls), [list])), expected);
    const signed = encodeAbiParameters(parseAbiParameters(`${calls}, bytes`), [list, "0x1234"]);
    assert.deepEqual(run("01000000000078210001", signed), expected);
    for (const mode of ["00", "01", "ff", "77"]) assert.deepEqual(run(mode, "0x1234"), []);
  });

  it("reads the inputs of a router by its commands", () => {
    const input = (types: string, ...values: readonly unknown[]): string =>
      encodeAbiParameters(parseAbiParameters(types), values as never); // any values will do at run time
    const wrap = input("address, uint256", bob, 7n);
    const sub = input("bytes, bytes[]", "0x0c", [wrap]);
    const swap = input("address, uint256, uint256, address[], bool", bob, 7n, 8n, [token, alice], true);
    const execute = "function execute(bytes commands, bytes[] inputs, uint256 deadline)";
    assert.deepEqual(inner(call(execute, "0x0b8821073f", [wrap, swap, sub, wrap, "0x12"], 5n)), [
      "  1.0 WRAP_ETH(bob, 7)",
      "  1.1 V2_SWAP_EXACT_IN(bob, 7, 8, [token,alice], true)",
      "  1.2 EXECUTE_SUB_PLAN(0x0c, [0x0000000000000000000000003c44cdddb6a900fa2b585dd299e)",
      "    1.0 UNWRAP_WETH(bob, 7)",
      `  1.3 ${wrap}`,
      "  1.4 0x12",
    ]);
    assert.equal(decodeCall(call(execute, "0x0b", [wrap], 5n))?.inner[0]?.command, "0x0b");
    assert.deepEqual(inner(call(execute, "0x0b0b", [wrap], 5n)), [], "a command has no input");
    assert.deepEqual(inner(call(execute, "0x0b", ["0x12"], 5n)), ["  1.0 0x12"], "an input that does not fit");
  });

  it("does not take for calls what only begins like one", () => {
    const forward = "function forward(bytes data)";
    for (const data of [
      `${approve}00`,
      approve.slice(0, -2),
      `0xa9059cbb${"f".repeat(128)}`,
      `${approve}${"0".repeat(64)}`,
    ])
      assert.deepEqual(inner(call(forward, data), forward), []);
    assert.deepEqual(inner(call(forward, approve), forward), ["  0 approve(bob, 5)"]);
  });

  it("follows calls in calls only so deep", () => {
    const forward = "function forward(bytes data)";
    let data = approve;
    for (let i = 0; i < 40; i++) data = call(forward, data);
    assert.equal(inner(data, forward).length, 8);
  });

  it("is not blown up by offsets that all point at one place", () => {
    const forward = "function forward(bytes[] data)";
    const words = (count: number): string => count.toString(16).padStart(64, "0");
    let data: string = approve;
    for (let level = 0; level < 8; level++) {
      const body = data.slice(2).padEnd(Math.ceil((data.length - 2) / 64) * 64, "0");
      const offsets = words(30 * 32).repeat(30);
      data = `${call(forward, []).slice(0, 10)}${words(32)}${words(30)}${offsets}${words(data.length / 2 - 1)}${body}`;
    }
    const found = inner(data, forward);
    assert.ok(found.length <= 10_000);
  });

  it("never throws", () => {
    const known = ["ac9650d8", "8d80ff0a", "82ad56cb", "6a761202", "765e827f", "e9ae5c53", "b61d27f6"];
    const execute = parseItem("function execute(bytes32 mode, bytes executionCalldata)", "Test.json");
    const scope = scopeOf(execute ? [execute] : []);
    fc.assert(
      fc.property(
        fc.constantFrom(...known),
        fc.uint8Array({ maxLength: 700 }),
        fc.jsonValue(),
        (selector, bytes, any) => {
          decodeCall(`0x${selector}${Buffer.from(bytes).toString("hex")}`, scope);
          decodeCall(any as JsonValue, scope); // fast-check's type is wider
        },
      ),
    );
  });
});

describe("decodeReturns", () => {
  it("prefers declarations whose values are plausible", () => {
    const names = (data: string): readonly string[] => {
      const items = ["function a() returns (uint256)", "function b() returns (address)", "function c() returns (bool)"];
      const all = items.flatMap((text) => parseItem(text, "Test.json") ?? []);
      return decodeReturns(all, data).map(({ item }) => item.name);
    };
    assert.deepEqual(names(`0x${"69".padStart(64, "0")}`), ["a", "b", "c"]);
    assert.deepEqual(names(`0x${alice.slice(2).padStart(64, "0")}`), ["b", "a", "c"]);
  });
});
