import assert from "node:assert/strict";
import { decodeFile, NotebookFileError } from "../../../server/src/notebook/bytes.ts";
import { openNotebook } from "../../../server/src/notebook/open.ts";
import { open } from "./bytes.ts";

const bytesOf = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : part)));

function refusal(bytes: Uint8Array): readonly [code: string, line: number, column: number] {
  try {
    openNotebook(bytes);
  } catch (error) {
    assert.ok(error instanceof NotebookFileError);
    assert.ok(error.hint);
    assert.ok(error.message.startsWith(`Line ${error.line}, column ${error.column}: `));
    return [error.code, error.line, error.column];
  }
  throw new assert.AssertionError({ message: "it opened" });
}

describe("openNotebook", () => {
  it("shows the header first, then the cells, dedented", () => {
    const { cells, metadata } = open(`{
  "endpoint": "local",
  "cells": [
    { "markdown": ["# Balances", "Pending against latest."] },
    {
      "method": "eth_chainId",
      "params": []
    },
    { "text": ["{ \\"method\\": "] }
  ]
}
`);
    assert.deepEqual(cells, [
      { kind: "code", language: "rpc-request", text: '{\n  "endpoint": "local"\n}', metadata: { header: true } },
      { kind: "markdown", language: "markdown", text: "# Balances\nPending against latest." },
      { kind: "code", language: "rpc-request", text: '{\n  "method": "eth_chainId",\n  "params": []\n}' },
      { kind: "code", language: "rpc-request", text: '{ "method": ' },
    ]);
    assert.deepEqual(metadata, { before: '{\n  "endpoint": "local",\n  "cells": [', after: "]\n}\n" });
  });

  it("shows no header where there is nothing to show", () => {
    assert.deepEqual(open('{\n  "cells": []\n}\n'), { cells: [], metadata: {} });
    assert.equal(open('[{ "method": "a" }]').cells.length, 1);
  });

  it("shows line ends as LF", () =>
    assert.equal(open('[\r\n  {\r\n    "method": "a"\r\n  }\r\n]').cells[0]?.text, '{\n  "method": "a"\n}'));

  it("opens nothing, and white space, as a new notebook", () => {
    assert.deepEqual(open("").cells, []);
    assert.deepEqual(open("\ufeff \n").cells, []);
  });

  for (const [text, code, line, column] of [
    [`{ "a": 1 }`, "notebook.form", 1, 1],
    ["5", "notebook.form", 1, 1],
    [`{ "cells": {} }`, "notebook.form", 1, 1],
    [`[\n  { "method": "a", }\n]`, "notebook.syntax", 2, 18],
    [`[\n  { "method": "a" }\n  { "method": "b" }\n]`, "notebook.syntax", 3, 3],
    [`{\r\n  "cells": [],\r\n  endpoint: "x"\r\n}`, "notebook.syntax", 3, 3],
    [`{ "cells": [`, "notebook.syntax", 1, 12],
    [`[\n<<<<<<< HEAD\n  {},\n=======\n>>>>>>> theirs\n  {}\n]`, "notebook.conflict", 2, 1],
    [`{\n  "cells": [{\n<<<<<<< HEAD\n "a": 1\n=======\n "a": 2\n>>>>>>> x\n }] }`, "notebook.conflict", 3, 1],
    [`[${"[".repeat(600)}`, "notebook.syntax", 1, 2],
  ] as const)
    it(`refuses ${JSON.stringify(text.slice(0, 40))}`, () =>
      assert.deepEqual(refusal(bytesOf(text)), [code, line, column]));

  it("refuses bytes that are no UTF-8, and says which", () => {
    assert.deepEqual(refusal(bytesOf('[\n  "ää', [0xff], '"]')), ["notebook.encoding", 2, 6]);
    assert.deepEqual(refusal(bytesOf([0xff, 0xfe], "[\0]\0")), ["notebook.encoding", 1, 1]);
  });
});

describe("decodeFile", () => {
  it("keeps the byte order mark", () =>
    assert.deepEqual(decodeFile(bytesOf([0xef, 0xbb, 0xbf], "[]")), { text: "\ufeff[]" }));

  for (const [name, bad, at] of [
    ["a lone continuation byte", [0x80], 1],
    ["an overlong slash", [0xc0, 0xaf], 1],
    ["half a surrogate pair", [0xed, 0xa0, 0x80], 1],
    ["a code point beyond Unicode", [0xf4, 0x90, 0x80, 0x80], 1],
    ["a sequence that the file cuts off", [0x61, 0xf0, 0x9f, 0x98], 2],
    ["an overlong sequence of three", [0xe0, 0x9f, 0xbf], 1],
    ["an overlong sequence of four", [0xf0, 0x8f, 0xbf, 0xbf], 1],
  ] as const)
    it(`finds ${name}`, () => {
      const found = decodeFile(bytesOf("é😀", bad));
      assert.ok("fault" in found);
      assert.deepEqual([found.fault.line, found.fault.column], [1, 3 + at]);
    });
});
