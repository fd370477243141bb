import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

describe("docs/problems.md", () => {
  it("explains every code, and no other", () => {
    const page = readFileSync(new URL("../../docs/problems.md", import.meta.url), "utf8");
    const source = readFileSync(new URL("../../server/src/analysis/problem.ts", import.meta.url), "utf8");
    const switched = source.slice(source.indexOf("export function severity"));
    const codes = [...switched.matchAll(/case "([a-z-]+)":/g)].map(([, code]) => code);
    assert.ok(codes.length > 20, "the codes were found");
    assert.deepEqual([...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title).sort(), codes.sort());
  });
});
