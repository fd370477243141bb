import assert from "node:assert/strict";
import type { NotebookCell } from "../../../server/src/notebook/data.ts";
import { change } from "../../support/cell.ts";
import { open, save } from "./bytes.ts";

const code = (text: string): NotebookCell => ({ kind: "code", language: "rpc-request", text });
const markdown = (text: string): NotebookCell => ({ kind: "markdown", language: "markdown", text });
const request = '{ "method": "eth_chainId" }';

/** The file after its cells were changed. */
function edited(text: string, change: (cells: readonly NotebookCell[]) => readonly NotebookCell[]): string {
  const data = open(text);
  return save({ ...data, cells: change(data.cells) });
}
/** Checks the {@link change} of a file after its cells were changed. */
function saves(marked: string, edit: (cells: readonly NotebookCell[]) => readonly NotebookCell[]): void {
  const [before, after] = change(marked);
  assert.equal(edited(before, edit), after);
}
const typed = (at: number, text: string) => (cells: readonly NotebookCell[]) =>
  cells.map((cell, i) => (i === at ? { ...cell, text } : cell));

describe("saveNotebook", () => {
  it("writes a new notebook as an object", () => {
    assert.equal(save({ cells: [], metadata: {} }), '{\n  "cells": []\n}\n');
    assert.equal(
      save({ cells: [code('{ "endpoint": "local" }'), markdown("# Title"), code(request), code("{ ")], metadata: {} }),
      `{ "endpoint": "local",
  "cells": [
    { "markdown": ["# Title"] },
    { "method": "eth_chainId" },
    { "text": ["{ "] }
  ] }
`,
    );
  });

  it("leaves an empty file empty until something is in it", () => {
    saves("", (cells) => cells);
    saves(`\ufeff‹→{\n  "cells": [\n    ${request}\n  ]\n}\n›`, () => [code(request)]);
  });

  describe("keeps the form of a file", () => {
    it("of an array", () => saves(`[‹→\n  ${request},›\n  ${request}\n]\n`, (cells) => [...cells, code(request)]));
    it("of an array on one line", () => saves(`[${request}‹→,${request}›]`, (cells) => [...cells, code(request)]));
    it("of one request", () => saves(`\n‹${request}→{ "batch": [] }›\r\n`, typed(0, '{ "batch": [] }')));
    it("of an empty list", () => saves(`{\n  "cells": [‹→\n    ${request}\n  ›]\n}`, () => [code(request)]));
    it("of tabs and CRLF, for cells of other origin", () =>
      saves(
        `{\r\n\t"cells": [\r\n\t\t‹→{\r\n\t\t  "method": "a"\r\n\t\t},\r\n\t\t›${request}\r\n\t]\r\n}\r\n`,
        (cells) => [code('{\n  "method": "a"\n}'), ...cells],
      ));
  });

  describe("turns a form that no longer fits", () => {
    it("one request and a second one: an array", () => {
      assert.equal(
        edited(request, (cells) => [...cells, code(request)]),
        `[\n  ${request},\n  ${request}\n]`,
      );
      const long = '{\n  "method": "a"\n}';
      assert.equal(
        edited(long, (cells) => [...cells, code(request)]),
        `[\n${long},\n${request}\n]`,
      );
    });
    it("one request that is none any more: an array", () => {
      assert.equal(edited(request, typed(0, "{ ")), '[\n  { "text": ["{ "] }\n]');
      assert.equal(edited(request, typed(0, "[]")), "[\n  []\n]");
      assert.equal(
        edited(request, () => []),
        "[]",
      );
    });
    it("an array that gets a header: an object", () =>
      saves(`‹→{\n  "endpoint": "local",\n  "cells": ›[\n  ${request}\n]\n‹→}\n›`, (cells) => [
        code('{\n  "endpoint": "local"\n}'),
        ...cells,
      ]));
  });

  describe("keeps what does not parse", () => {
    it("as lines of text, and back once it does", () => {
      const file = `[\n  ${request}\n]\n`;
      const broken = edited(file, typed(0, '{ "method":\n"a'));
      assert.equal(broken, '[\n  { "text": ["{ \\"method\\":", "\\"a"] }\n]\n');
      assert.equal(open(broken).cells[0]?.text, '{ "method":\n"a');
      assert.equal(edited(broken, typed(0, request)), file);
    });
    it("and what would come back as something else", () => {
      for (const text of ['{ "markdown": "x" }', '{ "text": ["x"] }', "12", ""]) {
        const saved = edited(`[${request}]`, typed(0, text));
        assert.deepEqual(
          open(saved).cells.map((cell) => [cell.kind, cell.text]),
          [["code", text]],
        );
      }
    });
    it("in the header", () => {
      const broken = edited('{\n  "endpoint": "local",\n  "cells": []\n}', typed(0, '{ "endpoint": '));
      assert.equal(broken, '{ "text": ["{ \\"endpoint\\": "],\n  "cells": [] }');
      assert.equal(open(broken).cells[0]?.text, '{ "endpoint": ');
      assert.equal(edited(broken, typed(0, '{ "endpoint": "x" }')), '{ "endpoint": "x",\n  "cells": [] }');
    });
  });

  describe("writes Markdown as it was read", () => {
    for (const [before, after] of [
      ['[{ "markdown": "a" }]', '[{ "markdown": "a\\nb" }]'],
      ['[{ "markdown": ["a"] }]', '[{ "markdown": ["a", "b"] }]'],
      [
        '[\n  {\n    "markdown": [\n      "a"\n    ]\n  }\n]',
        '[\n  {\n    "markdown": [\n      "a",\n      "b"\n    ]\n  }\n]',
      ],
      ['[{"id": 7, "markdown":["\\u0061"], "x": null}]', '[{"id": 7, "markdown":["\\u0061", "b"], "x": null}]'],
    ] as const)
      it(before, () => assert.equal(edited(before, typed(0, "a\nb")), after));
    it("a line for each where one line would be long", () => {
      const line = "x".repeat(60);
      const saved = save({ cells: [markdown(`${line}\n${line}`)], metadata: {} });
      assert.equal(
        saved,
        `{\n  "cells": [\n    {\n      "markdown": [\n        "${line}",\n        "${line}"\n      ]\n    }\n  ]\n}\n`,
      );
      assert.deepEqual(open(saved).metadata, {});
      assert.deepEqual(open(saved).cells, [markdown(`${line}\n${line}`)]);
    });
  });

  describe("keeps the header", () => {
    const file = `{\n  "variables": { "n": 9007199254740993 },\n  "cells": [\n    ${request}\n  ],\n  "labels": {}\n}\n`;
    it("in its place in the file, around the cells", () =>
      assert.equal(
        edited(file, typed(0, '{\n  "variables": { "n": 1 },\n  "labels": {},\n  "abi": []\n}')),
        file.replace("9007199254740993", "1").replace('"labels": {}', '"labels": {},\n  "abi": []'),
      ));
    it("when its cell was deleted", () => saves(file, (cells) => cells.slice(1)));
    it("first, when its cell was moved", () => saves(file, (cells) => cells.toReversed()));
    it("when its cell lost its metadata", () =>
      saves(file, (cells) => cells.map(({ kind, language, text }) => ({ kind, language, text }))));
    it("until it is emptied", () =>
      assert.equal(edited(file, typed(0, "{}")), `{\n  "cells": [\n    ${request}\n  ]\n}\n`));
    it("apart from a cell that only looks like one", () => {
      const lookalike = '[\n  { "endpoint": "local" }\n]\n';
      saves(lookalike, (cells) => cells);
    });
    it("with a key `cells` of its own", () => {
      const saved = edited('{ "a": 1, "cells": [] }', typed(0, '{ "cells": 5, "a": 1 }'));
      assert.equal(saved, '{ "cells": 5, "cells": [], "a": 1 }');
      assert.equal(open(saved).cells[0]?.text, '{ "cells": 5, "a": 1 }');
    });
  });

  it("does not trust metadata that it did not write", () => {
    for (const metadata of [
      { before: "[", after: "}" },
      { before: '{ "cells": [1', after: "] }" },
      { before: 5, after: true },
      { before: "[", after: "]", space: ", 5," },
      { before: "[", after: "]", tail: "x", eol: "x", comma: ",", empty: "1" },
    ]) {
      const cell = {
        ...code(request),
        metadata: { space: "5,", comma: "1", indent: "x", eol: "crlf x", raw: "{", form: 7, header: "no" },
      };
      assert.equal(open(save({ cells: [cell], metadata })).cells[0]?.text, request);
    }
  });
});
