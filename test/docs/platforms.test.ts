import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { testComponents } from "../../scripts/lib/install.mjs";
import { stages } from "../../scripts/lib/stages.mjs";

const page = readFileSync(new URL("../../docs/platforms.md", import.meta.url), "utf8");

describe("docs/platforms.md", () => {
  const all = stages({ thorough: true, processors: 1 }).filter(({ components = [] }) => components.length > 0);

  it("says what each stage needs that needs more than the packages", () => {
    assert.ok(all.length > 3);
    const rows = page.split("\n").filter((line) => /^\| `/.test(line));
    assert.deepEqual(
      all.map(({ name }) => name).filter((name) => !rows.some((row) => row.split("|")[1]?.includes(`\`${name}\``))),
      [],
    );
  });

  it("is of components that can be installed, or name the command that does", () => {
    const used = new Set<string>(all.flatMap(({ components = [] }) => components));
    assert.deepEqual([...used].sort(), Object.keys(testComponents).sort());
    for (const component of Object.values(testComponents).flat())
      assert.notEqual(component.command, "", component.name);
  });
});
