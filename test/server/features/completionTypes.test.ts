import assert from "node:assert/strict";
import type { Around } from "../../support/cell.ts";
import { check, checkStops, completes, labels } from "../../support/complete.ts";

const header = JSON.stringify({
  variables: { amount: "1.5 ether", n: 5, alice: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", from: "latest - 100" },
});
const cells = [
  `{ "name": "balance", "method": "eth_getBalance", "params": ["{{alice}}", "latest"] }`,
  `{ "name": "head", "method": "eth_getBlockByNumber", "params": ["latest", false] }`,
  `{ "name": "logs", "method": "eth_getLogs", "params": [{ "event": "Transfer(address indexed from, address indexed to, uint256 value)" }] }`,
];
const around: Around = { header, cells };
const request = (method: string, params: string): string => `{ "method": "${method}", "params": [${params}] }`;
const call = (member: string): string => request("eth_call", `{ "to": "{{alice}}", ${member} }, "latest"`);

describe("completion of what fits", () => {
  it("finds the hash of a transaction in earlier results", () => {
    const marked = request("eth_getTransactionReceipt", `"|"`);
    assert.equal(labels(marked, around)[0], "{{logs.result[0].transactionHash}}");
    check(
      marked,
      "{{logs.result[0].transactionHash}}",
      request("eth_getTransactionReceipt", `"{{logs.result[0].transactionHash}}"`),
      around,
    );
    const found = labels(request("eth_getBlockByHash", "|, false"), around);
    assert.equal(found[0], "{{logs.result[0].blockHash}}");
    assert.ok(!found.some((label) => label.includes("Root") || label.includes("transactionHash")));
  });
  it("finds accounts, in events by the names of their arguments", () => {
    const found = labels(request("eth_getBalance", "|"), around);
    assert.deepEqual(found.slice(0, 4), [
      "{{alice}}",
      "{{logs.result[0].address}}",
      "{{logs.decoded[0].args.from}}",
      "{{logs.decoded[0].args.to}}",
    ]);
    assert.ok(!found.includes("{{balance.result}}") && !found.includes("{{amount}}"));
  });
  it("finds blocks by number", () => {
    const found = labels(request("eth_getBalance", `"{{alice}}", "|"`), around).filter((label) =>
      label.startsWith("{"),
    );
    assert.deepEqual(found.slice(0, 4), ["{}", "{{n}}", "{{from}}", "{{logs.result[0].blockNumber}}"]);
    assert.ok(found.includes("{{head.result.number}}"));
  });
  it("tells amounts from other numbers and from what is none", () => {
    const found = labels(call(`"value": |`), around);
    assert.deepEqual(found.slice(0, 5), ["1 ether", "1 gwei", "0x0", "{{amount}}", "{{n}}"]);
    assert.ok(found.includes("{{balance.result}}"));
    assert.ok(!found.includes("{{alice}}") && !found.includes("{{from}}"));
  });
  it("offers all where a placeholder was begun, the right ones first", () => {
    const found = labels(request("eth_getBalance", `"{{|"`), around);
    assert.equal(found[0], "{{alice}}");
    for (const label of ["{{amount}}", "{{n}}", "{{balance.result}}", "{{$env.…}}"]) assert.ok(found.includes(label));
  });
  it("puts what fits first on the way down a path", () =>
    assert.equal(labels(request("eth_getTransactionReceipt", `"{{logs.result[0].|}}"`), around)[0], "transactionHash"));
  it("looks into what came", () => {
    const came = {
      result: [{ size: "0x10", blockNumber: "0x20", owner: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }],
    };
    const lastResult: Around["lastResult"] = (cell) =>
      cell.text.includes("logs") ? { values: () => new Map([["logs", came]]) } : undefined;
    const ran: Around = { cells, lastResult };
    assert.equal(labels(request("eth_getCode", `"|"`), ran)[0], "{{logs.result[0].owner}}");
    assert.ok(labels(request("eth_getCode", `"0x", "|"`), ran).includes("{{logs.result[0].blockNumber}}"));
  });
  it("knows the arguments of functions", () => {
    const data = `"data": { "function": "transfer(address,uint256)", "args": [|, "1"] }`;
    assert.equal(labels(call(data), around)[0], "{{alice}}");
    const value = labels(call(data.replace('|, "1"', `"0x", |`)), around);
    assert.ok(value.includes("{{n}}") && !value.includes("{{alice}}"));
  });
  it("leaves all open where nobody knows what is due", () => {
    const found = labels(request("acme_do", "|"), around);
    for (const label of ["{{alice}}", "{{amount}}", "{{balance.result}}"]) assert.ok(found.includes(label));
  });
});

describe("completion of quantities", () => {
  it("writes amounts with their unit", () => {
    checkStops(call(`"value": |`), "1 ether", `"‹1› ether"`);
    completes("30 gwei", call(`"gasPrice": "|‹→30 gwei›"`));
  });
  it("offers limits of gas", () => completes("0x5208", call(`"gas": |‹→"0x5208"›`)));
  it("offers small numbers for places in a list, and what the example has for counts", () => {
    const marked = request("eth_getTransactionByBlockNumberAndIndex", `"latest", |`);
    check(marked, "0x0", request("eth_getTransactionByBlockNumberAndIndex", `"latest", "0x0"`));
    check(request("eth_feeHistory", "|"), "0x2", request("eth_feeHistory", `"0x2"`));
  });
});
