import assert from "node:assert/strict";
import { check } from "../../../server/src/analysis/check.ts";
import { severity } from "../../../server/src/analysis/severity.ts";
import { bundledCatalog } from "../../../server/src/catalog/catalog.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { scopeOf } from "../../support/cell.ts";
import { corpusLines } from "../../support/corpus.ts";
import { draws, type Kind, kinds, type Sound, sound } from "./mutants.ts";

interface Tally {
  readonly mutants: number;
  readonly missed: readonly string[];
}

/** `MUTANTS=1` prints the table: kind, mutants, caught. */
describe("faults that are put into every request that nodes accept", () => {
  const requests = sounds();
  const table = new Map<string, Tally>();

  for (const kind of kinds) {
    it(`are found: ${kind.name}`, () => {
      const { mutants, missed } = tally(kind, requests);
      table.set(kind.name, { mutants, missed });
      assert.ok(mutants > 0, "some requests have such a place");
      assert.ok(1 - missed.length / mutants >= kind.least, `of ${mutants} missed ${missed.length}: ${missed[0]}`);
    });
  }

  after(() => {
    if (process.env.MUTANTS === undefined) return;
    for (const [name, { mutants, missed }] of table) console.log(`${name} | ${mutants} | ${mutants - missed.length}`);
  });
});

/** The catalogue's examples, and what nodes of other people accepted. */
function sounds(): readonly Sound[] {
  const examples = bundledCatalog.methods.map(({ name, example }) => sound(name, example.params));
  const accepted = corpusLines("execution-apis")
    .map((line) => JSON.parse(line) as { method: string; params?: unknown; error?: unknown }) // rows of a file with a known shape
    .filter(({ method, error }) => error === undefined && bundledCatalog.methodNamed(method))
    .map(({ method, params = [] }) => sound(method, params));
  return [...examples, ...accepted].filter(({ cell }) =>
    check(cell, scopeOf(cell)).every((problem) => severity(problem) !== "error"),
  );
}

/** One mutant of each request that has a place for the fault. */
function tally(kind: Kind, requests: readonly Sound[]): Tally {
  const draw = draws(kind.name.length * 7919);
  const mutants = requests.flatMap((request) => {
    const text = kind.spoil(request, draw);
    return text === undefined || text === request.text ? [] : [text];
  });
  const missed = mutants.flatMap((text) => {
    const cell = readCell(text);
    const found = check(cell, scopeOf(cell)).map(({ code }) => code as string);
    return kind.codes.some((code) => found.includes(code)) ? [] : [`${text} (${found.join()})`];
  });
  return { mutants: mutants.length, missed };
}
