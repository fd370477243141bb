import assert from "node:assert/strict";
import { cellKeys, requestHash } from "../../../server/src/notebook/key.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";

const hash = (text: string): string => requestHash(readCell(text));

describe("the key of a cell", () => {
  it("is its name", () =>
    assert.deepEqual(cellKeys([readCell(`{ "name": "head", "method": "eth_blockNumber" }`)]), ["head"]));

  it("is else the hash of its request, with its ordinal among equals", () => {
    const [first, second, other] = cellKeys(
      [`{ "method": "a" }`, `{"method":"a"}`, `{ "method": "b" }`].map((text) => readCell(text)),
    );
    assert.match(first ?? "", /^[0-9a-f]{16}$/);
    assert.equal(second, `${first}.2`);
    assert.notEqual(other, first);
  });

  it("is never that of another cell, whatever the names are", () => {
    const keys = cellKeys(
      [`{ "name": "a.2" }`, `{ "name": "a" }`, `{ "name": "a" }`, `{ "name": "a" }`].map((text) => readCell(text)),
    );
    assert.equal(new Set(keys).size, 4);
    assert.deepEqual(keys.slice(0, 2), ["a.2", "a"]);
  });

  it("does not change with layout, spelling of strings, or directives", () => {
    const key = hash(`{ "method": "a", "params": ["é", 1.0] }`);
    assert.equal(hash(`{\n\t"params" : [ "\\u00e9",1.0 ] , "expect": {}, "name": "x",\r\n "method": "a"\n}`), key);
  });

  it("changes with what is sent", () => {
    const keys = [
      `{ "method": "a" }`,
      `{ "method": "a", "params": [] }`,
      `{ "method": "a", "params": [9007199254740993] }`,
      `{ "method": "a", "params": [9007199254740992] }`,
      `{ "method": "a", "params": ["1"] }`,
      `{ "method": "a", "params": [1] }`,
      `{ "method": "a", "params": [1], "id": 1 }`,
      `[{ "method": "a" }, { "method": "a" }]`,
      "# Title",
      "",
    ].map(hash);
    assert.equal(new Set(keys).size, keys.length);
  });
});
