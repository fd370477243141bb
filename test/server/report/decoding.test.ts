import assert from "node:assert/strict";
import { getAddress } from "viem";
import { scopeOf } from "../../../server/src/abi/abiScope.ts";
import { printOf } from "../../../server/src/abi/artifact.ts";
import type { AbiItem } from "../../../server/src/abi/item.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { slots } from "../../../server/src/catalog/slots.ts";
import { describeLog } from "../../../server/src/report/describe.ts";
import { abiShown } from "../../../server/src/report/shown.ts";
import type { Tokens } from "../../../server/src/report/tokens.ts";
import type { Refused } from "../../../server/src/rpc/outcome.ts";
import { alice, bob, callOf, encoded, item, refused, reportFor, textOf, topic, transferTopic } from "./outcomes.ts";

const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const multicall = "0xcA11bde05977b3631167028862bE2a173976CA11";
const hash = `0x${"ab".repeat(32)}`;
const tokens: Tokens = new Map([[token.toLowerCase(), { symbol: "USDC", decimals: 6, source: "the header" }]]);

function returned(declaration: string, ...args: readonly JsonValue[]): string {
  return encoded(item(declaration).outputs, args);
}

function text(method: string, params: JsonValue, value: JsonValue | Refused, ...abi: readonly AbiItem[]): string {
  return textOf(method, params, value, { labels: new Map([[alice, "alice"]]), scope: scopeOf(abi), tokens });
}

const balanceOf = "function balanceOf(address owner) returns (uint256 balance)";
const transfer = "function transfer(address to, uint256 value) returns (bool success)";
const aggregate3 =
  "function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[] returnData)";

describe("a refusal", () => {
  it("decodes the call data in an error: what an OffchainLookup asks a gateway", () => {
    const lookup = item(
      "error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)",
    );
    const asked = callOf(transfer, alice, "5");
    const revertData = callOf(lookup, bob, ["https://gateway.example"], asked, "0xf4d4d2f8", "0x1234");
    const shown = text("eth_call", [], refused({ reason: "revert", revertData }));
    assert.match(shown, /callData, decoded +transfer\(to: alice .*, value: 5\)/);
    assert.doesNotMatch(shown, /extraData, decoded/);
  });
});

describe("the reason of a revert", () => {
  it("calls addresses by their labels", () => {
    const error = item("error Denied(address who, address by)");
    const outcome = refused({ reason: "revert", revertData: callOf(error, alice, bob) });
    const labels = new Map([[alice, "alice"]]);
    const { summary } = reportFor("eth_call", [], outcome, { labels, scope: scopeOf([error]) });
    assert.equal(summary, `reverted: Denied(who: alice, by: ${getAddress(bob)})`);
  });
});

describe("what a call returned", () => {
  it("is read by the function that was called, and says why", () => {
    const shown = text(
      "eth_call",
      [{ to: bob, data: callOf(balanceOf, alice) }, "latest"],
      returned(balanceOf, "1234567"),
    );
    assert.match(
      shown,
      /^✓ eth_call: 1,234,567\n {2}0x0+12d687\n {2}returned by +balanceOf\(address\) from ERC-20, guessed by its selector/,
    );
  });
  it("is no guess where the project declares the function", () => {
    const own = "function fees() returns (uint16 bps, address to)";
    const shown = text("eth_call", [{ to: bob, data: callOf(own) }], returned(own, 25, alice), item(own));
    assert.match(shown, /^✓ eth_call: bps: 25, to: alice \(0x7099\w+\)\n {2}returned by +fees\(\) from test\n/);
  });
  it("is an amount where the token is known", () => {
    const shown = text("eth_call", [{ to: token, data: callOf(balanceOf, alice) }], returned(balanceOf, "1234567"));
    assert.match(shown, /^✓ eth_call: 1\.234567 USDC\n/);
  });
  it("is shown in words where it is not what the guessed function returns", () => {
    const shown = text(
      "eth_call",
      [{ to: token, data: callOf(balanceOf, alice) }],
      `${topic("0x1")}${topic("0x2").slice(2)}`,
    );
    assert.match(shown, /2 words returned/);
  });
  it("is taken apart for the calls inside of it", () => {
    const data = callOf(aggregate3, [
      [token, true, callOf(balanceOf, alice)],
      [token, true, callOf(transfer, bob, "5")],
    ]);
    const error = callOf("function Error(string reason)", "too small");
    const value = returned(aggregate3, [
      [true, returned(balanceOf, "7")],
      [false, error],
    ]);
    const shown = text("eth_call", [{ to: multicall, data }], value);
    assert.match(
      shown,
      /^✓ eth_call: 2 calls inside, 1 failed: balanceOf 0\.000007 USDC, transfer reverted: "too small"\n/,
    );
    assert.match(shown, /\n {2}Returned by the calls inside\n {2}Call +Contract +Function +Result\n/);
    assert.match(
      shown,
      /\n +0 +0x5FbDB\w+ +balanceOf +0\.000007 USDC\n +1 +0x5FbDB\w+ +transfer +reverted: "too small"/,
    );
  });
  it("lists the calls inside of the calls inside, and those of unknown functions", () => {
    const multi = "function multicall(bytes[] data) returns (bytes[] results)";
    const data = callOf(multi, [callOf(multi, [callOf(balanceOf, alice)]), "0xdeadbeef"]);
    const value = returned(multi, [returned(multi, [returned(balanceOf, "7")]), "0x"]);
    const shown = text("eth_call", [{ to: bob, data }], value);
    assert.match(shown, /\n +0 +multicall +1 call inside: balanceOf 7\n +0 › 0 +balanceOf +7\n/);
    assert.match(shown, /\n +1 +unknown function 0xdeadbeef +no data returned/);
  });
});

describe("a transaction", () => {
  const transaction = {
    hash,
    from: bob,
    to: token,
    value: "0x0",
    input: callOf(transfer, alice, "1500000"),
    type: "0x2",
  };
  it("shows what it does, argument by argument", () => {
    const shown = text("eth_getTransactionByHash", [hash], transaction);
    assert.match(
      shown,
      /^✓ eth_getTransactionByHash: transfer\(to: alice \(0x7099\w+\), value: 1\.5 USDC\) to 0x5FbDB/,
    );
    assert.match(shown, /\n {2}Call of transfer\n {2}function +transfer\(address,uint256\) from ERC-20, guessed/);
    assert.match(shown, /\n {2}to +alice .*\n {2}value +1\.5 USDC/);
  });
  it("lists the calls inside of it", () => {
    const input = callOf(aggregate3, [[token, false, callOf(transfer, alice, "1500000")]]);
    const shown = text("eth_getTransactionByHash", [hash], { ...transaction, to: multicall, input });
    assert.match(shown, /\n {2}calls +1 call\n/);
    assert.match(
      shown,
      /Inner calls\n {2}calls\[0\]\S* +calls 0x5FbDB\w+, transfer\(to: alice \(0x7099\w+\), value: 1\.5 USDC\)/,
    );
  });
  it("names what it deploys, allows and delegates", () => {
    const shown = text("eth_getTransactionByHash", [hash], {
      ...transaction,
      to: null,
      input: "0x6080604052",
      accessList: [{ address: token, storageKeys: [topic("0x5")] }],
      authorizationList: [{ chainId: "0x2105", address: alice, nonce: "0x1", yParity: "0x0", r: "0x1", s: "0x2" }],
    });
    assert.match(shown, /: creates a contract: 5 bytes, with a delegation to alice\n/);
    assert.match(shown, /accessList\n.*storageKeys\n {2}0x5FbDB\w+ +5\n/);
    assert.match(shown, /authorizationList\n.*\n {2}8453, Base +alice +1 /);
  });
  it("shows what the constructor of a contract of the project is given", () => {
    const inputs = item("function f(address owner, uint256 cap)").inputs;
    const creatable = { name: "Vault", print: printOf("0x60016002"), inputs, source: "out/Vault.json" };
    const value = { ...transaction, to: null, input: `0x60016002${encoded(inputs, [alice, "7"]).slice(2)}` };
    const shown = (method: string, params: JsonValue, value: JsonValue): string =>
      textOf(method, params, value, { scope: scopeOf([], [creatable]), tokens });
    const read = shown("eth_getTransactionByHash", [hash], value);
    assert.match(read, /: creates Vault\(owner: 0x7099\w+, cap: 7\)/);
    assert.match(
      read,
      /Creation of Vault\n {2}contract +Vault \(from out\/Vault\.json\)\n {2}owner +0x7099\w+\n {2}cap +7/,
    );
    const simulated = [{ number: "0x1", calls: [{ status: "0x1", returnData: "0x", gasUsed: "0x1", logs: [] }] }];
    const asked = [{ blockStateCalls: [{ calls: [{ from: alice, input: value.input }] }] }, "latest"];
    assert.match(shown("eth_simulateV1", asked, simulated), /creates Vault\(owner: 0x7099\w+, cap: 7\)/);
  });
  it("keeps name and raw of data that does not fit", () => {
    const shown = text("eth_getTransactionByHash", [hash], {
      ...transaction,
      input: `${transaction.input.slice(0, 80)}`,
    });
    assert.match(shown, /input +transfer with data that does not fit it/);
  });
});

describe("a receipt", () => {
  it("says in a line how it ended and what it cost, and decodes its logs", () => {
    const log = { address: token, topics: [transferTopic, topic(alice), topic(bob)], data: topic("0x16e360") };
    const receipt = { status: "0x1", gasUsed: "0x5208", effectiveGasPrice: "0x3b9aca00", logs: [log], to: token };
    const shown = text("eth_getTransactionReceipt", [hash], receipt);
    assert.match(shown, /^✓ eth_getTransactionReceipt: succeeded, 21,000 gas, fee 0\.000021 ether, 1 log\n/);
    assert.match(shown, /\n {2}Transfer +alice +0x3C44\w+ +1\.5 USDC/);
  });
});

describe("a simulated call", () => {
  it("shows what it was to do and what its function returned, past blocks that nobody asked for", () => {
    const calls = [{ from: alice, to: token, input: callOf(balanceOf, alice) }];
    const params = [{ blockStateCalls: [{}, { blockOverrides: { number: "0x5" }, calls }] }, "latest"];
    const ok = { status: "0x1", gasUsed: "0x5208", logs: [], returnData: returned(balanceOf, "2500000") };
    const blocks = ["0x3", "0x4", "0x5"].map((number) => ({ number, calls: number === "0x5" ? [ok] : [] }));
    assert.match(text("eth_simulateV1", params, blocks), /balanceOf\(owner: alice .*2\.5 USDC/);
  });
  it("lists what the calls inside of each returned", () => {
    const data = callOf(aggregate3, [[token, true, callOf(balanceOf, alice)]]);
    const params = [{ blockStateCalls: [{ calls: [{ to: bob }, { to: multicall, data }, { to: multicall, data }] }] }];
    const ok = { status: "0x1", gasUsed: "0x5208", logs: [] };
    const value = returned(aggregate3, [[true, returned(balanceOf, "2500000")]]);
    const failed = { ...ok, status: "0x0", returnData: value };
    const calls = [{ ...ok, returnData: "0x" }, { ...ok, returnData: value }, failed];
    const shown = text("eth_simulateV1", params, [{ number: "0x5", calls }]);
    assert.match(shown, /1 call inside: balanceOf 2\.5 USDC/);
    const [, inside = ""] = shown.split("Returned by the calls inside");
    assert.match(inside, /\n +1 › 0 +0x5FbDB\w+ +balanceOf +2\.5 USDC\n/);
    assert.doesNotMatch(inside, /2 › 0/);
  });
});

describe("bytes in a log", () => {
  const failed = "event Failed(bytes32 indexed id, bytes reason)";
  const log = (data: string): JsonValue => ({
    address: bob,
    topics: [item(failed).hash, topic("0x1")],
    data: encoded(item("function f(bytes data)").inputs, [data]),
  });
  const shown = (data: string): string => text("eth_getLogs", [{}], [log(data)], item(failed));
  it("are decoded where they are a revert or a call, whole", () => {
    const reason = callOf("function Error(string reason)", "too small");
    assert.match(shown(reason), /revert data: "too small"/);
    assert.match(shown(callOf(transfer, alice, "5")), / transfer\(to: alice \(0x7099\w+\), value: 5\) /);
    assert.match(shown(`${reason}00`), /101 bytes: 0x08c379a0/);
    assert.match(shown("0x1234"), / 0x1234 /);
  });
  it("are decoded by the command line as well", () => {
    const inside = (data: string) => describeLog(log(data), scopeOf([item(failed)])).readings[0]?.inner;
    assert.equal(
      inside(callOf("function Error(string reason)", "too small"))?.[0]?.reading?.signature,
      "Error(string)",
    );
    assert.equal(inside(callOf(transfer, alice, "5"))?.[0]?.reading?.signature, "transfer(address,uint256)");
    assert.deepEqual(inside("0x1234"), []);
  });
});

describe("a storage slot that contracts agree on", () => {
  const slot = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
  it("is an address, however small", () => {
    const shown = text("eth_getStorageAt", [token, slot, "latest"], topic("0x05"));
    assert.match(
      shown,
      /: 0x0000000000000000000000000000000000000005\n {2}slot +eip1967\.proxy\.implementation \(The contract/,
    );
  });
  for (const { slot, name } of slots.filter(({ holds }) => holds === "address")) {
    it(`is known: ${name}`, () => {
      const shown = text("eth_getStorageAt", [token, slot, "latest"], topic(bob));
      assert.match(shown, new RegExp(`^✓ eth_getStorageAt: ${bob}\\n {2}slot +${name.replaceAll(".", "\\.")} `));
    });
  }
  it("says that nothing is set", () =>
    assert.match(text("eth_getStorageAt", [token, slot, "latest"], topic("0x0")), /: zero: nothing is set\n/));
});

describe("a trace", () => {
  const inner = {
    type: "DELEGATECALL",
    from: token,
    to: bob,
    gasUsed: "0x64",
    input: callOf(transfer, alice, "1"),
    output: topic("0x1"),
  };
  it("is a tree of decoded calls", () => {
    const frame = { type: "CALL", from: alice, to: token, value: "0x1", gasUsed: "0xc8", input: "0x", calls: [inner] };
    const shown = text("debug_traceTransaction", [hash], frame);
    assert.match(
      shown,
      /\n {2}0 +call +0x5FbDB\w+ +1 wei +200 .*\n {2}0\.0 +· delegatecall transfer\(to: alice .* true /,
    );
  });
  it("is the same where the node writes a flat list", () => {
    const flat = (traceAddress: readonly number[], { type, from, to, gasUsed, input, output }: typeof inner) => ({
      type: "call",
      action: { callType: type.toLowerCase(), from, to, input },
      result: { gasUsed, output },
      traceAddress,
      subtraces: 0,
    });
    assert.match(
      text("trace_transaction", [hash], [flat([], inner), flat([0], inner)]),
      /\n {2}0 +delegatecall transfer\(.*\n {2}0\.0 +· delegatecall transfer\(/,
    );
  });
  it("says why a call failed", () => {
    const error = callOf("function Error(string reason)", "too small");
    const shown = text("debug_traceTransaction", [hash], {
      ...inner,
      calls: [{ ...inner, error: "execution reverted", output: error }],
    });
    assert.match(shown, /execution reverted: too small/);
  });
});

it("a negative number has a minus sign, alone and in a list", () => {
  const shown = (value: JsonValue, type: string): string => abiShown(value, type, new Map()).text;
  assert.equal(shown("-1234", "int256"), "−1,234");
  assert.equal(shown([["-5", "5"]], "int24[2][]"), "[[−5, 5]]");
});
