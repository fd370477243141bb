import assert from "node:assert/strict";
import { executionFilter, type ObservedCell } from "../../client/src/executionOnly.ts";

describe("the filter of changes of a notebook", () => {
  const cell = (metadata: Record<string, unknown> = {}): { metadata: Record<string, unknown> } => ({ metadata });

  it("drops the start and the end of a run, and passes metadata once", () => {
    const filter = executionFilter<ObservedCell>();
    const one = cell({ indent: "  " });
    const drops = (): boolean => filter.drops({ cells: { data: [one] } });
    filter.seen([one]);
    assert.deepEqual([drops(), drops()], [true, true]);
    one.metadata = { header: true };
    assert.deepEqual([drops(), drops()], [false, true]);
  });
  it("passes cells that come, go or move", () => {
    const filter = executionFilter<ObservedCell>();
    const one = cell();
    assert.equal(filter.drops({ cells: { structure: { didOpen: [one] }, data: [] } }), false);
    assert.equal(filter.drops({ cells: { data: [one] } }), true);
  });
  it("passes text, and metadata of the notebook", () => {
    const filter = executionFilter<ObservedCell>();
    assert.equal(filter.drops({ cells: { textContent: [{}] } }), false);
    assert.equal(filter.drops({ metadata: {} }), false);
  });
});
