import assert from "node:assert/strict";
import type { CellFinished } from "../../server/src/protocol/runs.ts";
import { useFakeVscode } from "../support/vscode.ts";

useFakeVscode();
const { resultText } = await import("../../client/src/textView.ts");

const finished = (index: number, json = ""): CellFinished =>
  ({ cell: { index }, output: { text: `cell ${index}\n`, json } }) as unknown as CellFinished; // what it reads

const separator = `\n\n${"─".repeat(72)}\n\n`;
const shown = (cells: readonly CellFinished[], indices?: readonly number[]): string | undefined =>
  resultText(cells, indices, "Answer:");

describe("the results of a run as one text", () => {
  it("are all, if all were asked for", () =>
    assert.equal(shown([finished(0), finished(1)]), `cell 0${separator}cell 1`));
  it("are those that were asked for, not those that ran with them", () =>
    assert.equal(shown([finished(0), finished(2)], [2]), "cell 2"));
  it("are those that ran with them if no others came: they say why", () =>
    assert.equal(shown([finished(0)], [2]), "cell 0"));
  it("have the answer below, if there is one", () => assert.equal(shown([finished(0, "{}")]), "cell 0\n\nAnswer:\n{}"));
  it("are `undefined` if no cell has a result", () => assert.equal(shown([], [0]), undefined));
});
