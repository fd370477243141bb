import assert from "node:assert/strict";
import type { FileText } from "../../../server/src/notebook/readFile.ts";
import { fileToHeader, headerToFile, readFile, updateFile } from "../../../server/src/notebook/readFile.ts";

const texts = (file: FileText): readonly string[] => file.cells.map(({ text }) => text);
const faults = (text: string): readonly string[] =>
  readFile(text).faults.map(({ code, span }) => `${code} at ${text.slice(span.start, span.end)}`);

describe("readFile", () => {
  for (const [text, form, cells] of [
    [`{ "cells": [{ "method": "a" }, 5, []] }`, "notebook", ['{ "method": "a" }', "5", "[]"]],
    [`{ "c\\u0065lls": [{}], "method": "a" }`, "notebook", ["{}"]],
    [`{ "cells": [1], "cells": [2] }`, "notebook", ["2"]],
    [`\ufeff[{ "method": "a" }, [{ "method": "b" }]]`, "array", ['{ "method": "a" }', '[{ "method": "b" }]']],
    [`{ "method": "a" }\n`, "object", ['{ "method": "a" }']],
    [`{ "batch": [] }`, "object", ['{ "batch": [] }']],
    [`{ "cells": 5 }`, "none", []],
    [`{ "endpoint": "local" }`, "none", []],
    ["5", "none", []],
    ["", "none", []],
  ] as const)
    it(`takes ${JSON.stringify(text)} for ${form}`, () => {
      const file = readFile(text);
      assert.equal(file.form, form);
      assert.deepEqual(texts(file), cells);
    });

  it("gives each cell its place in the file", () => {
    const text = `{ "cells": [\n  { "method": "a" },\n  { "method": "b" }\n] }`;
    const { cells, spans } = readFile(text);
    assert.deepEqual(
      spans.map(({ start, end }) => text.slice(start, end)),
      cells.map((cell) => cell.text),
    );
  });

  it("makes a header of what is not cells, wherever they stand", () => {
    const header = (text: string): string | undefined => readFile(text).header?.cell.text;
    assert.equal(header(`{ "cells": [1], "endpoint": "x" }`), `{ "endpoint": "x" }`);
    assert.equal(header(`{ "endpoint": "x", "cells": [1] }`), `{ "endpoint": "x" }`);
    assert.equal(header(`{ "a": 1, "cells": [1], "b": 2 }`), `{ "a": 1, "b": 2 }`);
    assert.equal(header(`{ "cells": [1] }`), "{  }");
    assert.equal(header(`{ "endp`), `{ "endp`);
    assert.equal(header("[1]"), undefined);
  });

  it("translates places of the header, and none inside the cells", () => {
    const text = `{ "a": 1, "cells": [1], "b": 2 }`;
    const { header } = readFile(text);
    assert.ok(header);
    for (const word of [`"a"`, `"b"`, "2", "}"]) {
      const start = header.cell.text.indexOf(word);
      const at = headerToFile(header, { start, end: start + word.length });
      assert.equal(text.slice(at.start, at.end), word);
      assert.equal(fileToHeader(header, at.start), start);
    }
    assert.equal(fileToHeader(header, text.indexOf("cells")), undefined);
    assert.equal(fileToHeader(header, text.length + 1), undefined);
  });

  for (const [text, ...expected] of [
    [`{ "a": 1 }`, 'not-a-notebook at { "a": 1 }'],
    ["[1 2]", "json-syntax at 2"],
    ["[1,, 2,]", "json-syntax at ,", "json-syntax at ,"],
    [`{ "a": 1 "cells": [] }`, `json-syntax at "cells"`],
    [`{ "cells": [] "a": 1 }`, `json-syntax at "`],
    ["[]\nmore\n", "json-syntax at more"],
    ["[1", "json-syntax at 1"],
    [`{ "cells": [1, "labels": {} }`, `json-syntax at "`],
  ] as const)
    it(`says what is wrong with ${JSON.stringify(text)} as a whole`, () => assert.deepEqual(faults(text), expected));

  it("finds every line of a conflict, and the cells around it", () => {
    const text = `[\n  { "method": "a" },\n<<<<<<< HEAD\n  { "method": "b" },\n=======\n  { "method": "c" },\n>>>>>>> theirs\n  { "method": "d" }\n]`;
    const file = readFile(text);
    assert.deepEqual(
      file.faults.map(({ code, span }) => `${code} ${text.slice(span.start, span.end)}`),
      ["conflict-marker <<<<<<< HEAD", "conflict-marker =======", "conflict-marker >>>>>>> theirs"],
    );
    assert.deepEqual(
      file.cells.map(({ requests }) => requests[0]?.method),
      ["a", "b", "c", "d"],
    );
  });

  describe("while one cell is being typed", () => {
    const others = ['{ "method": "a" }', '{ "method": "b" }', '{\n      "method": "c"\n    }'];
    for (const typed of [
      "{",
      `{ "method": "eth_call", "params": [`,
      `{ "method": "eth_call, "params": [] }`,
      `{\n      "method": "eth_call",\n      "params": [\n        { "to": "0x`,
      `{\n      "method": "eth_call",\n      "params": "x"]\n    }`,
      `{\n      "method": "eth_call",\n      "params": [{\n    }`,
    ])
      it(`keeps the others beside ${JSON.stringify(typed)}`, () => {
        const [a, b, c] = others;
        const file = readFile(
          `{\n  "cells": [\n    ${a},\n    ${typed},\n    ${b},\n    ${c}\n  ],\n  "endpoint": "local"\n}\n`,
        );
        assert.deepEqual(texts(file), [a, typed, b, c]);
        assert.equal(file.header?.cell.text, `{\n  "endpoint": "local"\n}`);
      });

    it("keeps the cells when a member of the header is not closed", () => {
      const file = readFile(`{\n  "variables": { "a": 1,\n  "cells": [\n    { "method": "a" }\n  ]\n}\n`);
      assert.deepEqual(texts(file), ['{ "method": "a" }']);
    });

    it("keeps the cells behind a bracket too many", () => {
      assert.deepEqual(texts(readFile(`[{ "method": "a" }}, { "method": "b" }]`)), [
        '{ "method": "a" }',
        '{ "method": "b" }',
      ]);
      assert.deepEqual(texts(readFile(`{ "cells": [{}], {}] }`)), ["{}", "{}"]);
    });
  });
});

describe("updateFile", () => {
  const text = `{ "a": 1, "cells": [{ "method": "a" }, { "method": "b" }, { "method": "c" }] }`;

  it("keeps what was read of the cells that did not change", () => {
    const before = readFile(text);
    const after = updateFile(before, text.replace(`"b"`, `"bb"`));
    assert.deepEqual(
      after.cells.map((cell, i) => cell === before.cells[i]),
      [true, false, true],
    );
    assert.equal(after.header?.cell, before.header?.cell);
    assert.equal(after.text.slice(after.spans.at(2)?.start, after.spans.at(2)?.end), `{ "method": "c" }`);
  });

  it("keeps them when a cell comes or goes", () => {
    const before = readFile(text);
    const more = updateFile(before, text.replace(`{ "method": "b" }`, `{ "method": "b" }, { "method": "x" }`));
    assert.deepEqual(
      more.cells.map((cell) => before.cells.indexOf(cell)),
      [0, 1, -1, 2],
    );
    const fewer = updateFile(more, text);
    assert.deepEqual(
      fewer.cells.map((cell) => before.cells.indexOf(cell)),
      [0, 1, 2],
    );
  });
  for (const [what, edited] of [
    ["loses the comma behind it", text.replace(" }, {", " } {")],
    ["gets a second comma behind it", text.replace(" }, {", " },, {")],
    ["leaves its comma behind", text.replace(`{ "method": "b" }`, "")],
    ["gets a comma, being the last", text.replace(" }]", " },]")],
    ["comes without a comma", text.replace(" }]", ` } { "method": "d" }]`)],
  ] as const)
    it(`says what is wrong if a cell ${what}`, () => {
      const { faults } = updateFile(readFile(text), edited);
      assert.deepEqual(faults, readFile(edited).faults);
      assert.notDeepEqual(faults, []);
    });
});
