import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { cache } from "../../../server/src/node/cache.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

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
});
