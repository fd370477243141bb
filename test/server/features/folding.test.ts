import assert from "node:assert/strict";
import { together } from "../../../server/src/editor/cellQueries.ts";
import { createService } from "../../../server/src/service/service.ts";
import { testHost } from "../../support/host.ts";

/** Checks what folds in a file: the numbers at the ends of its lines are those of the ranges that begin and end there. */
function check(marked: string): void {
  const text = marked.replace(/ *#[\d ]+$/gm, "");
  const service = createService(testHost());
  service.openText("file:///w/a.rpc.json", text);
  const line = (offset: number): number => text.slice(0, offset).split("\n").length - 1;
  const found = together(service.foldingRanges("file:///w/a.rpc.json")).map(
    ({ span }) => `${line(span.start)}-${line(span.end)}`,
  );
  const ends = new Map<string, number[]>();
  for (const [at, each] of marked.split("\n").entries()) {
    for (const number of /#([\d ]+)$/.exec(each)?.[1]?.split(" ") ?? [])
      ends.set(number, [...(ends.get(number) ?? []), at]);
  }
  assert.deepEqual(found.toSorted(), [...ends.values()].map(([start, end]) => `${start}-${end}`).toSorted());
}

describe("folding", () => {
  it("folds objects and arrays of several lines, cells, Markdown, the header and the list of cells", () =>
    check(`{ #1
  "variables": { #2
    "a": [1, 2]
  }, #2
  "cells": [ #3
    { "markdown": [ #4 5
      "# A"
    ] }, #4 5
    { "method": "a" },
    { #6
      "method": "b",
      "params": [{ #7 8
        "x": {} }] #7 8
    } #6
  ] #3
} #1`));

  it("folds a bare array and its batches", () =>
    check(`[ #1
  [ #2
    { "method": "a" }
  ] #2
] #1`));

  it("folds one request", () =>
    check(
      `{ #1
  "method": "a", "params": [
  ]
} #1`.replace("[\n  ]", "[ #2\n  ] #2"),
    ));

  it("marks the header of a notebook, which is shown folded at first", () => {
    const service = createService(testHost());
    const texts = [`{\n  "endpoint": "a",\n  "variables": {\n}\n}`, `{\n  "method": "a"\n}`];
    const cells = texts.map((text, at) => ({ uri: `cell:${at}`, kind: "code" as const, text, header: at === 0 }));
    service.openNotebook("file:///w/a.rpc.json", cells);
    const marks = (uri: string) => together(service.foldingRanges(uri)).map(({ isHeader }) => isHeader);
    assert.deepEqual([marks("cell:0"), marks("cell:1")], [[true, undefined], [undefined]]);
  });

  it("folds nothing on one line, and what is still open to its end", () => {
    check(`{ "cells": [{ "method": "a", "params": [{}] }] }`);
    check(`[{ "method": "a" }, #1
  { "params": [ #2 3
    1 #1 2 3`);
  });
});
