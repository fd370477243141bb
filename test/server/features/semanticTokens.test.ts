import assert from "node:assert/strict";
import fc from "fast-check";
import { semanticTokens } from "../../../server/src/features/semanticTokens.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { scopeOf } from "../../support/cell.ts";
import { times } from "../../support/depth.ts";

/** Checks the tokens of a cell, which are marked in its text: `‹type.modifier→text›`. */
function check(marked: string, kind?: "header" | "markdown"): void {
  const text = marked.replace(/‹[^→]*→(.*?)›/gs, "$1");
  const cell = readCell(text, kind);
  const shown = semanticTokens(cell, scopeOf(cell)).reduceRight(
    (all, { span: { start, end }, type, modifiers }) =>
      `${all.slice(0, start)}‹${[type, ...modifiers].join(".")}→${all.slice(start, end)}›${all.slice(end)}`,
    text,
  );
  assert.equal(shown, marked);
}

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

describe("semantic tokens", () => {
  it("tell the members of a header, its variables and its addresses", () =>
    check(
      `{ "‹keyword→chainId›": "‹number→0x1›", "‹keyword→endpoint›": "e", "‹keyword→variables›": { "‹variable.declaration→a›": "‹number→${alice}›", "‹variable.declaration→t›": "text" }, "‹keyword→labels›": { "‹number→${alice}›": "x" }, "own": 1 }`,
      "header",
    ));

  for (const marked of [
    // tell methods, names, directives, addresses and tags
    `{ "‹keyword→name›": "‹variable.declaration→b›", "method": "‹method→eth_getBalance›", "params": ["‹number→${alice}›", "‹enumMember→pending›"], "‹keyword→endpoint›": "local", "id": 1, "x": 2 }`,
    // take placeholders apart, in strings and in keys
    `{ "method": "‹method→eth_call›", "params": [{ "‹property→to›": "{{‹variable→token›}}", "{{‹variable→k›}}": 1, "‹property→data›": "‹string→0x›{{ ‹variable→b›.‹property→result›[‹number→12›] }}‹string→\\n›" }, "{{‹variable.defaultLibrary→$env›.‹variable→BLOCK›}}", "{{{{x}}}}"] }`,
    // tell fields that the catalogue knows, and what stands in them
    `{ "method": "‹method→eth_call›", "params": [{ "‹property→value›": "‹number→1.5› ‹keyword→ether›", "‹property→gas›": "‹number→21000›", "typo": "0x1", "‹property→data›": { "‹property→function›": "f()", "‹property→args›": ["0x1"] } }, "‹enumMember→latest› ‹operator→-› ‹number→100›", { "‹number→${alice}›": { "‹property→balance›": "‹number→0x10›" } }] }`,
    // tell the operators of an expectation, and no key of a value
    `{ "method": "no_such", "‹keyword→expect›": { "result": { "‹operator→>=›": 1, "‹operator→in›": [] }, "error": { "in": 1, "code": 3 } } }`,
    // tell a batch and what is in it
    `{ "‹keyword→name›": "‹variable.declaration→all›", "‹keyword→batch›": [{ "method": "‹method→eth_chainId›", "‹keyword→snapshot›": true }], "id": 1 }`,
  ])
    it(marked, () => check(marked));

  it("say nothing of Markdown", () => {
    check(`{ "method": "eth_call" }`, "markdown");
    check(`{ "markdown": ["{{a}}"] }`);
  });

  it("are in order, on one line and beside each other, whatever the text", () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            ...`{}[],:"\n\\`,
            ...[`{{a.b}}`, "{{", "0x1", "latest - 1", `"method":"eth_call"`, `"params":[`, `"name"`, `{"to":"`],
            ...[`"expect":{"r":{"in":`, `"eth_getLogs"`, "pending", `"batch":[`, `"name":"n"`],
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
