import assert from "node:assert/strict";
import { quickTests, slowestFirst, unitTests } from "../../scripts/lib/unitFiles.mjs";

describe("the files of the unit tests", () => {
  it("are all but those that need an editor", () => {
    const files = unitTests();
    assert.ok(files.includes("test/scripts/unitFiles.test.ts"), "this one is there");
    assert.deepEqual(
      files.filter((file) => file.startsWith("test/e2e/")),
      [],
    );
  });

  it("are quick only if they start no process, chain or server, by whatever they import", () => {
    const quick = quickTests();
    assert.ok(quick.length > 100, `${quick.length} files`);
    for (const file of ["test/devchain/process.test.ts", "test/server/cli/commandLine.test.ts"])
      assert.ok(!quick.includes(file), file);
    assert.ok(quick.includes("test/client/cellState.test.ts"), "a pure function is quick");
  });

  it("run each once, in an order that ends together", () => {
    const files = unitTests();
    assert.deepEqual(slowestFirst(files).toSorted(), files.toSorted());
  });
});
