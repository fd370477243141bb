import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run } from "../../scripts/lib/processes.mjs";

describe("a failure of random cases", () => {
  it("is repeated with its seed by the command of CONTRIBUTING.md", async () => {
    const [, command] = /`TEST_SEED=… node (\S+) \S+`/.exec(readFileSync("CONTRIBUTING.md", "utf8")) ?? [];
    assert.ok(command);
    mkdirSync(".cache", { recursive: true });
    const folder = mkdtempSync(path.join(".cache", "seed-")); // inside the project, where fast-check is found
    try {
      const file = path.join(folder, "drawn.test.ts");
      const code = `import fc from "fast-check";
        it("draws", () => fc.assert(fc.property(fc.nat(), (drawn) => { throw new Error("drawn " + drawn); })));`;
      writeFileSync(file, code);
      const { ok, output } = await run(process.execPath, [command, file], {
        env: { TEST_SEED: "1234", NODE_V8_COVERAGE: "" },
      });
      assert.equal(ok, false);
      assert.match(output, /\{ seed: 1234, path: /);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
