import assert from "node:assert/strict";
import { declarations, dependencies } from "../../../server/src/analysis/references.ts";
import { definition } from "../../../server/src/features/definition.ts";
import { rename } from "../../../server/src/features/rename.ts";
import { wireForm } from "../../../server/src/features/wireForm.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { expectProblems, hoverText, scopeOf } from "../../support/cell.ts";
import { check, labels } from "../../support/complete.ts";
import { spotIn } from "../../support/notebook.ts";

const header = JSON.stringify({ variables: { alice: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", holders: [] } });
const request = `"method": "eth_getBalance", "params": ["{{holder}}", "{{block}}"]`;

describe("each, as it is written", () => {
  for (const right of [
    `"holder": ["alice"], "block": [1, "0x2", "latest"]`,
    `"holder": "{{holders}}", "block": ["0x0", "latest - 5", "+1000"]`,
    `"holder": ["{{alice}}"], "block": [0, 9999, "+1"]`,
    `"holder": "holders.csv", "block": [1]`,
  ])
    it(`takes ${right}`, () => finds(right));

  for (const marked of [
    `"holder": ‹bad→[]›, "block": ‹bad→"latest"›`,
    `"holder": ["alice", ‹bad→null›], "block": [1]`,
    `"holder": ["alice", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", ‹bad→"nosuchname"›], "block": [1]`,
    `"holder": [‹bad→"0x12"›], "block": ["latest", "0x1", ‹bad→"newest"›]`,
    `"holder": ‹bad→"holders.parquet"›, "block": ‹bad→"../../etc/passwd"›`,
    `"holder": ["alice"], "block": [1, 9, ‹bad→"+0"›]`,
    `"holder": ["alice"], "block": [1, 9, ‹bad→"-1"›]`,
    `"holder": ["alice"], "block": ‹bad→[9, 1, "+1"]›`,
    `"holder": ["alice"], "block": [1, ‹bad→"newest"›, "+1"]`,
    `"holder": ["alice"], "block": ‹bad→[0, 10000, "+1"]›`,
    `"holder": ["alice"], "block": [0], ‹bad→"amount"›: [1]`,
    `"holder": ["alice"], "block": [0], ‹bad→‹bad→"alice"››: [1]`,
  ])
    it(`finds what is wrong in ${marked}`, () => finds(marked));

  it("is too much if all combinations are", () => {
    expectProblems(
      `{ ${request}, "each": ‹bad-each→{ "holder": ["alice", "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"], "block": [0, 9998, "+1"] }› }`,
      {
        header,
      },
    );
  });

  it("is for one request that reads", () => {
    expectProblems(`{ "batch": [{ ${request}, ‹bad-each→"each"›: { "holder": ["alice"], "block": [1] } }] }`, {
      header,
    });
    expectProblems(
      `{ "method": ‹signing-method→"eth_sendRawTransaction"›, "params": ["{{x}}"], ‹bad-each→"each"›: { "x": ["0x12"] } }`,
    );
  });

  it("gives names to its own request only", () => {
    const cell = readCell(`{ "name": "a", ${request}, "each": { "holder": "{{logs.decoded}}", "block": [1] } }`);
    assert.deepEqual(
      dependencies(cell).map(({ path }) => path),
      ["logs.decoded"],
    );
    assert.deepEqual(declarations(cell).length, 1);
  });
});

describe("each in an editor", () => {
  const cell = (of: string): string => `{ ${of}, "each": { "holder": ["alice"], "block": [1] } }`;

  it("offers its names in the request, and the names that the request takes as its keys", () => {
    assert.deepEqual(labels(cell(`"method": "eth_getBalance", "params": ["{{|}}"]`)).slice(0, 2), [
      "{{holder}}",
      "{{block}}",
    ]);
    check(`{ ${request}, "each": { | } }`, "holder", `{ ${request}, "each": { "holder": [""] } }`);
    check(`{ ${request}, "each": { "holder": [|] } }`, "alice", `{ ${request}, "each": { "holder": ["alice"] } }`, {
      header,
    });
  });

  it("shows the first requests on the wire, and is a list for other cells", () => {
    const many = readCell(`{ "name": "b", ${request}, "each": { "holder": ["0x1"], "block": [0, 9999, "+1"] } }`);
    const form = wireForm(many, scopeOf(many));
    assert.equal("text" in form ? form.text.split("eth_getBalance").length - 1 : form.unsent, 20);
    expectProblems(`{ "method": "eth_getBalance", "params": ["{{b.result[3]}}", "latest"] }`, { cells: [many.text] });
  });

  it("shows the values of a name, leads to it, and renames it in its cell", () => {
    assert.match(hoverText(cell(request.replace("holder", "hol|der"))), /a value of each row\s+`\["alice"\]`/);
    const spot = spotIn(`[${cell(request.replace("holder", "hol|der"))}, { ${request} }]`);
    const [place] = definition(spot.cell, spot.offset, spot.scope);
    assert.ok(place && "cell" in place);
    assert.equal(place.cell.text.slice(place.span.start, place.span.end), "holder");
    const edits = rename(spot.cell, spot.offset, "who", spot.scope);
    assert.equal(Array.isArray(edits) ? edits.length : edits, 2);
    const named = spotIn(`{ "variables": { "al|ice": "0x12" }, "cells": [${cell(request)}] }`);
    const renamed = rename(named.cell, named.offset, "carol", named.scope);
    assert.equal(Array.isArray(renamed) ? renamed.length : renamed, 2);
  });
});

/** Checks the problems of a cell with these rows. */
function finds(rows: string): void {
  const around = { header, cells: [] };
  expectProblems(`{ ${request}, "each": { ${rows.replaceAll("‹bad→", "‹bad-each→")} } }`, around);
  assert.ok(scopeOf(readCell("{}"), around));
}
