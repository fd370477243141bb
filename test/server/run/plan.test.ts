import assert from "node:assert/strict";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { plan } from "../../../server/src/run/plan.ts";

const cell = (name: string, ...refers: readonly string[]): string =>
  JSON.stringify({ name, method: "m", params: refers.map((to) => `{{${to}.result}}`) });

function planned(texts: readonly string[], wanted?: readonly number[]): readonly unknown[] {
  const cells = texts.map((text) => readCell(text));
  return plan(cells, wanted).map(({ index, needs, cycle }) => [index, needs, ...(cycle ? [cycle] : [])]);
}

describe("the plan of a run", () => {
  const texts = [cell("a", "c"), `{ "markdown": "text" }`, cell("b"), cell("c"), cell("d", "a", "c", "a")];

  it("is the whole notebook, with what each cell waits for", () =>
    assert.deepEqual(planned(texts), [
      [0, [3]],
      [2, []],
      [3, []],
      [4, [0, 3]],
    ]));

  it("takes in what the chosen cells refer to, and nothing else", () => {
    assert.deepEqual(planned(texts, [4]), [
      [0, [3]],
      [3, []],
      [4, [0, 3]],
    ]);
    assert.deepEqual(planned(texts, [2, 2]), [[2, []]]);
    assert.deepEqual(planned(texts, [1]), []);
    assert.deepEqual(planned(texts, [99, -1]), []);
    assert.deepEqual(planned(texts, []), []);
  });

  it("waits in the order of the notebook: of two cells with a name, its value is that of the first", () =>
    assert.deepEqual(planned([cell("a"), cell("b"), cell("c", "b", "a")]).at(-1), [2, [0, 1]]));

  it("leaves out cells without any text, unless one is all that was requested", () => {
    const blank = ["", "  \n", `{ "text": [] }`, `{ "text": "" }`];
    assert.deepEqual(planned([cell("a"), ...blank, "bal"]), [
      [0, []],
      [5, []],
    ]);
    assert.deepEqual(planned([cell("a"), ...blank], [0, 1, 3]), [[0, []]]);
    assert.deepEqual(planned([cell("a"), ...blank], [3]), [[3, []]]);
  });

  it("names the cells of a ring, and lets those behind it wait for them", () =>
    assert.deepEqual(planned([cell("a", "b"), cell("b", "a"), cell("c", "a"), cell("d")]), [
      [0, [1], ["a", "b"]],
      [1, [0], ["a", "b"]],
      [2, [0]],
      [3, []],
    ]));

  it("sees a cell that refers to itself", () => assert.deepEqual(planned([cell("a", "a")]), [[0, [0], ["a"]]]));

  it("finds the cell of a name in a batch", () =>
    assert.deepEqual(
      planned([`{ "name": "all", "batch": [${cell("x")}, ${cell("y")}] }`, cell("a", "y"), cell("b", "all")]),
      [
        [0, []],
        [1, [0]],
        [2, [0]],
      ],
    ));

  it("takes the first cell of a name", () =>
    assert.deepEqual(planned([cell("a"), cell("a"), cell("b", "a")]), [
      [0, []],
      [1, []],
      [2, [0]],
    ]));
});
