import assert from "node:assert/strict";
import { expectProblems, hoverText } from "../../support/cell.ts";
import { check, labels } from "../../support/complete.ts";

const logs = `"method": "eth_getLogs", "params": [{ "fromBlock": "0x1" }]`;

describe("save, as it is written", () => {
  for (const marked of [
    `{ ${logs}, "save": "t.parquet" }`,
    `{ ${logs}, "save": "data/{{day}}-{{day}}.CSV" }`,
    `{ ${logs}, "save": "{{day}}" }`,
    `{ ${logs}, "save": ‹bad-save→"t.xlsx"› }`,
    `{ ${logs}, "save": ‹bad-save→""› }`,
    `{ ${logs}, "save": ‹wrong-type→1› }`,
    `{ ${logs}, "save": ‹bad-save→"{{$secret.KEY}}.csv"› }`,
    `{ ${logs}, "save": ‹bad-save→"t.csv"›, "expect": { "result": [] } }`,
    `{ "method": "eth_chainId", "save": ‹bad-save→"t.csv"› }`,
    `{ "batch": [{ ${logs}, "save": ‹bad-save→"t.csv"› }] }`,
  ])
    it(`is checked in ${marked}`, () =>
      expectProblems(marked, { header: JSON.stringify({ variables: { day: "monday" } }) }));
});

describe("save in an editor", () => {
  it("is offered beside a request for logs only, with the forms of a file and the variables of its name", () => {
    check(`{ ${logs}, "sav|" }`, "save", `{ ${logs}, "save": "logs.parquet" }`);
    assert.equal(labels(`{ "method": "eth_chainId", | }`).includes("save"), false);
    const named = `{ "name": "transfers", ${logs}, "save": `;
    assert.deepEqual(labels(`${named}| }`), ['"transfers.parquet"', '"transfers.ndjson"', '"transfers.csv"']);
    const header = JSON.stringify({ variables: { day: "monday" } });
    assert.ok(labels(`${named}"{{|}}.csv" }`, { header }).includes("{{day}}"));
  });
  it("is explained", () => assert.match(hoverText(`{ ${logs}, "sa|ve": "t.csv" }`), /Writes the logs to a file/));
});
