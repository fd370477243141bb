import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { files } from "../../../server/src/node/files.ts";

describe("files", () => {
  const folder = mkdtempSync(join(tmpdir(), "rpc-notebook-files-"));
  after(() => rmSync(folder, { recursive: true }));

  it("are read by URI", async () => {
    writeFileSync(join(folder, "a ü#%.json"), "{}");
    const read = await files.read(pathToFileURL(join(folder, "a ü#%.json")).href);
    assert.equal(Buffer.from(read ?? []).toString(), "{}");
  });
  it("that are not there, or are none, are undefined", async () => {
    const uris = [
      `${pathToFileURL(folder)}/missing`,
      pathToFileURL(folder).href,
      "untitled:Untitled-1",
      "http://127.0.0.1/",
      "file:///dev/zero",
      "nonsense",
    ];
    for (const uri of uris) assert.equal(await files.read(uri), undefined, uri);
  });
  it("of a folder have another version for every change, one that keeps size and time too", async () => {
    const path = join(folder, "artifact.json");
    const version = async (): Promise<string | undefined> =>
      (await files.list?.(pathToFileURL(folder).href))?.find(({ name }) => name === "artifact.json")?.version;
    writeFileSync(path, "[1]");
    utimesSync(path, 1, 1);
    const before = await version();
    assert.equal(await version(), before);
    await new Promise((soon) => setTimeout(soon, 20)); // the clock of the file system may be coarse
    writeFileSync(path, "[2]");
    utimesSync(path, 1, 1);
    assert.equal(statSync(path).mtimeMs, 1000);
    assert.notEqual(await version(), before);
  });
});
