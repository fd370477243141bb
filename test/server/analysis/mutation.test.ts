import assert from "node:assert/strict";
import { check } from "../../../server/src/analysis/check.ts";
import { severity } from "../../../server/src/analysis/severity.ts";
import { bundledCatalog } from "../../../server/src/catalog/catalog.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { scopeOf } from "../../support/cell.ts";
import { corpusLines } from "../../support/corpus.ts";
import { some } from "../../support/depth.ts";
import { draws, kinds, type Sound, sound } from "./mutants.ts";

describe("faults that are put into requests that nodes accept", () => {
  let requests: readonly Sound[] = [];
  before(() => {
    requests = sounds();
  });

  for (const { name, spoil, codes } of kinds)
    it(`are found: ${name}`, () => {
      const draw = draws(name.length * 7919);
      const mutants = requests.flatMap((request) => {
        const text = spoil(request, draw);
        return text === undefined || text === request.text ? [] : [text];
      });
      assert.ok(mutants.length > 0, "some requests have such a place");
      for (const text of some(mutants, 10, 60)) {
        const cell = readCell(text);
        const found = check(cell, scopeOf(cell)).map(({ code }) => code as string);
        assert.ok(
          codes.some((code) => found.includes(code)),
          `${text} (${found.join()})`,
        );
      }
    });
});

/** The catalogue's examples, and what nodes of other people accepted. */
function sounds(): readonly Sound[] {
  const examples = bundledCatalog.methods.map(({ name, example }) => sound(name, example.params));
  const accepted = corpusLines("apis")
    .map((line) => JSON.parse(line) as { method: string; params?: unknown; error?: unknown }) // rows of a file with a known shape
    .filter(({ method, error }) => error === undefined && bundledCatalog.methodNamed(method))
    .map(({ method, params = [] }) => sound(method, params));
  return [...examples, ...accepted].filter(({ cell }) =>
    check(cell, scopeOf(cell)).every((problem) => severity(problem) !== "error"),
  );
}
