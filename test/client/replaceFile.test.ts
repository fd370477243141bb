import assert from "node:assert/strict";
import { FakeFiles, fakeUri, useFakeVscode, vscode } from "../support/vscode.ts";

describe("a file that the client replaces", () => {
  let files: FakeFiles;
  before(useFakeVscode);
  beforeEach(() => {
    files = new FakeFiles();
    files.texts.set("/a", "old");
    vscode.workspace = { fs: files.fs };
  });

  const replace = async (mayReplace?: () => Promise<boolean>): Promise<boolean> => {
    const { replaceFile } = await import("../../client/src/replaceFile.ts");
    return replaceFile(fakeUri("/a"), "torn?", mayReplace);
  };

  it("has its new content as a whole", async () => {
    assert.equal(await replace(), true);
    assert.deepEqual([...files.texts], [["/a", "torn?"]]);
  });

  for (const what of ["write", "rename"] as const)
    it(`has its old content if a ${what} fails, and nothing is left beside it`, async () => {
      files.failing = what;
      await assert.rejects(replace());
      assert.deepEqual([...files.texts], [["/a", "old"]]);
    });

  it("has its old content if it has changed meanwhile", async () => {
    const seen: string[] = [];
    const mayReplace = async (): Promise<boolean> => {
      seen.push(...files.texts.values());
      return false;
    };
    assert.equal(await replace(mayReplace), false);
    assert.deepEqual(seen, ["old", "torn?"]);
    assert.deepEqual([...files.texts], [["/a", "old"]]);
  });
});
