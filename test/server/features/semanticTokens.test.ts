import assert from "node:assert/strict";
import fc from "fast-check";
import { semanticTokens } from "../../../server/src/features/semanticTokens.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { scopeOf } from "../../support/cell.ts";
import { times } from "../../support/depth.ts";

/** Checks the tokens of a cell, as `text type.modifier`. */
function check(text: string, expected: readonly string[], kind?: "header" | "markdown"): void {
  const cell = readCell(text, kind);
  const found = semanticTokens(cell, scopeOf(cell)).map(
    ({ span, type, modifiers }) => `${text.slice(span.start, span.end)} ${[type, ...modifiers].join(".")}`,
  );
  assert.deepEqual(found, expected);
}

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

describe("semantic tokens", () => {
  it("tell methods, names, directives, addresses and tags", () =>
    check(
      `{ "name": "b", "method": "eth_getBalance", "params": ["${alice}", "pending"], "endpoint": "local", "id": 1, "x": 2 }`,
      [
        "name keyword",
        "b variable.declaration",
        "eth_getBalance method",
        `${alice} number`,
        "pending enumMember",
        "endpoint keyword",
      ],
    ));

  it("take placeholders apart, in strings and in keys", () =>
    check(
      `{ "method": "eth_call", "params": [{ "to": "{{token}}", "{{k}}": 1, "data": "0x{{ b.result[12] }}\\n" }, "{{$env.BLOCK}}", "{{{{x}}}}"] }`,
      [
        "eth_call method",
        "to property",
        "token variable",
        "k variable",
        "data property",
        "0x string",
        "b variable",
        "result property",
        "12 number",
        "\\n string",
        "$env variable.defaultLibrary",
        "BLOCK variable",
      ],
    ));

  it("tell fields that the catalogue knows, and what stands in them", () =>
    check(
      `{ "method": "eth_call", "params": [{ "value": "1.5 ether", "gas": "21000", "typo": "0x1", "data": { "function": "f()", "args": ["0x1"] } }, "latest - 100", { "${alice}": { "balance": "0x10" } }] }`,
      [
        "eth_call method",
        "value property",
        "1.5 number",
        "ether keyword",
        "gas property",
        "21000 number",
        "data property",
        "function property",
        "args property",
        "latest enumMember",
        "- operator",
        "100 number",
        `${alice} number`,
        "balance property",
        "0x10 number",
      ],
    ));

  it("tell the operators of an expectation, and no key of a value", () =>
    check(`{ "method": "no_such", "expect": { "result": { ">=": 1, "in": [] }, "error": { "in": 1, "code": 3 } } }`, [
      "expect keyword",
      ">= operator",
      "in operator",
    ]));

  it("tell the members of a header, its variables and its addresses", () =>
    check(
      `{ "chainId": "0x1", "endpoint": "e", "variables": { "a": "${alice}", "t": "text" }, "labels": { "${alice}": "x" }, "own": 1 }`,
      [
        "chainId keyword",
        "0x1 number",
        "endpoint keyword",
        "variables keyword",
        "a variable.declaration",
        `${alice} number`,
        "t variable.declaration",
        "labels keyword",
        `${alice} number`,
      ],
      "header",
    ));

  it("tell a batch and what is in it", () =>
    check(`{ "name": "all", "batch": [{ "method": "eth_chainId", "snapshot": true }], "id": 1 }`, [
      "name keyword",
      "all variable.declaration",
      "batch keyword",
      "eth_chainId method",
      "snapshot keyword",
    ]));

  it("say nothing of Markdown", () => {
    check(`{ "method": "eth_call" }`, [], "markdown");
    check(`{ "markdown": ["{{a}}"] }`, []);
  });

  it("are in order, on one line and beside each other, whatever the text", () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            ...[
              "{",
              "}",
              "[",
              "]",
              ",",
              ":",
              `"`,
              "\n",
              "\\",
              "{{a.b}}",
              "{{",
              "0x1",
              "latest - 1",
              `"method":"eth_call"`,
            ],
            ...[
              `"params":[`,
              `"name"`,
              `{"to":"`,
              `"expect":{"r":{"in":`,
              `"eth_getLogs"`,
              "pending",
              `"batch":[`,
              `"name":"n"`,
            ],
          ),
        ),
        fc.constantFrom(undefined, "header" as const),
        (parts, kind) => {
          const text = `{${parts.join("")}`;
          const cell = readCell(text, kind);
          let end = 0;
          for (const { span } of semanticTokens(cell, scopeOf(cell))) {
            assert.ok(end <= span.start && span.start < span.end && span.end <= text.length);
            assert.doesNotMatch(text.slice(span.start, span.end), /[\r\n]/);
            end = span.end;
          }
        },
      ),
      { numRuns: times(500) },
    ));
});
