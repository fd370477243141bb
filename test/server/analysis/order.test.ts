import assert from "node:assert/strict";
import fc from "fast-check";
import { order } from "../../../server/src/analysis/order.ts";
import { declarations, dependencies } from "../../../server/src/analysis/references.ts";
import type { Cell } from "../../../server/src/notebook/cell.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";

function cell(name: string, ...refers: readonly string[]): Cell {
  const params = refers.map((other) => `{{${other}.result}}`);
  return readCell(JSON.stringify({ name, method: "eth_getBlockReceipts", params }));
}

function nameOf(one: Cell): string {
  return declarations(one)[0]?.name ?? "";
}

function ordered(...cells: readonly Cell[]): unknown {
  const found = order(cells);
  return { cells: found.cells.map(nameOf), cycles: found.cycles.map((ring) => ring.map(nameOf)) };
}

describe("order", () => {
  it("keeps the notebook's where nothing refers to anything", () =>
    assert.deepEqual(ordered(cell("a"), cell("b"), cell("c")), { cells: ["a", "b", "c"], cycles: [] }));

  it("puts first what others refer to", () =>
    assert.deepEqual(ordered(cell("a", "c"), cell("b"), cell("c", "b")), { cells: ["b", "c", "a"], cycles: [] }));

  it("finds rings, and cells that refer to themselves", () =>
    assert.deepEqual(ordered(cell("a", "b"), cell("b", "a"), cell("c", "c"), cell("d", "a")), {
      cells: ["d"],
      cycles: [["a", "b"], ["c"]],
    }));

  it("runs every cell behind what it refers to, or finds it in a ring", () =>
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(12), { maxLength: 3 }), { minLength: 1, maxLength: 12 }), (graph) => {
        const cells = graph.map((refers, at) => cell(`c${at}`, ...refers.map((to) => `c${to}`)));
        const { cells: sorted, cycles } = order(cells);
        assert.equal(sorted.length + cycles.flat().length, cells.length);
        for (const [at, one] of sorted.entries()) {
          const before = [...sorted.slice(0, at), ...cycles.flat()].map(nameOf);
          for (const { name } of dependencies(one)) {
            if (Number(name.slice(1)) < cells.length) assert.ok(before.includes(name));
          }
        }
      }),
    ));

  it("follows a chain as long as a notebook", () => {
    const cells = Array.from({ length: 5000 }, (_, at) => cell(`c${at}`, `c${at + 1}`));
    assert.equal(nameOf(order(cells).cells[0] ?? assert.fail()), "c4999");
  });
});

describe("dependencies", () => {
  it("are the names in strings and keys of parameters, with their place", () => {
    const text = `{ "name": "{{no}}", "method": "eth_call", "params": [{ "{{a}}": ["{{b.result[0]}} {{{{c}}}} {{$env.D}}"] }] }`;
    assert.deepEqual(
      dependencies(readCell(text)).map(({ name, path, span }) => [name, path, text.slice(span.start, span.end)]),
      [
        ["a", "a", "{{a}}"],
        ["b", "b.result[0]", "{{b.result[0]}}"],
      ],
    );
  });
});

describe("declarations", () => {
  it("are the names of requests, batches and their items", () => {
    const names = (text: string): readonly string[] => declarations(readCell(text)).map(({ name }) => name);
    assert.deepEqual(names(`{ "name": "a", "method": "eth_chainId" }`), ["a"]);
    assert.deepEqual(names(`{ "name": "a", "batch": [{ "name": "b", "method": "eth_chainId" }, { "name": 3 }] }`), [
      "a",
      "b",
    ]);
    assert.deepEqual(names(`{ "name": "", "method": "eth_chainId" }`), []);
  });
});
