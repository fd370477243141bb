import assert from "node:assert/strict";
import { useFakeVscode } from "../support/vscode.ts";

useFakeVscode();
const { cancellation, lastOutput } = await import("../../client/src/executions.ts");

const plain = { isStreamed: false, isPartial: false, isWaiting: false };

describe("a cell that is cancelled", () => {
  const close = (clears: boolean, cancelsRun: boolean) => ({ kind: "close", clears, cancelsRun });
  for (const [what, state, openCells, expected] of [
    [
      "keeps the rows of a subscription, which the server ends",
      { isStreamed: true, isPartial: true },
      1,
      "stop-stream",
    ],
    ["keeps them while others are open", { isStreamed: true, isPartial: true }, 2, "stop-stream"],
    ["keeps the part of an answer if it is the last cell", { isPartial: true, isWaiting: true }, 1, "cancel-run"],
    ["ends alone while others are open, with its part", { isPartial: true, isWaiting: true }, 2, close(false, false)],
    ["says no more why it waits", { isWaiting: true }, 2, close(true, false)],
    ["ends the run if it is the last one", {}, 1, close(false, true)],
  ] as const)
    it(what, () => {
      const ended = typeof expected === "string" ? { kind: expected } : expected;
      assert.deepEqual(cancellation({ ...plain, ...state }, openCells), ended);
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
