import assert from "node:assert/strict";
import { selectionRanges } from "../../../server/src/features/selectionRanges.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { createService } from "../../../server/src/service/service.ts";
import { cursor } from "../../support/cell.ts";
import { testHost } from "../../support/host.ts";

function check(marked: string, expected: readonly string[]): void {
  const { text, offset } = cursor(marked);
  const found = selectionRanges(readCell(text), offset);
  assert.deepEqual(
    found.map(({ start, end }) => text.slice(start, end)),
    expected,
  );
  for (const [at, { start, end }] of found.entries()) {
    const inner = found[at - 1] ?? { start: offset, end: offset };
    assert.ok(start <= inner.start && inner.end <= end, "each lies in the next");
  }
}

describe("selection ranges", () => {
  it("grow from a segment of a placeholder to the whole cell", () =>
    check(` { "params": [ "x {{ a.res|ult[0] }} y", 1 ] } `, [
      "result",
      "a.result[0]",
      "{{ a.result[0] }}",
      "x {{ a.result[0] }} y",
      `"x {{ a.result[0] }} y"`,
      `"x {{ a.result[0] }} y", 1`,
      `[ "x {{ a.result[0] }} y", 1 ]`,
      `"params": [ "x {{ a.result[0] }} y", 1 ]`,
      `{ "params": [ "x {{ a.result[0] }} y", 1 ] }`,
      ` { "params": [ "x {{ a.result[0] }} y", 1 ] } `,
    ]));

  it("grow from an index and from the last of two placeholders", () => {
    check(`"{{a[1|2]}}"`, ["12", "a[12]", "{{a[12]}}", `"{{a[12]}}"`]);
    check(`"{{a}}|{{b}}"`, ["{{b}}", "{{a}}{{b}}", `"{{a}}{{b}}"`]);
  });

  it("grow from a key, a number and an empty object", () => {
    check(`{"a": 1, "|b": {}}`, ["b", `"b"`, `"b": {}`, `"a": 1, "b": {}`, `{"a": 1, "b": {}}`]);
    check(`{"a": |12}`, ["12", `"a": 12`, `{"a": 12}`]);
    check(`[{|}, 1]`, ["{}", "{}, 1", "[{}, 1]"]);
  });

  it("stay inside the text where it is broken", () => {
    check(`{"a": ["b|`, ["b", `"b`, `["b`, `"a": ["b`, `{"a": ["b`]);
    check("eth_|call", ["eth_call"]);
    check("|", [""]);
  });

  it("end with the list of cells and the whole file, in a file", () => {
    const ranges = (marked: string): readonly string[] => {
      const { text, offset } = cursor(marked);
      const service = createService(testHost());
      service.openText("file:///w/a.rpc.json", text);
      return service.selectionRanges("file:///w/a.rpc.json", offset).map(({ start, end }) => text.slice(start, end));
    };
    const text = `{ "endpoint": "e", "cells": [ {"method": "m"} ] }\n`;
    assert.deepEqual(ranges(text.replace(`"m"`, `"m|"`)), [
      "m",
      `"m"`,
      `"method": "m"`,
      `{"method": "m"}`,
      `[ {"method": "m"} ]`,
      text.trim(),
      text,
    ]);
    assert.deepEqual(ranges(text.replace(`"e"`, `"e|"`)), ["e", `"e"`, `"endpoint": "e"`, text.trim(), text]);
    assert.deepEqual(ranges(text.replace(" ] }", "| ] }")).slice(-3), [`[ {"method": "m"} ]`, text.trim(), text]);
    assert.deepEqual(ranges(text.replace("[ {", "[| {")), [`[ {"method": "m"} ]`, text.trim(), text]);
  });
});
