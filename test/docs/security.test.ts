import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";

const page = readFileSync(new URL("../../docs/security.md", import.meta.url), "utf8");

describe("docs/security.md", () => {
  const promises = page.slice(page.indexOf("## Promises"), page.indexOf("## Not promised"));
  const rows = promises.split("\n").filter((line) => /^\| (?!-|promise)/.test(line));
  const named = rows.flatMap((row) =>
    [...row.matchAll(/`((?:safety|client|server|e2e)\/[\w/]+)`/g)].map(([, name]) => name),
  );

  it("names a test for each promise, which exists", () => {
    assert.ok(rows.length > 15);
    for (const row of rows) assert.match(row, /`(?:safety|client|server|e2e)\/[\w/]+`/);
    const missing = named.filter((name) => !existsSync(new URL(`../${name}.test.ts`, import.meta.url)));
    assert.deepEqual(missing, []);
  });
});
