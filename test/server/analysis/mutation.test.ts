import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { check } from "../../../server/src/analysis/check.ts";
import { severity } from "../../../server/src/analysis/problem.ts";
import { bundledCatalog } from "../../../server/src/catalog/catalog.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { scopeOf } from "../../support/cell.ts";
import { type Draw, draws, type Kind, kinds, type Sound, sound } from "./mutants.ts";

const corpus = "../shared/corpus/execution-apis.jsonl";
/** Of each kind. */
const mostMutants = 40;

interface Tally {
  readonly mutants: number;
  readonly missed: readonly string[];
}

describe("faults that are put into requests that nodes accept", () => {
  const requests = sounds();
  const table = new Map<string, Tally>();

  for (const kind of kinds) {
    it(`are found: ${kind.name}`, () => {
      const { mutants, missed } = tally(kind, requests, draws(kind.name.length * 7919));
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

/** The catalogue's examples, and what nodes of other people accepted, where that is at hand. */
function sounds(): readonly Sound[] {
  const examples = bundledCatalog.methods.map(({ name, example }) => sound(name, example.params));
  const rows = existsSync(corpus) ? readFileSync(corpus, "utf8").split("\n") : [];
  const accepted = rows
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { method: string; params?: unknown; error?: unknown }) // rows of a file with a known shape
    .filter(({ method, error }) => error === undefined && bundledCatalog.methodNamed(method))
    .map(({ method, params = [] }) => sound(method, params));
  return [...examples, ...accepted].filter(({ cell }) =>
    check(cell, scopeOf(cell)).every((problem) => severity(problem) !== "error"),
  );
}

function tally(kind: Kind, requests: readonly Sound[], draw: Draw): Tally {
  const missed: string[] = [];
  let mutants = 0;
  for (let tries = 0; tries < requests.length * 3 && mutants < mostMutants; tries++) {
    const request = requests[draw(requests.length)];
    const text = request && kind.spoil(request, draw);
    if (text === undefined || text === request?.text) continue;
    mutants++;
    const cell = readCell(text);
    const found = check(cell, scopeOf(cell)).map(({ code }) => code as string);
    if (!kind.codes.some((code) => found.includes(code))) missed.push(`${text} (${found.join()})`);
  }
  return { mutants, missed };
}
