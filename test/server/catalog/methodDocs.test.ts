import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { folder, pages } from "../../../scripts/methodDocs.ts";
import { bundledCatalog } from "../../../server/src/catalog/catalog.ts";
import { diagnostics } from "../../../server/src/features/diagnostics.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { scopeOf } from "../../support/cell.ts";

describe("the pages about methods", () => {
  const all = pages();

  it("say what the catalogue says (else run npx tsx scripts/methodDocs.ts)", () => {
    assert.deepEqual(readdirSync(folder).toSorted(), [...all.keys()].toSorted());
    for (const [file, text] of all) assert.equal(readFileSync(`${folder}/${file}`, "utf8"), text, file);
  });

  it("explain every method once, with a cell that has no problem", () => {
    const cells = [...all.values()].flatMap((text) =>
      [...text.matchAll(/As a cell, and its result:\n\n```json\n([^`]*)\n```/g)].map((found) => found[1] ?? ""),
    );
    const methods = cells.map((text) => {
      const cell = readCell(text);
      const problems = diagnostics(cell, scopeOf(cell)).filter(({ severity }) => severity !== "information");
      assert.deepEqual(problems, [], text);
      return cell.requests[0]?.method;
    });
    assert.deepEqual(methods.toSorted(), bundledCatalog.methods.map(({ name }) => name).toSorted());
  });

  it("link only to places that there are", () => {
    const anchors = new Map(
      [...all].map(([file, text]) => [
        file,
        new Set([...text.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => title.toLowerCase().replace(/[^\w-]/g, ""))),
      ]),
    );
    for (const text of all.values()) {
      for (const [, file = "", anchor] of text.matchAll(/\]\(([\w]+\.md)(?:#([^)]*))?\)/g)) {
        assert.ok(anchor === undefined ? anchors.has(file) : anchors.get(file)?.has(anchor), `${file}#${anchor}`);
      }
    }
  });
});
