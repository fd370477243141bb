import assert from "node:assert/strict";
import { pagesOf } from "../../../client/src/renderer/pages.ts";
import type { AskRows, TableSection } from "../../../client/src/renderer/types.ts";

const total = 450;
const rowAt = (index: number) => [{ text: `row ${index}` }];
const rows = (from: number, count: number) => Array.from({ length: count }, (_, at) => rowAt(from + at));
const section: TableSection = {
  kind: "table",
  columns: [{ name: "N", align: "left" }],
  rows: rows(0, 200),
  total,
  rest: "1.0",
};
const answer: NonNullable<AskRows> = async ({ from, count, filter }) => {
  const all = rows(0, total).slice(from);
  const found = filter === undefined ? all.slice(0, count) : all.filter(([cell]) => cell?.text.includes(filter));
  return { rows: found, next: filter === undefined && from + count < total ? from + count : null };
};

describe("the pages of a table", () => {
  it("begin with the rows of the output, and continue with those of the server", async () => {
    const pages = pagesOf(section, answer);
    assert.equal(pages.first().length, 200);
    assert.equal(pages.note(), "first 200 of 450 rows");
    assert.deepEqual(await pages.next(), rows(200, 200));
    assert.equal(pages.ended(), false);
    await pages.next();
    assert.deepEqual([pages.ended(), pages.shown(), pages.note()], [true, rows(0, total), "450 rows"]);
  });
  it("end with the output if the host passes no messages", () => {
    const pages = pagesOf(section, undefined);
    pages.first();
    assert.deepEqual([pages.ended(), pages.note()], [true, "first 200 of 450 rows"]);
  });
  it("have only the rows that match a filter, and all rows again without one", async () => {
    const pages = pagesOf(section, answer);
    pages.first();
    pages.restart("44");
    assert.equal(pages.note(), "searching");
    await pages.next();
    assert.equal(pages.note(), "14 rows with this");
    pages.restart("nowhere");
    await pages.next();
    assert.equal(pages.note(), "no row contains this");
    pages.restart("");
    assert.equal(pages.first().length, 200);
  });
  it("drop an answer that comes after another filter was set", async () => {
    const pages = pagesOf(section, answer);
    pages.restart("1");
    const late = pages.next();
    pages.restart("2");
    assert.equal(await late, undefined);
    assert.deepEqual(pages.shown(), []);
  });
  it("say what to do when the rows are no longer kept", async () => {
    const pages = pagesOf(section, async () => null);
    pages.first();
    assert.deepEqual(await pages.next(), []);
    assert.deepEqual(
      [pages.ended(), pages.note()],
      [true, "first 200 of 450 rows; the other rows are no longer kept: run the cell again"],
    );
  });
});
