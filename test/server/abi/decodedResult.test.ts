import assert from "node:assert/strict";
import { scopeOf } from "../../../server/src/abi/abiScope.ts";
import { checksummed } from "../../../server/src/abi/address.ts";
import { decodedResult, returnedValues } from "../../../server/src/abi/decodedResult.ts";
import { encodeParams } from "../../../server/src/abi/encode.ts";
import { type AbiItem, parseItem, selectorOf } from "../../../server/src/abi/item.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { rows } from "../../support/rows.ts";

const alice = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const bob = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const topic = (value: string): string => `0x${value.slice(2).padStart(64, "0")}`;
const transfer = {
  address: bob,
  topics: ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef", topic(alice), topic(bob)],
  data: topic("0x2386f26fc10000"),
};
const decoded = {
  name: "Transfer",
  signature: "Transfer(address,address,uint256)",
  args: { from: alice, to: bob, value: "10000000000000000" },
};

const log = JSON.stringify(transfer);
const event = JSON.stringify(decoded);
const input = `0xa9059cbb${topic(bob).slice(2)}${topic("0x5").slice(2)}`;
const call = `"name": "transfer", "signature": "transfer(address,uint256)", "args": { "to": "${bob}", "value": "5" }`;
const execute = `0xb61d27f6${[bob, "0x7", "0x60", "0x44"].map((value) => topic(value).slice(2)).join("")}${input.slice(2)}${"0".repeat(56)}`;
const text = "0x77726f6e672d63616c6c6461746173697a65";
const memo = `{ "topics": ["0x6989f5818dcfd11f8cd53b27c94cec33dae1589735f03e639cba54553a1825e8", "${topic(alice)}", "${topic("0x1")}"], "data": "0x" }`;

describe("decodedResult", () => {
  for (const [what, method = "", result = "", expected = ""] of rows`
    has one event a log, in the same places
      eth_getLogs
      [{ "topics": [], "data": "0x" }, ${log}]
      [null, ${event}]
    has the shape of the receipts of a block
      eth_getBlockReceipts
      [{ "logs": [] }, { "logs": [${log}] }]
      [{ "logs": [] }, { "logs": [${event}] }]
    has the shape of a receipt
      eth_getTransactionReceipt
      { "logs": [${log}] }
      { "logs": [${event}] }
    is null for a block that is not there
      eth_getBlockReceipts
      null
      null
    has the shape of simulated blocks, with the errors of failed calls
      eth_simulateV1
      [{ "calls": [{ "status": "0x1", "returnData": "0x01", "logs": [${log}] }, { "status": "0x0", "returnData": "0x", "logs": [], "error": { "code": 3, "message": "execution reverted", "data": "${text}" } }, { "status": "0x0", "returnData": "${text}", "error": { "code": -3200, "message": "execution failed" } }, { "status": "0x0", "returnData": "0x", "error": "out of gas" }] }]
      [{ "calls": [{ "logs": [${event}] }, { "logs": [], "error": { "reason": "wrong-calldatasize" } }, { "logs": null, "error": { "reason": "wrong-calldatasize" } }, { "logs": null }] }]
    has the shape of a transaction
      eth_getTransactionByHash
      { "to": "${bob}", "input": "${input}" }
      { "input": { ${call} } }
    reads no call in a transaction that creates a contract
      eth_getTransactionByHash
      { "to": null, "input": "${input}" }
      { "input": null }
    has the calls inside of the calls of transactions
      eth_getBlockByNumber
      { "transactions": [{ "to": "${bob}", "input": "${execute}" }, { "to": "${bob}", "input": "0x" }, "0x12"] }
      { "transactions": [{ "input": { "name": "execute", "signature": "execute(address,uint256,bytes)", "args": { "dest": "${bob}", "value": "7", "func": "${input}" }, "calls": [{ "to": "${bob}", "value": "7", ${call} }] } }, { "input": null }, null] }
    keeps arguments apart that have no name, or the same
      eth_getLogs
      [${memo}]
      [{ "name": "Memo", "signature": "Memo(address,bytes32)", "args": { "caller": "${alice}", "memo": "${topic("0x1")}" } }]
  `)
    it(`${what}`, () => assert.deepEqual(decodedResult(method, JSON.parse(result)), JSON.parse(expected)));

  it("reads what simulated calls returned by the project's ABIs, and by no guess", () => {
    const own = parseItem("function pair() returns (uint8 a, address b)", "Test.json");
    assert.ok(own);
    const call = { to: bob, data: selectorOf(own) };
    const guessed = { to: bob, data: `0x70a08231${topic(alice).slice(2)}` };
    const params = [{ blockStateCalls: [{ calls: [call, guessed, call] }] }];
    const ok = { status: "0x1", logs: [], returnData: `${topic("0x7")}${topic(alice).slice(2)}` };
    const result = [{ calls: [ok, { ...ok, returnData: topic("0x7") }, { ...ok, returnData: "0x" }] }];
    assert.deepEqual(decodedResult("eth_simulateV1", result, scopeOf([own]), params), [
      { calls: [{ logs: [], returnData: ["7", alice] }, { logs: [] }, { logs: [] }] },
    ]);
  });
  it("has nothing to say of other methods", () => assert.equal(decodedResult("eth_getBalance", "0x1"), undefined));
});

describe("checksummed", () => {
  it("writes the letters of EIP-55", () => {
    assert.equal(checksummed(alice), "0x70997970C51812dc3A010C7d01b50e0d17dc79C8");
    assert.equal(checksummed(alice.toUpperCase().replace("X", "x")), "0x70997970C51812dc3A010C7d01b50e0d17dc79C8");
    assert.equal(checksummed("0x12"), "0x12");
  });
});

describe("returnedValues", () => {
  const multicall = parseItem("function multicall(bytes[] data) returns (bytes[] results, bool done)", "Test.json");
  const transferTo = `0xa9059cbb${topic(bob).slice(2)}${topic("0x5").slice(2)}`;
  const encoded = (params: AbiItem["inputs"], args: JsonValue): string => {
    const found = encodeParams(params, args, () => false);
    assert.ok(found.kind === "encoded");
    return found.hex;
  };
  it("has what the calls inside returned in the place of their bytes", () => {
    assert.ok(multicall);
    const data = `${selectorOf(multicall)}${encoded(multicall.inputs, [[transferTo, "0xdeadbeef"]]).slice(2)}`;
    const result = encoded(multicall.outputs, [[topic("0x1"), "0x1234"], true]);
    const returned = { name: "transfer", signature: "transfer(address,uint256)", values: [true], data: topic("0x1") };
    const scope = scopeOf([multicall]);
    assert.deepEqual(returnedValues({ data }, result, scope), { values: [[returned, "0x1234"], true], faults: [] });
    const written = returnedValues({ input: data }, result, undefined, multicall.outputs);
    assert.deepEqual(written?.values, [[returned, "0x1234"], true]);
    assert.equal(returnedValues({ data }, result, scopeOf([])), undefined);
    assert.equal(returnedValues({ data }, "0x", scope), undefined);
  });
  it("has the error of a call inside that failed", () => {
    const tried = parseItem("function tryAll(bytes[] data) returns ((bool ok, bytes data)[])", "Test.json");
    assert.ok(tried);
    const data = `${selectorOf(tried)}${encoded(tried.inputs, [[transferTo]]).slice(2)}`;
    const error = { name: "EnforcedPause", args: {}, reason: "EnforcedPause()" };
    const { values } =
      returnedValues({ data }, encoded(tried.outputs, [[[false, "0xd93c0665"]]]), scopeOf([tried])) ?? {};
    assert.deepEqual(values, [
      [{ ok: false, data: { name: "transfer", signature: "transfer(address,uint256)", error, data: "0xd93c0665" } }],
    ]);
  });
});
