import assert from "node:assert/strict";
import fc from "fast-check";
import { abiItems } from "../../../server/src/analysis/abi.ts";
import { check } from "../../../server/src/analysis/check.ts";
import { severity } from "../../../server/src/analysis/severity.ts";
import { bundledCatalog } from "../../../server/src/catalog/catalog.ts";
import { evaluateRequest } from "../../../server/src/evaluate/evaluateRequest.ts";
import { codeActions } from "../../../server/src/features/codeActions.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { type Around, cursor, edited, expectProblems as expect, scopeOf } from "../../support/cell.ts";
import { some, times } from "../../support/depth.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

const codes = (text: string, around?: Around): readonly string[] => {
  const cell = readCell(text);
  return check(cell, scopeOf(cell, around)).map((problem) => `${severity(problem)} ${problem.code}`);
};
const call = (members: string): string => `{ "method": "eth_call", "params": [{ ${members} }, "latest"] }`;
const logs = (members: string): string =>
  `{ "method": "eth_getLogs", "params": [{ "address": "${address}", ${members} }] }`;

describe("readable values", () => {
  for (const text of [
    call(`"to": "${address}", "value": "1.5 ether", "gasPrice": "30 gwei"`),
    call(`"to": "${address}", "data": { "function": "balanceOf(address) returns (uint256)", "args": ["${address}"] }`),
    call(`"to": "${address}", "data": { "function": "transfer", "args": { "to": "{{who}}", "value": 5 } }`),
    call(`"to": "${address}", "data": { "function": "{{which}}", "args": [5] }`),
    `{ "method": "eth_getBalance", "params": ["${address}", "latest - 100"] }`,
    `{ "method": "eth_getBalance", "params": ["${address}", "finalized-1"] }`,
    logs(`"event": "Transfer", "args": { "to": ["${address}", "{{who}}"], "from": null }`),
    logs(`"topics": [null, "${address}"]`),
    `{ "method": "eth_getStorageAt", "params": ["${address}", { "slot": 9, "key": "{{who}}" }, "latest"] }`,
    `{ "method": "eth_getStorageAt", "params": ["${address}", "eip1967.proxy.implementation", "latest"] }`,
  ])
    it(`are right: ${text.slice(0, 100)}`, () =>
      assert.deepEqual(codes(text, { header: `{ "variables": { "who": "${address}", "which": "f(uint256)" } }` }), []));

  it("are checked once where a cell may have places in storage, too", () => {
    const text = logs(`"event": "Transfer", "args": { "to": "0x1" }`).replace("{", `{ "note": { "variable": 1 },`);
    const found = codes(text, { abis: { files: new Map(), contracts: [], layouts: [] } });
    assert.deepEqual(
      found.filter((code) => code.endsWith("bad-argument")),
      ["error bad-argument"],
    );
  });
  it("in decimal are right, and say what is sent", () =>
    expect(
      `{ "method": "eth_call", "params": [{ "to": "${address}", "gas": ‹decimal-number→21000›, "value": ‹decimal-number→"21000"› }, ‹decimal-number→123›] }`,
    ));
  it("in decimal are only a hint", () =>
    assert.deepEqual(codes(`{ "method": "eth_getBlockByNumber", "params": [123, false] }`), ["hint decimal-number"]));
  it("are no amounts where they are quantities already", () => {
    const values = [...Array.from({ length: 1000 }, (_, wei) => wei), 2 ** 40, Number.MAX_SAFE_INTEGER];
    for (const hex of some(values, 50).map((wei) => wei.toString(16))) {
      for (const value of [`0x${hex}`, `0x${hex.toUpperCase()}`])
        assert.deepEqual(codes(call(`"to": "${address}", "value": "${value}"`)), []);
    }
  });
  it("are no amounts where they are hexadecimal with its `0x` wrong or left out", () => {
    for (const value of ["0Xa", "a", "5ff", "12A", "1e18", " 0xb"])
      assert.deepEqual(codes(call(`"to": "${address}", "value": "${value}"`)), ["error bad-quantity"]);
  });
  it("in decimal are strings only for wei", () =>
    expect(
      `{ "method": "eth_call", "params": [{ "to": "${address}", "gas": ‹bad-quantity→"21000"› }, ‹bad-block→"123"›] }`,
    ));
  it("are looked at argument by argument, and named as far as that is clear", () => {
    const data = (written: string): string => call(`"to": "${address}", "data": ${written}`);
    expect(
      call(`"to": "${address}", "value": ‹bad-amount unit→"1.5 eth"›, "gasPrice": ‹bad-amount precision→"1.5 wei"›`),
    );
    expect(data(`{ "function": "transfer", "args": [‹bad-argument args[0]→"0x12"›, ‹bad-argument args[1]→-1›] }`));
    expect(data(`{ "function": ‹unknown-function balanceOf→"balanceOff"› }`));
  });
  it("stand in place of wire forms, not beside them", () =>
    assert.deepEqual(codes(logs(`"event": "Transfer", "topics": []`)), ["error exclusive-fields"]));
  it("stand alone only where they can", () => {
    assert.deepEqual(codes(logs(`"args": []`)), ["error bad-argument"]);
    assert.deepEqual(codes(call(`"to": "${address}", "data": { "args": [] }`)), ["error missing-field"]);
    assert.deepEqual(codes(call(`"to": "${address}", "data": { "function": "f()", "arg": [] }`)), [
      "error bad-argument",
    ]);
    assert.deepEqual(codes(logs(`"event": 5`)), ["error bad-argument"]);
    assert.deepEqual(codes(call(`"to": "${address}", "data": { "function": null }`)), ["error bad-argument"]);
    assert.deepEqual(codes(call(`"to": null, "data": { "function": "f()", "function": "g()" }`)), [
      "warning missing-field",
      "warning duplicate-key",
    ]);
  });
  it("are said nothing of while they are being typed", () =>
    assert.ok(
      !codes(call(`"to": "${address}", "data": { "function": "transfer", "args": ["${address}", ] }`)).includes(
        "error bad-argument",
      ),
    ));
  it("are written in wire form with a click", () => {
    const written = (marked: string): string => {
      const { text, offset } = cursor(marked);
      const cell = readCell(text);
      const action = codeActions(cell, { start: offset, end: offset }, scopeOf(cell)).find(
        ({ title }) => title === "Write in wire form",
      );
      return edited(text, action?.edits ?? []);
    };
    assert.equal(written(call(`"value": "1.5| ether"`)), call(`"value": "0x14d1120d7b160000"`));
    assert.equal(written(call(`"data": { "function|": "totalSupply" }`)), call(`"data": "0x18160ddd"`));
    assert.equal(
      written(logs(`"event": "Trans|fer", "args": { "to": "${address}" }`)),
      logs(
        `"topics": ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef", null, "0x${address.slice(2).toLowerCase().padStart(64, "0")}"]`,
      ),
    );
    const waiting = call(`"data": { "function": "balanceOf|", "args": ["{{who}}"] }`);
    assert.equal(written(waiting), waiting.replace("|", ""));
  });
});

describe("checks and runs", () => {
  const encoded = /^(unknown|ambiguous)-(function|event)$|^bad-(argument|amount)$/;
  it("never disagree on what can be encoded", () => {
    const value = fc.constantFrom(
      ...["1 ether", "1 eth", "5", 5, -1, "0x5", "0x05", null, address, "{"],
      ...[[], ["0x12"], [address], [null, address], { to: address }],
    );
    const names = "Transfer transfer balanceOf(address) nothing f( PaymentCaptured 0xa9059cbb";
    const name = fc.constantFrom(...names.split(" "));
    const filter = fc.record({ event: name, args: value, topics: value, fromBlock: value }, { requiredKeys: [] });
    const calls = fc.record(
      { value, gas: value, data: fc.oneof(value, fc.record({ function: name, args: value }, { requiredKeys: [] })) },
      { requiredKeys: [] },
    );
    const request = fc.oneof(
      fc.tuple(
        fc.constant("eth_getLogs"),
        filter.map((one) => [one]),
      ),
      fc.tuple(fc.constant("eth_call"), fc.tuple(calls, value)),
      fc.tuple(
        fc.constant("eth_getStorageAt"),
        fc.tuple(value, fc.oneof(value, fc.record({ slot: value, key: value }, { requiredKeys: [] })), value),
      ),
    );
    fc.assert(
      fc.property(request, ([method, params]) => {
        const cell = readCell(JSON.stringify({ method, params }));
        const [only] = cell.requests;
        assert.ok(only);
        const scope = scopeOf(cell);
        const around = { catalog: bundledCatalog, abi: abiItems(cell, scope), heads: new Map() };
        const { problems = [] } = evaluateRequest(cell.text, only, { of: () => undefined }, 1, around);
        const isEncoded = ({ code }: { readonly code: string }): boolean => encoded.test(code);
        const found = check(cell, scope).filter(isEncoded);
        assert.deepEqual(
          found,
          problems.filter(isEncoded).toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end),
        );
      }),
      { numRuns: times(1000) },
    );
  });
});

describe("the ABIs of a cell", () => {
  const header = `{ "abi": ["event E(uint256 x)", "./Token.json", { "type": "function", "name": "g", "inputs": [] }, { "abi": [{ "type": "error", "name": "Bad" }] }, 5, "nonsense("] }`;
  const request = `{ "method": "eth_call", "abi": "function f()", "params": [] }`;
  const of = (text: string): readonly string[] => {
    const cell = readCell(text);
    return abiItems(cell, scopeOf(cell, { header })).map(
      ({ kind, signature, source }) => `${kind} ${signature}, ${source}`,
    );
  };
  const shared = ["event E(uint256), the header", "function g(), the header", "error Bad(), the header"];
  it("are its own, then those of the header", () =>
    assert.deepEqual(of(request), ["function f(), this cell", ...shared]));
  it("are those of all of a batch", () =>
    assert.deepEqual(of(`{ "abi": ["event A()"], "batch": [${request}, { "method": "m" }] }`), [
      "function f(), this cell",
      "event A(), this cell",
      ...shared,
    ]));
  it("are one list for all cells that declare nothing", () => {
    const [first, second] = [readCell(`{ "method": "a" }`), readCell(`{ "method": "b" }`)];
    const scope = scopeOf(first, { header });
    assert.equal(abiItems(first, scope), abiItems(second, scope));
    const own = readCell(request);
    assert.equal(abiItems(own, scope), abiItems(own, scope));
    assert.notEqual(abiItems(own, scope), abiItems(own, scopeOf(own, { header })));
  });
  it("are there in text that is broken", () => {
    for (let end = 0; end < header.length; end++) {
      const cell = readCell(header.slice(0, end), "header");
      abiItems(readCell(request.slice(0, end)), { header: cell, abis: { files: new Map(), contracts: [] } });
    }
  });
});
