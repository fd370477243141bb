import assert from "node:assert/strict";
import { executionFilter, type ObservedCell } from "../../client/src/executionOnly.ts";

describe("changes of a notebook that the server hears of", () => {
  const cell = (metadata: Record<string, unknown> = {}): { metadata: Record<string, unknown> } => ({ metadata });

  it("not: a run begins and ends", () => {
    const filter = executionFilter<ObservedCell>();
    const one = cell({ indent: "  " });
    filter.seen([one]);
    assert.equal(filter.drops({ cells: { data: [one] } }), true);
    assert.equal(filter.drops({ cells: { data: [one] } }), true);
  });
  it("metadata, and once only", () => {
    const filter = executionFilter<ObservedCell>();
    const one = cell();
    filter.seen([one]);
    one.metadata = { header: true };
    assert.equal(filter.drops({ cells: { data: [one] } }), false);
    assert.equal(filter.drops({ cells: { data: [one] } }), true);
  });
  it("cells that come, go or move", () => {
    const filter = executionFilter<ObservedCell>();
    const one = cell();
    assert.equal(filter.drops({ cells: { structure: { didOpen: [one] }, data: [] } }), false);
    assert.equal(filter.drops({ cells: { data: [one] } }), true);
  });
  it("text, and metadata of the notebook", () => {
    const filter = executionFilter<ObservedCell>();
    assert.equal(filter.drops({ cells: { textContent: [{}] } }), false);
    assert.equal(filter.drops({ metadata: {} }), false);
  });
});
