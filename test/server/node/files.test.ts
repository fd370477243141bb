import assert from "node:assert/strict";
import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path, { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cache, files } from "../../../server/src/node/files.ts";
import { times } from "../../support/depth.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("files", () => {
  const folder = temporaryFolder();

  it("are read by URI", async () => {
    writeFileSync(join(folder, "a ü#%.json"), "{}");
    const read = await files.read(pathToFileURL(join(folder, "a ü#%.json")).href);
    assert.equal(Buffer.from(read ?? []).toString(), "{}");
  });
  it("that do not exist, or are not regular, are undefined", async () => {
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
  it("are created with the folders above them; where those cannot be, that is said", async () => {
    const write = (uri: string, within: string) =>
      files.write?.(uri, { text: "a", before: undefined, within, createsFolders: true });
    const own = pathToFileURL(folder).href;
    assert.deepEqual(await write(`${own}/one/two/a.txt`, own), { kind: "written" });
    const [system, closed] = process.platform === "linux" ? ["file:///proc/", "none/two"] : [own, "a%00b"];
    assert.equal((await write(`${system}${closed}/a.txt`, system))?.kind, "failed");
  });
  it("of a folder have a new version after every change, even one that keeps size and time", async () => {
    const path = join(folder, "artifact.json");
    const version = async (): Promise<string | undefined> =>
      (await files.list?.(pathToFileURL(folder).href))?.find(({ name }) => name === "artifact.json")?.version;
    writeFileSync(path, "[1]");
    utimesSync(path, 1, 1);
    const before = await version();
    assert.equal(await version(), before);
    const { ctimeMs } = statSync(path);
    do {
      writeFileSync(path, "[2]");
      utimesSync(path, 1, 1);
    } while (statSync(path).ctimeMs === ctimeMs); // the clock of the file system can be coarse
    assert.equal(statSync(path).mtimeMs, 1000);
    assert.notEqual(await version(), before);
  });
});

describe("the cache", () => {
  const { XDG_CACHE_HOME: before } = process.env;
  const home = temporaryFolder();
  beforeEach(() => {
    process.env.XDG_CACHE_HOME = home;
  });
  afterEach(() => {
    if (before === undefined) delete process.env.XDG_CACHE_HOME;
    else process.env.XDG_CACHE_HOME = before;
  });

  it("has nothing at first, then what was written last", async () => {
    assert.equal(await cache.read("a-1"), undefined);
    await cache.write("a-1", "one");
    await cache.write("a-1", "two");
    assert.equal(await cache.read("a-1"), "two");
    assert.deepEqual(readdirSync(path.join(home, "rpc-notebook")), ["a-1"]);
  });

  it("is created by whatever is written first of many things at once", async () => {
    for (let round = 0; round < times(1000); round++) {
      process.env.XDG_CACHE_HOME = path.join(home, `new-${round}`, "folder");
      await Promise.all([1, 2, 3, 4].map((at) => cache.write(`many-${at}`, "one")));
    }
  });
});
