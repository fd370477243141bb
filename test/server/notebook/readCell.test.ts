import assert from "node:assert/strict";
import fc from "fast-check";
import { deeperThan } from "../../../server/src/base/jsonScan.ts";
import type { JsonNode } from "../../../server/src/notebook/json.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { times } from "../../support/depth.ts";
import { pluck } from "../../support/pluck.ts";

/** Checks the faults of a cell, which are marked in its text: `‹what is wrong→text›`. */
function expect(marked: string): void {
  const marks = [...readCell(marked.replace(/‹.*?→(.*?)›/gs, "$1")).faults].sort((a, b) => b.span.start - a.span.start);
  const shown = marks.reduce(
    (text, { span: { start, end }, what }) =>
      `${text.slice(0, start)}‹${what}→${text.slice(start, end)}›${text.slice(end)}`,
    marked.replace(/‹.*?→(.*?)›/gs, "$1"),
  );
  assert.equal(shown, marked);
}

describe("readCell", () => {
  it("reads a request with its directives", () => {
    const [request] = readCell(`{ "name": "b", "method": "eth_getBalance", "params": [] }`).requests;
    assert.equal(request?.method, "eth_getBalance");
    assert.equal(request?.name, "b");
    assert.deepEqual([...(request?.members.keys() ?? [])], ["name", "method", "params"]);
  });

  it("lets the last of equal keys win, as JSON does", () =>
    assert.equal(readCell(`{ "method": "a", "method": "b" }`).requests[0]?.method, "b"));

  for (const [text, kind] of [
    [`{ "method": "eth_chainId" }`, "request"],
    [`{ "params": [] }`, "request"],
    [`{ "method": "eth_call", "markdown": "x" }`, "request"],
    [`{ "markdown": 5 }`, "request"],
    [`{ "text": ["x"], "more": 1 }`, "request"],
    [`{ "method": "eth_ca`, "request"],
    [`{ "batch": [{ "method": "a" }] }`, "batch"],
    [`[{ "method": "a" }]`, "batch"],
    [`{ "markdown": ["# Title"] }`, "markdown"],
    [`{ "markdown": ["# Ti`, "markdown"],
    [`{ "text": ["{ \\"meth"] }`, "unfinished"],
    ["eth_call", "unfinished"],
    ["12", "unfinished"],
    ["", "unfinished"],
  ] as const)
    it(`takes ${text || "an empty cell"} for a ${kind}`, () => assert.equal(readCell(text).kind, kind));

  it("finds the requests of a batch, and leaves out what is none", () =>
    assert.deepEqual(pluck(readCell(`{ "batch": [{ "method": "a" }, 5, { "method": "b" }] }`).requests, "method"), [
      "a",
      "b",
    ]));

  it("takes the caller's word for a header and for Markdown", () => {
    assert.equal(readCell(`{ "endpoint": "local" }`, "header").kind, "header");
    assert.deepEqual(readCell("# {", "markdown"), {
      kind: "markdown",
      text: "# {",
      root: undefined,
      requests: [],
      faults: [],
      directives: new Set(),
      literal: true,
    });
  });

  for (const [text, directives] of [
    [`{ "method": "a", "params": [{ "name": 1 }] }`, []],
    [`{ "name": "b", "method": "a", "expect": {}, "other": 1 }`, ["name", "expect"]],
    [`{ "method": "a", "\\u0065xpect": {} }`, ["expect"]],
    [`{ "within": "2s", "batch": [{ "method": "a" }, { "method": "b", "abi": [] }] }`, ["abi", "within"]],
    [`[{ "method": "a", "endpoint": "local" }]`, ["endpoint"]],
    [`{ "endpoint": "lo`, ["endpoint"]],
  ] as const)
    it(`finds the directives of ${text}`, () => assert.deepEqual([...readCell(text).directives], directives));

  for (const [params, literal] of [
    [`["0x1", { "a": {} }]`, true],
    [`["{{a}}"]`, false],
    [`["{{$env.KEY}}"]`, false],
    [`["\\u007b{a}}"]`, false],
    [`["a $ sign"]`, false],
  ] as const)
    it(`says that ${params} ${literal ? "goes out as it is" : "may stand for something else"}`, () =>
      assert.equal(readCell(`{ "method": "a", "params": ${params} }`).literal, literal));

  it("does not read what nests deeper than 512", () => {
    assert.equal(readCell("[".repeat(512) + "]".repeat(512)).kind, "batch");
    for (const deep of [
      "[".repeat(513),
      "[},".repeat(100_000),
      `${'{"a":'.repeat(100_000)}1`,
      `/*"*/${"[".repeat(600)}`,
    ]) {
      assert.equal(readCell(deep).kind, "opaque");
    }
  });

  it("never lets the parser nest deeper than was counted", () => {
    const depth = (node: JsonNode | undefined): number =>
      node
        ? (node.type === "object" || node.type === "array" ? 1 : 0) + Math.max(0, ...(node.children ?? []).map(depth))
        : 0;
    const piece = fc.constantFrom(..."[{]},\":1\n\\x'", '"a":', "//", "/*", "*/");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = `${pieces.join("")}${" ".repeat(40)}`;
        const found = depth(readCell(text).root);
        assert.ok(found === 0 || deeperThan(text, found - 1), text);
      }),
      { numRuns: times(1000) },
    );
  });

  it("reads what is there of a request being typed", () => {
    const [request] = readCell(`{ "method": "eth_getBalance", "params": ["0x`).requests;
    assert.equal(request?.method, "eth_getBalance");
    assert.equal(request?.members.get("params")?.value?.children?.[0]?.value, "0x");
  });

  it("finds no fault in an empty cell", () => assert.deepEqual(readCell(" \n").faults, []));

  for (const marked of [
    `{ "a": 1‹one comma too many→,› }`,
    `[1,‹one comma too many→,› 2]`,
    `{ "a" ‹a colon is missing before this→1› }`,
    `{ "a": ‹a value is missing before this→}›`,
    `{ "a": 1 ‹a comma is missing before this→"b"›: 2 }`,
    `{ "a": [1 ‹\`]\` is missing before this→}›`,
    `{ "method": "eth_call"‹\`}\` is missing at the end→,›`,
    `{ ‹keys need double quotes→method›: "eth_call" }`,
    `{ "a": ‹strings need double quotes→'one two'›, "b": ‹\`undefined\` is not a JSON value→undefined› }`,
    `{ "block": ‹hex values need double quotes→0x1b4› }`,
    `{ "a": ‹numbers have no leading zeros→00›7 }`,
    `{ "a": 1 } ‹JSON has no comments→// head›`,
    `{ "a": ‹the number is cut short→1.› }`,
    `‹a request is an object, \`{ … }\`→"eth_chainId"›`,
    `{ "a": "\\\\ ‹\`\\q\` is not an escape sequence→\\q›" }`,
    `{ "a": "\\\\u ‹\`\\u\` takes four hex digits→\\u12›" }`,
    `{ "a": "x‹a control character is written \`\\t\`→\t›y" }`,
  ])
    it(`says what is wrong, at its place: ${marked}`, () => expect(marked));

  it("says all that is wrong with a string that does not end", () =>
    assert.deepEqual(
      readCell(`{ "a": "no end }`).faults.map(({ span, what }) => [span.start, span.end, what]),
      [
        [7, 16, "the string has no closing quote"],
        [15, 16, "`}` is missing at the end"],
      ],
    ));
});
