import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { check } from "../../../server/src/analysis/check.ts";
import type { Problem } from "../../../server/src/analysis/problem.ts";
import { severity } from "../../../server/src/analysis/severity.ts";
import { bundledCatalog } from "../../../server/src/catalog/catalog.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { scopeOf } from "../../support/cell.ts";
import { type CorpusName, corpusLines } from "../../support/corpus.ts";
import { paramFaults } from "../catalog/conformance.ts";

/** Published requests, judged by hand: what is wrong with each, or `well-formed`, by its id. */
const judged = new Map(
  readFileSync(new URL("../../fixtures/judged-requests.txt", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [codes = "", ...ids] = line.split(" ");
      return ids.map((id) => [id, codes.replace("+", " ")] as const);
    }),
);

describe("check, over published requests", () => {
  const published = rows("requests").map((row) => ({ ...row, text: row.raw ?? JSON.stringify(row.body) }));
  const judgedAs = (id: unknown) => judged.get(String(id));

  it("accepts every request that a node accepted", () => {
    const accepted = rows("apis").filter(({ error }) => error === undefined);
    for (const { id, method, params, file } of accepted)
      assert.deepEqual(errors(JSON.stringify({ jsonrpc: "2.0", id, method, params })), [], String(file));
  });

  it("accepts every well-formed request", () => {
    const wellFormed = published.filter(({ id }) => judgedAs(id) === "well-formed");
    assert.ok(wellFormed.length > 0);
    for (const { id, text } of wellFormed) assert.deepEqual(errors(text), [], String(id));
  });

  it("finds what is wrong with the others", () => {
    const faulty = published.filter(({ id }) => (judgedAs(id) ?? "well-formed") !== "well-formed");
    assert.ok(faulty.length > 0, "some published requests are faulty");
    const found = faulty.map(({ id, text }) => [id, [...new Set(errors(text).map(({ code }) => code))].join(" ")]);
    assert.deepEqual(
      found,
      faulty.map(({ id }) => [id, judgedAs(id)]),
    );
  });

  it("calls nothing an error that the catalogue's types, read by themselves, accept", () => {
    for (const { id, text } of published) {
      const found = errors(text);
      // types do not tell that a range runs backwards
      if (found.length === 0 || found.some(({ code }) => code === "json-syntax" || code === "inverted-range")) continue;
      const { method, params } = JSON.parse(text) as { method: string; params?: unknown[] }; // it is JSON, and a request
      const spec = bundledCatalog.methodNamed(method) ?? assert.fail(`${id} ${method}`);
      assert.notDeepEqual(paramFaults(spec, params ?? []), [], `${id} ${found[0]?.code}`);
    }
  });
});

interface Row {
  readonly id?: unknown;
  readonly file?: string;
  readonly raw?: string;
  readonly body?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly error?: unknown;
}

function rows(name: CorpusName): readonly Row[] {
  return corpusLines(name).map((line) => JSON.parse(line) as Row); // rows of a file with a known shape
}

function errors(text: string): readonly Problem[] {
  const cell = readCell(text);
  return check(cell, scopeOf(cell)).filter((problem) => severity(problem) === "error");
}
