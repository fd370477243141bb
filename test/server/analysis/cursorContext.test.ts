import assert from "node:assert/strict";
import { type CursorContext, cursorContext, type Role } from "../../../server/src/analysis/cursorContext.ts";
import { bundledCatalog } from "../../../server/src/catalog/catalog.ts";
import { textOfRef } from "../../../server/src/catalog/typeOf.ts";
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
    it("finds the method", () => check(`{ "method": ‹method→"eth_|call"› }`));
    it("finds a key", () => check(`{ ‹key of request→"meth|od"›: "eth_call" }`));
    it("finds a parameter", () =>
      check(`{ "method": "eth_getBalance", "params": ["0x", ‹block: block in param 1→"late|st"›] }`));
    it("finds a parameter before the method", () =>
      check(`{ "params": [‹address: address in param 0→"|"›], "method": "eth_getBalance" }`));
    it("finds a field", () => check(call(`‹key of transaction: messageCall in param 0→"t|o"›: "0x"`)));
    it("finds a field's value", () => check(call(`"value": ‹value: wei in param 0→"0x|1"›`)));
    it("finds an item of a list", () => check(call(`"accessList": [{ "storageKeys": [‹word in param 0→"0x|"›] }]`)));
    it("finds the fields of calls in a simulation", () =>
      check(simulate(`"calls": [{}, { "gas": ‹gas: gas in param 0→"0x|"› }]`)));
    it("finds addresses as keys", () =>
      check(simulate(`"stateOverrides": { ‹key of stateOverrides: stateOverrides in param 0→"0x|12"›: {} }`)));
    it("finds what is different about an account", () =>
      check(simulate(`"stateOverrides": { "0x12": { "balance": ‹balance: wei in param 0→"|"› } }`)));
    it("finds slots", () =>
      check(simulate(`"stateOverrides": { "0x12": { "stateDiff": { "0x01": ‹word in param 0→"0x|02"› } } }`)));
    it("finds a block's fields in a block's place", () =>
      check(`{ "method": "eth_getBalance", "params": ["0x", { "blockHash": ‹blockHash: hash in param 1→"|"› }] }`));
    it("finds topics at both depths", () => {
      check(`{ "method": "eth_getLogs", "params": [{ "topics": [‹filterTopic in param 0→"|"›] }] }`);
      check(`{ "method": "eth_getLogs", "params": [{ "topics": [[null, ‹topicAlternative in param 0→"|"›]] }] }`);
    });
    it("finds directives", () => check(`{ "method": "eth_call", "within": ‹within→"|"› }`));
    it("finds what is in `expect` and `abi`", () => {
      const expects = (members: string): string => `{ "method": "eth_call", "expect": { ${members} } }`;
      check(expects(`‹key of expect→"res|"›`));
      check(expects(`"result": ‹expectation→"0x|"›`));
      check(expects(`"result": { ‹key of expectation→"|"› }`));
      check(expects(`"result": { ">=": ‹operand→1|› }`));
      check(`{ "method": "eth_call", "abi": [‹declaration→"|"›] }`);
      check(`{ "abi": [‹declaration→"|"›] }`, "header");
    });
    it("finds the endpoint", () => check(`{ "endpoint": ‹endpoint→"lo|cal"› }`));
    it("says nothing of white space", () => {
      assert.equal(check(`{ "method": "eth_chainId"  ‹key of request→|›}`)?.text, undefined);
    });
  });

  describe("in batches and headers", () => {
    it("finds items and what is in them", () => {
      check(`{ "batch": [{ "method": "eth_chainId" }, ‹request→|›] }`);
      check(`{ "batch": [{ "method": "eth_getCode", "params": [‹address: address in param 0→"|"›] }] }`);
      check(`[{ "method": ‹method→"eth_|"› }]`);
    });
    it("finds the members of a header", () => {
      check(`{ ‹key of header→"end|point"›: "x" }`, "header");
      check(`{ "endpoint": ‹endpoint→"x|"› }`, "header");
      check(`{ "labels": { ‹key of labels→"0x|"›: "" } }`, "header");
      check(`{ "labels": { "0x": ‹label→"a|"› } }`, "header");
      check(`{ "variables": { ‹key of variables→"a|"›: 1 } }`, "header");
    });
  });

  describe("in text that is broken", () => {
    it("reads words without quotes", () => {
      check(`{ "method": ‹method→eth_|get› }`);
      check(`{ ‹key of request→meth|›`);
      check(`{ "method": "eth_getBalance", "params": [‹address: address in param 0→late|›] }`);
    });
    it("reads strings without an end", () => {
      check(`{ "method": ‹method→"eth_|›`);
      check(`{ "method": ‹method→"eth_|› }`);
      check(`{ "method": "eth_getBalance", "params": [‹address: address in param 0→|"0x›`);
      check(`{ "method": ‹method→"eth_|›, "params": ["0x"] }`);
      check(`{ "method": "eth_getCode", "params": [‹address: address in param 0→"0x12|›, "latest"] }`);
      check(`{ "method": "eth_getCode", "params": ["0x12", ‹block: block in param 1→"lat|›] }`);
    });
    it("does without commas", () => {
      check(`{ "method": "eth_getCode" "params": ["0x" ‹block: block in param 1→"|"›] }`);
      check(`{ "method": "eth_getCode" ‹key of request→"par|ams"›: [] }`);
    });
    it("does without closing brackets", () => {
      check(`{ "method": "eth_call", "params": [{ "to": "0x", ‹key of transaction: messageCall in param 0→|›`);
      check(`{ "method": "eth_call", "params": [{ "to": "0x" }, ‹block: block in param 1→|›`);
      check(`{ "batch": [{ "method": "eth_getCode", "params": ["0x", ‹block: block in param 1→"|"› }] }`);
    });
    it("reads single quotes", () => {
      check(`{ 'method': ‹method→'eth_|'› }`);
      check(`{ 'method': 'eth_getCode', 'params': ['0x', ‹block: block in param 1→'lat|›] }`);
      check(`{ "name": "don't", "method": ‹method→"eth_|"› }`);
    });
    it("passes over comments, where nothing is", () => {
      check(`{ // "method": "x",\n "method": ‹method→"eth_|"› }`);
      check(`{ /* { */ "method": ‹method→"eth_|"› }`);
      check(`{ "endpoint": http://a, "method": ‹method→"eth_|"› }`);
      const offset = 6;
      assert.equal(cursorContext(readCell(`{ // a\n }`), offset, bundledCatalog), undefined);
      assert.equal(cursorContext(readCell(`{ /* a */ }`), offset, bundledCatalog), undefined);
    });
    it("waits for a value behind a colon", () => {
      check(`{ "method": ‹method→|› }`);
      check(`{ "method": ‹method→|›, "params": [] }`);
    });
    it("counts empty items", () =>
      check(`{ "method": "eth_getStorageAt", "params": [, , ‹block: block in param 2→|›] }`));
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
