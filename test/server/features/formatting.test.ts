import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { replaced } from "../../../server/src/base/text.ts";
import { formatCell, formatFile } from "../../../server/src/features/formatting.ts";
import { isJson } from "../../../server/src/notebook/json.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { readFile } from "../../../server/src/notebook/readFile.ts";

const cell = (text: string, indent = "  "): string => replaced(text, formatCell(readCell(text), { indent }));
const file = (text: string, indent = "  "): string => replaced(text, formatFile(readFile(text), { indent }));

const hash = `"0x${"ab".repeat(32)}"`;

describe("formatting", () => {
  describe("of a cell", () => {
    for (const [what, before, after] of [
      [
        "puts a short request on one line",
        `{"method":"eth_getBalance" ,"params" :[ "{{alice}}","pending"]}`,
        `{ "method": "eth_getBalance", "params": ["{{alice}}", "pending"] }`,
      ],
      [
        "leaves an object that was written over several lines that way",
        `{ \n"method": "eth_getBalance", "params": [\n"{{alice}}",\n"pending"]}`,
        `{\n  "method": "eth_getBalance",\n  "params": ["{{alice}}", "pending"]\n}`,
      ],
      [
        "breaks a line that would be too long, from the outside",
        `{ "method": "eth_getStorageAt", "params": ["{{token}}", ${hash}] }`,
        `{\n  "method": "eth_getStorageAt",\n  "params": ["{{token}}", ${hash}]\n}`,
      ],
      [
        "breaks lists that do not fit",
        `{ "params": [${hash}, ${hash}] }`,
        `{\n  "params": [\n    ${hash},\n    ${hash}\n  ]\n}`,
      ],
      [
        "keeps numbers, escapes and repeated keys as they are written",
        `{"a":1.50e+2,"a":12345678901234567890123,"b":"\\u00e9\\/"}`,
        `{ "a": 1.50e+2, "a": 12345678901234567890123, "b": "\\u00e9\\/" }`,
      ],
      ["closes what is empty", `{"a":{ \n },"b":[\n]}`, `{ "a": {}, "b": [] }`],
      ["takes space off around it", `\n\n  [ ]\n`, `[]`],
      ["keeps Windows line ends", `{\r\n"a":1}`, `{\r\n  "a": 1\r\n}`],
    ] as const)
      it(what, () => assert.equal(cell(before), after));

    it("indents by what the editor says", () => assert.equal(cell(`{\n"a":1}`, "\t"), `{\n\t"a": 1\n}`));

    for (const text of ["", "eth_call", `{ "a": 1,, }`, `{ "a": 1 `, `{ /* no */ }`, "[".repeat(600) + "]".repeat(600)])
      it(`leaves ${text.slice(0, 12) || "nothing"} alone`, () => assert.equal(cell(text), text));

    it("leaves Markdown alone", () => {
      assert.deepEqual(formatCell(readCell("{ }", "markdown"), { indent: "  " }), []);
    });
  });

  describe("of a file", () => {
    it("gives the frame a line a member and ends with a line end", () =>
      assert.equal(
        file(`{"endpoint":"local","cells":[{"method":"eth_chainId"},{"markdown":["# A","b"]},{"markdown":["# A"]}]}`),
        `{
  "endpoint": "local",
  "cells": [
    { "method": "eth_chainId" },
    {
      "markdown": [
        "# A",
        "b"
      ]
    },
    { "markdown": ["# A"] }
  ]
}
`,
      ));
    it("takes a bare list and a bare request", () => {
      assert.equal(file(`[{"method":"a"}]`), `[\n  { "method": "a" }\n]\n`);
      assert.equal(file(`{"method":"a"}`), `{ "method": "a" }\n`);
    });
    it("keeps a byte order mark", () => assert.equal(file(`\ufeff[ ]`), `\ufeff[]\n`));
    for (const text of [`{ "cells": [{ "method": ] }`, `{ "name": "x" }`, "", "# no notebook"])
      it(`leaves ${text || "nothing"} alone`, () => assert.equal(file(text), text));
    it("finds nothing to do in the quickstart", () => {
      const text = readFileSync(
        fileURLToPath(new URL("../../../examples/quickstart.rpc.json", import.meta.url)),
        "utf8",
      );
      assert.equal(file(text), text);
    });
  });

  it("changes nothing but white space, and nothing the second time", () => {
    const json = fc.json({ maxDepth: 5 });
    const spaced = fc.tuple(json, fc.constantFrom(0, 1, 2, "\t"), fc.nat(60)).map(([text, space, width]) => {
      const laid = JSON.stringify(JSON.parse(text), undefined, space);
      return laid.replaceAll(",", width % 2 === 0 ? "," : " ,").replace("{", width % 3 === 0 ? "{\n" : "{");
    });
    const notebook = fc.array(spaced).map((cells) => `{"endpoint":"x","cells":[${cells.join(",")}]}`);
    fc.assert(
      fc.property(fc.oneof(spaced, notebook), fc.constantFrom("  ", "    ", "\t"), (text, indent) => {
        fc.pre(isJson(text));
        for (const form of [cell, file]) {
          const once = form(text, indent);
          assert.deepEqual(JSON.parse(once), JSON.parse(text));
          assert.equal(once.replace(/\s/g, ""), text.replace(/\s/g, ""));
          assert.equal(form(once, indent), once);
        }
      }),
    );
  });
});
