import assert from "node:assert/strict";
import { cancellation, lastOutput } from "../../client/src/cellState.ts";

const plain = { isStreamed: false, isPartial: false, isWaiting: false };

describe("a cell that is cancelled", () => {
  it("keeps the rows of a subscription, which the server ends", () => {
    for (const openCells of [1, 2])
      assert.deepEqual(cancellation({ ...plain, isStreamed: true, isPartial: true }, openCells), {
        kind: "stop-stream",
      });
  });
  it("keeps the part of an answer, if it is the last cell: the server says what is missing", () => {
    assert.deepEqual(cancellation({ ...plain, isPartial: true, isWaiting: true }, 1), { kind: "cancel-run" });
  });
  it("ends alone while others are open, and keeps the part of an answer that it shows", () => {
    const state = { ...plain, isPartial: true, isWaiting: true };
    assert.deepEqual(cancellation(state, 2), { kind: "close", clears: false, cancelsRun: false });
  });
  it("no longer says why it waits", () => {
    assert.deepEqual(cancellation({ ...plain, isWaiting: true }, 2), {
      kind: "close",
      clears: true,
      cancelsRun: false,
    });
  });
  it("ends the run if it is the last one", () => {
    assert.deepEqual(cancellation(plain, 1), { kind: "close", clears: false, cancelsRun: true });
  });
});

describe("the last output of a cell", () => {
  it("comes below what it already has of its answer", () => {
    assert.equal(lastOutput({ ...plain, isPartial: true }), "append");
    assert.equal(lastOutput({ ...plain, isStreamed: true }), "append");
  });
  it("takes the place of anything else", () => {
    assert.equal(lastOutput(plain), "replace");
    assert.equal(lastOutput({ ...plain, isWaiting: true }), "replace");
  });
});
