import assert from "node:assert/strict";
import type { ObservedCell } from "../../client/src/languageClient.ts";
import { useFakeVscode } from "../support/vscode.ts";

useFakeVscode();
const { crashCounter, crashLimit, periodMs, executionFilter } = await import("../../client/src/languageClient.ts");

describe("a server that crashes", () => {
  it("is started again, until it crashes too often", () => {
    const mayRestart = crashCounter();
    for (let crash = 1; crash <= crashLimit; crash++) assert.equal(mayRestart(crash), true);
    assert.equal(mayRestart(crashLimit + 1), false);
  });
  it("is forgiven after a while", () => {
    const mayRestart = crashCounter();
    for (let crash = 0; crash < 20; crash++) assert.equal(mayRestart((crash * periodMs) / crashLimit), true);
  });
});

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
