import assert from "node:assert/strict";
import module, { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import path from "node:path";
import { keepCompiled } from "../../../server/src/node/compileCache.ts";

describe("the cache folder of a user without a home folder", () => {
  const { homedir } = os;
  const { XDG_CACHE_HOME: xdg } = process.env;
  const loader = module as object as { enableCompileCache?: (folder: string) => unknown }; // types are of Node 20
  const { enableCompileCache } = loader;
  const folders: string[] = [];

  beforeEach(() => {
    folders.length = 0;
    loader.enableCompileCache = (folder) => folders.push(folder);
    os.homedir = () => {
      throw new Error("A system error occurred: uv_os_homedir returned ENOENT (no such file or directory)");
    };
    syncBuiltinESMExports();
    delete process.env.XDG_CACHE_HOME;
  });
  afterEach(() => {
    if (enableCompileCache) loader.enableCompileCache = enableCompileCache;
    else delete loader.enableCompileCache;
    os.homedir = homedir;
    syncBuiltinESMExports();
    if (xdg === undefined) delete process.env.XDG_CACHE_HOME;
    else process.env.XDG_CACHE_HOME = xdg;
  });

  it("is not needed to start", () => {
    keepCompiled();
    assert.deepEqual(folders, []);
  });

  it("can be named by the environment, but on Windows and macOS", () => {
    process.env.XDG_CACHE_HOME = path.resolve("/somewhere");
    keepCompiled();
    const isNamed = process.platform !== "darwin" && process.platform !== "win32";
    assert.deepEqual(folders, isNamed ? [path.resolve("/somewhere/rpc-notebook/compiled")] : []);
  });
});
