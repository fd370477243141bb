import assert from "node:assert/strict";
import { type CursorContext, cursorContext, type Role } from "../../../server/src/analysis/cursorContext.ts";
import { bundledCatalog } from "../../../server/src/catalog/catalog.ts";
import { textOfRef } from "../../../server/src/catalog/types.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { cursor } from "../../support/cell.ts";

/** Checks what is under the cursor: `‹what→text›` is the text of the span and what the place is. */
function check(marked: string, kind?: "header"): void {
  const [before = "", what = "", at = "", after = ""] = /^(.*?)‹(.*?)→(.*)›(.*)$/s.exec(marked)?.slice(1) ?? [];
  const { text, offset } = cursor(before + at + after);
  const place = cursorContext(readCell(text, kind), offset, bundledCatalog);
  const span = { start: before.length, end: before.length + at.replace("|", "").length };
  assert.deepEqual([place?.span, place && describePlace(place)], [span, what]);
}

function describePlace(place: CursorContext): string {
  const param = place.param === undefined ? "" : ` in param ${place.param}`;
  return place.kind === "key" ? `key of ${name(place.owner)}${param}` : `${name(place.role)}${param}`;
}

function name(role: Role): string {
  if (role.kind === "typed") return role.field ? `${role.field.name}: ${textOfRef(role.type)}` : textOfRef(role.type);
  return role.kind === "member" ? role.name : role.kind;
}

const call = (members: string): string => `{ "method": "eth_call", "params": [{ ${members} }, "latest"] }`;
const simulate = (block: string): string =>
  `{ "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ ${block} }] }] }`;

describe("placeAt", () => {
  describe("in a whole request", () => {
    const expects = (members: string): string => `{ "method": "eth_call", "expect": { ${members} } }`;
    for (const marked of [
      `{ "method": ‹method→"eth_|call"› }`,
      `{ ‹key of request→"meth|od"›: "eth_call" }`,
      `{ "method": "eth_getBalance", "params": ["0x", ‹block: block in param 1→"late|st"›] }`,
      `{ "params": [‹address: address in param 0→"|"›], "method": "eth_getBalance" }`,
      call(`‹key of transaction: messageCall in param 0→"t|o"›: "0x"`),
      call(`"value": ‹value: wei in param 0→"0x|1"›`),
      call(`"accessList": [{ "storageKeys": [‹word in param 0→"0x|"›] }]`),
      simulate(`"calls": [{}, { "gas": ‹gas: gas in param 0→"0x|"› }]`),
      simulate(`"stateOverrides": { ‹key of stateOverrides: stateOverrides in param 0→"0x|12"›: {} }`),
      simulate(`"stateOverrides": { "0x12": { "balance": ‹balance: wei in param 0→"|"› } }`),
      simulate(`"stateOverrides": { "0x12": { "stateDiff": { "0x01": ‹word in param 0→"0x|02"› } } }`),
      `{ "method": "eth_getBalance", "params": ["0x", { "blockHash": ‹blockHash: hash in param 1→"|"› }] }`,
      `{ "method": "eth_getLogs", "params": [{ "topics": [‹filterTopic in param 0→"|"›] }] }`,
      `{ "method": "eth_getLogs", "params": [{ "topics": [[null, ‹topicAlternative in param 0→"|"›]] }] }`,
      `{ "method": "eth_call", "within": ‹within→"|"› }`,
      expects(`‹key of expect→"res|"›`),
      expects(`"result": ‹expectation→"0x|"›`),
      expects(`"result": { ‹key of expectation→"|"› }`),
      expects(`"result": { ">=": ‹operand→1|› }`),
      `{ "method": "eth_call", "abi": [‹declaration→"|"›] }`,
      `{ "endpoint": ‹endpoint→"lo|cal"› }`,
      `{ "method": "eth_chainId"  ‹key of request→|›}`,
    ])
      it(`of ${marked}`, () => check(marked));
    for (const marked of [`{ "abi": [‹declaration→"|"›] }`])
      it(`of the header ${marked}`, () => check(marked, "header"));
  });

  describe("in batches and headers", () => {
    for (const marked of [
      `{ "batch": [{ "method": "eth_chainId" }, ‹request→|›] }`,
      `{ "batch": [{ "method": "eth_getCode", "params": [‹address: address in param 0→"|"›] }] }`,
      `[{ "method": ‹method→"eth_|"› }]`,
    ])
      it(`of ${marked}`, () => check(marked));
    for (const marked of [
      `{ ‹key of header→"end|point"›: "x" }`,
      `{ "endpoint": ‹endpoint→"x|"› }`,
      `{ "labels": { ‹key of labels→"0x|"›: "" } }`,
      `{ "labels": { "0x": ‹label→"a|"› } }`,
      `{ "variables": { ‹key of variables→"a|"›: 1 } }`,
    ])
      it(`of the header ${marked}`, () => check(marked, "header"));
  });

  describe("in text that is broken", () => {
    for (const marked of [
      `{ "method": ‹method→eth_|get› }`,
      `{ ‹key of request→meth|›`,
      `{ "method": "eth_getBalance", "params": [‹address: address in param 0→late|›] }`,
      `{ "method": ‹method→"eth_|›`,
      `{ "method": ‹method→"eth_|› }`,
      `{ "method": "eth_getBalance", "params": [‹address: address in param 0→|"0x›`,
      `{ "method": ‹method→"eth_|›, "params": ["0x"] }`,
      `{ "method": "eth_getCode", "params": [‹address: address in param 0→"0x12|›, "latest"] }`,
      `{ "method": "eth_getCode", "params": ["0x12", ‹block: block in param 1→"lat|›] }`,
      `{ "method": "eth_getCode" "params": ["0x" ‹block: block in param 1→"|"›] }`,
      `{ "method": "eth_getCode" ‹key of request→"par|ams"›: [] }`,
      `{ "method": "eth_call", "params": [{ "to": "0x", ‹key of transaction: messageCall in param 0→|›`,
      `{ "method": "eth_call", "params": [{ "to": "0x" }, ‹block: block in param 1→|›`,
      `{ "batch": [{ "method": "eth_getCode", "params": ["0x", ‹block: block in param 1→"|"› }] }`,
      `{ 'method': ‹method→'eth_|'› }`,
      `{ 'method': 'eth_getCode', 'params': ['0x', ‹block: block in param 1→'lat|›] }`,
      `{ "name": "don't", "method": ‹method→"eth_|"› }`,
      `{ // "method": "x",\n "method": ‹method→"eth_|"› }`,
      `{ /* { */ "method": ‹method→"eth_|"› }`,
      `{ "endpoint": http://a, "method": ‹method→"eth_|"› }`,
      `{ "method": ‹method→|› }`,
      `{ "method": ‹method→|›, "params": [] }`,
      `{ "method": "eth_getStorageAt", "params": [, , ‹block: block in param 2→|›] }`,
    ])
      it(`of ${marked}`, () => check(marked));
    it("passes over comments, where nothing is", () => {
      for (const text of [`{ // a\n }`, `{ /* a */ }`])
        assert.equal(cursorContext(readCell(text), 6, bundledCatalog), undefined);
    });
  });

  describe("between members", () => {
    const commas = (marked: string): unknown => {
      const { text, offset } = cursor(marked);
      const place = cursorContext(readCell(text), offset, bundledCatalog);
      return [place?.commaBefore, place?.commaAfter];
    };

    it("tells which commas are missing", () => {
      assert.deepEqual(commas(`{ "id": 1, | }`), [undefined, false]);
      assert.deepEqual(commas(`{ "id": 1 | }`), [9, false]);
      assert.deepEqual(commas(`{ | "id": 1 }`), [undefined, true]);
      assert.deepEqual(commas(`{ "id": 1, | "x": 1 }`), [undefined, true]);
      assert.deepEqual(commas(`{ "id": 1, "m|" "x": 1 }`), [undefined, true]);
      assert.deepEqual(commas(`{ "id": 1, "m|", "x": 1 }`), [undefined, false]);
      assert.deepEqual(commas(`["a" | "b"]`), [4, true]);
    });

    it("tells where a value stands already", () => {
      const { text, offset } = cursor(`{ "params": | [1] }`);
      assert.equal(cursorContext(readCell(text), offset, bundledCatalog)?.free, false);
    });

    it("tells the other keys", () => {
      const { text, offset } = cursor(`{ "id": 1, "|": 2, "method": "eth_call" }`);
      const place = cursorContext(readCell(text), offset, bundledCatalog);
      assert.deepEqual([place?.siblings, place?.kind === "key" && place.hasValue], [["id", "method"], true]);
    });
  });

  it("takes a whole request in an empty cell", () => {
    check(`‹request→|›`);
    check(`  ‹request→|›\n`);
    check(`‹request→eth_|›`);
  });

  it("is nowhere behind a cell and in markdown", () => {
    const { text, offset } = cursor(`{ "method": "eth_chainId" } |`);
    assert.equal(cursorContext(readCell(text), offset, bundledCatalog), undefined);
    assert.equal(cursorContext(readCell("# title", "markdown"), 2, bundledCatalog), undefined);
  });
});
