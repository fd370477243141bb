import assert from "node:assert/strict";
import { maxCopiedRows, TableRows } from "../../../client/src/renderer/tableRows.ts";
import type { AskRows, TableSection } from "../../../client/src/renderer/types.ts";

const total = 450;
const rowAt = (index: number) => [{ text: `row ${index}` }];
const rows = (from: number, count: number) => Array.from({ length: count }, (_, at) => rowAt(from + at));
const columns = [{ name: "N", align: "left" as const }];
const section: TableSection = { kind: "table", columns, rows: rows(0, 200), total, rest: "1.0" };
const all = rows(0, total);
const answer: NonNullable<AskRows> = async ({ from, count, filter = "", sort }) => {
  const matching = all.filter(([cell]) => cell?.text.includes(filter));
  const sorted = sort?.descending ? matching.toReversed() : matching;
  return { columns, rows: sorted.slice(from, from + count), total: matching.length };
};

/** Rows, and a function that waits until rows have come. */
function begun(of: TableSection, ask: AskRows) {
  let changed = (): void => {};
  const table = new TableRows(of, ask, () => changed());
  const come = (): Promise<void> =>
    new Promise((resolve) => {
      changed = resolve;
    });
  return { table, come };
}

describe("the rows of a table", () => {
  it("are those of the output, and further ones by ranges from the server", async () => {
    const { table, come } = begun(section, answer);
    assert.deepEqual([table.total, table.at(199), table.at(430)], [450, rowAt(199), undefined]);
    await come();
    assert.deepEqual([table.at(430), table.at(400)], [rowAt(430), rowAt(400)]);
    assert.equal(table.at(450), undefined);
  });
  it("are filtered and sorted by the server", async () => {
    const { table, come } = begun(section, answer);
    const sort = { column: 0, descending: true };
    table.reorder({ filter: "44", sort });
    assert.equal(table.isWaiting, true);
    await come();
    assert.deepEqual([table.total, table.at(0), table.isWaiting], [14, rowAt(449), false]);
    table.reorder({ filter: "", sort: undefined });
    assert.deepEqual([table.total, table.at(0)], [450, rowAt(0)]);
  });
  it("are filtered and sorted without a server if the output has them all", () => {
    const cells = ["9", "10", "x", "1,000"].map((text) => [{ text, ...(text === "1,000" && { plain: "1000" }) }]);
    const { table } = begun({ kind: "table", columns, rows: cells, total: 4 }, undefined);
    const texts = () => Array.from({ length: table.total }, (_, at) => table.at(at)?.[0]?.text);
    table.reorder({ filter: "", sort: { column: 0, descending: false } });
    assert.deepEqual(texts(), ["9", "10", "1,000", "x"]);
    table.reorder({ filter: "0", sort: { column: 0, descending: true } });
    assert.deepEqual(texts(), ["1,000", "10"]);
  });
  it("drop an answer that comes after another filter was set", async () => {
    const { table, come } = begun(section, answer);
    table.reorder({ filter: "1", sort: undefined });
    table.reorder({ filter: "449", sort: undefined });
    await come();
    assert.deepEqual([table.total, table.at(0)], [1, rowAt(449)]);
  });
  it("are those of the output if the server no longer has the others", async () => {
    const { table, come } = begun(section, async () => null);
    table.reorder({ filter: "row 19", sort: undefined });
    await come();
    assert.deepEqual([table.isDropped, table.total, table.at(0)], [true, 11, rowAt(19)]);
  });
  it("are copied in their order", async () => {
    const { table } = begun(section, answer);
    assert.deepEqual(await table.all(), all);
    const many = { columns, total: 1e6 };
    const { table: long } = begun({ ...section, total: 1e6 }, async ({ from, count }) => ({
      ...many,
      rows: rows(from, count),
    }));
    assert.equal((await long.all()).length, maxCopiedRows);
  });
});
