import assert from "node:assert/strict";
import { references, type Use } from "../../../server/src/features/references.ts";
import { inText, spotIn } from "../../support/notebook.ts";

const marks: Readonly<Record<Use["kind"], readonly [string, string]>> = { declaration: ["«", "»"], use: ["‹", "›"] };

/** Checks what is marked in a notebook: `«declaration»`, `‹use›`; `|` is the cursor. */
function check(marked: string): void {
  const { text, document, cell, offset, scope } = spotIn(marked.replace(/[«»‹›]/g, ""));
  const found = references(cell, offset, scope).map((use) => ({ ...inText(document, use), marks: marks[use.kind] }));
  const shown = found
    .sort((a, b) => b.start - a.start)
    .reduce(
      (all, { start, end, marks: [open, close] }) =>
        all.slice(0, start) + open + all.slice(start, end) + close + all.slice(end),
      text,
    );
  assert.equal(shown, marked.replace("|", ""));
}

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const shouted = `0x${alice.slice(2).toUpperCase()}`;

describe("references", () => {
  it("finds an address in any case, and its label", () => {
    const body = (at: string, label: string, other: string): string =>
      `{ "variables": { "a": "‹${alice}›" }, "labels": { "«${at}»": "«${label}»" }, "cells": [
        { "method": "a", "params": ["‹${other}›", "${alice}00"] }, { "markdown": "of ‹${alice}›" }] }`;
    check(body(`|${alice}`, "alice", shouted));
    check(body(alice, "a|lice", shouted));
    check(body(alice, "alice", `${shouted}|`));
  });

  for (const marked of [
    // finds a variable from a placeholder, in strings, in keys and with paths
    `{ "variables": { "«who»": "0x1", "whom": 1 }, "cells": [
      { "method": "a", "params": ["{{‹wh|o›}}"] },
      { "batch": [{ "method": "b", "params": { "k {{‹who›}}": ["x{{ ‹who›.a[0] }}y{{‹who›}}"] } }] },
      { "method": "c", "params": ["{{whom}}", "{{{{who}}}}", "{{$env.who}}"] }
    ] }`,
    // finds a variable from its declaration
    `{ "variables": { "|«who»": "0x1" }, "cells": [{ "method": "a", "params": ["{{‹who›}}"] }] }`,
    // finds a cell from its name, also that of a batch and of an item of one
    `[{ "name": "«b»|", "method": "a" }, { "method": "c", "params": ["{{‹b›.result}}"] }]`,
    `[{ "name": "«b»", "batch": [] }, { "method": "c", "params": ["{{‹b›[0].result|}}"] }]`,
    `[[{ "name": "«b»", "method": "a" }], { "method": "c", "params": ["{{‹b›.result.to|ken}}"] }]`,
    // finds a name that is written with escapes
    `[{ "name": "«\\u0062»", "method": "a" }, { "method": "c", "params": ["\\n{{|‹b›}}"] }]`,
    // takes what a run takes of names that are given twice
    `{ "variables": { "«b»": 1 }, "cells": [{ "name": "b", "method": "a", "params": ["{{|‹b›}}"] }] }`,
    `{ "variables": { "b": 1 }, "cells": [{ "name": "«b|»", "method": "a", "params": ["{{b}}"] }] }`,
    `[{ "name": "«b»", "method": "a" }, { "name": "b", "method": "a" }, { "method": "a", "params": ["{{|‹b›}}"] }]`,
    `[{ "name": "b", "method": "a" }, { "name": "«|b»", "method": "a" }, { "method": "a", "params": ["{{b}}"] }]`,
    `{ "variables": { "«b»": 1, "«|b»": 2 }, "cells": [{ "method": "a", "params": ["{{‹b›}}"] }] }`,
    // finds the other places of a name that nothing gives
    `[{ "method": "a", "params": ["{{‹x›}}"] }, { "method": "a", "params": ["{{‹x|›.result}}"] }]`,
    // finds an endpoint in the header, in cells, in batches and in their items
    `{ "endpoint": "‹main›", "cells": [
      { "endpoint": "‹m|ain›", "method": "a" },
      { "endpoint": "‹main›", "batch": [{ "endpoint": "‹main›", "method": "main" }] },
      { "endpoint": "other", "method": "a" }
    ] }`,
    // finds in broken text what can be made out
    `{ "variables": { "«b»": }, "cells": [{ "method": "a", "params": ["{{|‹b›}}" }, { "params": ["{{‹b›}}"] `,
    `[{ "method": "a", "params": ["{{‹b|›}}, "{{b`,
  ])
    it(marked, () => check(marked));

  it("finds nothing where nothing is named", () => {
    for (const marked of [
      `[{ "|method": "eth_call" }]`,
      `[{ "method": "eth_|call" }]`,
      `[{ "method": "a", "params": ["{{$env.|HOME}}"] }]`,
      `[{ "method": "a", "params": ["{{not a |path}}"] }]`,
      `[{ "method": "a", "snapshot": "{{|b}}" }]`,
      `[{ "name": "|", "method": "a" }]`,
    ]) {
      check(marked);
    }
  });
});
