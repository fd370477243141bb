import assert from "node:assert/strict";
import type { NotebookCell, NotebookController, NotebookDocument } from "vscode";
import { useFakeVscode, vscode } from "../support/vscode.ts";

useFakeVscode();
const { cancellation, Executions, lastOutput } = await import("../../client/src/executions.ts");

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

describe("the executions of a run", () => {
  const cells = ["cell:0", "cell:1"].map((uri) => ({ metadata: {}, document: { uri } }) as unknown as NotebookCell); // no more of it is used
  const notebook = { getCells: () => cells } as unknown as NotebookDocument;

  /** @returns What happens to the cells, as it happens. */
  function began() {
    const log: string[] = [];
    const of = (cell: NotebookCell) => ({
      cell,
      token: { onCancellationRequested: () => undefined },
      start: () => log.push(`start ${cell.document.uri}`),
      end: () => log.push(`end ${cell.document.uri}`),
    });
    const all = new Executions({ createNotebookCellExecution: of } as unknown as NotebookController);
    return { run: all.begin(notebook, { cancelRun: () => undefined, stopStream: () => undefined }), all, log };
  }

  it("show a cell once: one that has ended does not begin again when the server says that it does", () => {
    const { run, log } = began();
    run.add("cell:0");
    run.start("cell:0");
    run.pass("cell:0");
    run.start("cell:0");
    run.start("cell:1");
    run.endAll();
    assert.deepEqual(log, ["start cell:0", "end cell:0", "start cell:1", "end cell:1"]);
  });

  it("show a cell in one run at a time, and in the next one after it", () => {
    const { run, all, log } = began();
    const next = all.begin(notebook, { cancelRun: () => undefined, stopStream: () => undefined });
    run.start("cell:0");
    next.start("cell:0");
    run.endAll();
    next.start("cell:0");
    assert.deepEqual(log, ["start cell:0", "end cell:0", "start cell:0"]);
  });

  it("show names that come before the editor has drawn a result, and none in a cell that was cleared", async () => {
    vscode.NotebookCellOutput = class {};
    vscode.NotebookCellOutputItem = { json: () => ({}), text: () => ({}) };
    const cell = { outputs: [] as object[], metadata: {}, document: { uri: "cell:0" } };
    let drawn = 0;
    const execution = {
      cell,
      token: { onCancellationRequested: () => undefined },
      start() {},
      end() {},
      replaceOutput: async () => {
        await new Promise((resolve) => setImmediate(resolve)); // the editor has to draw it
        cell.outputs = [{}];
        drawn++;
      },
    };
    const all = new Executions({ createNotebookCellExecution: () => execution } as unknown as NotebookController);
    const run = all.begin({ getCells: () => [cell] } as unknown as NotebookDocument, {
      cancelRun: () => undefined,
      stopStream: () => undefined,
    });
    const output = { ok: true, startedAt: 0, durationMs: 0, reports: [], text: "", json: "" };
    const redraw = async () => {
      await all.redraw(cell as unknown as NotebookCell, output);
      await new Promise((resolve) => setTimeout(resolve));
    };
    run.start("cell:0");
    run.finish("cell:0", output);
    await redraw();
    assert.equal(drawn, 2);
    cell.outputs = [];
    await redraw();
    assert.equal(drawn, 2);
  });
});
