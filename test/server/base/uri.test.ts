import assert from "node:assert/strict";
import {
  childUri,
  fileName,
  foldersAbove,
  homeFolder,
  isInside,
  isUntitled,
  parentFolder,
  pathInside,
  resolvePath,
} from "../../../server/src/base/uri.ts";

describe("URIs of files", () => {
  it("are split into folder and name", () => {
    assert.equal(parentFolder("file:///a/b/c.json"), "file:///a/b");
    assert.equal(fileName("file:///a/my%20notes.json"), "my notes.json");
    assert.equal(fileName("file:///a/100%.json"), "100%.json", "what cannot be decoded stays");
    assert.equal(childUri("file:///a", "my notes#1.json"), "file:///a/my%20notes%231.json");
    assert.ok(isUntitled("untitled:Untitled-1"), "a document without a file");
    assert.ok(!isUntitled("vscode-vfs://github/a/b.json"), "a file of a virtual workspace");
  });

  it("come from relative paths only", () => {
    assert.equal(resolvePath("./b c.json", "file:///a/n.rpc.json"), "file:///a/b%20c.json");
    assert.equal(resolvePath("out", "file:///a/"), "file:///a/out");
    for (const path of ["", "/etc/x", "\\\\host\\x", "\\\\?\\C:\\x", "https://x.example/a", "c:/x", "C:x", "a.json:x"])
      assert.equal(resolvePath(path, "file:///a/n.rpc.json"), undefined, path);
    assert.equal(resolvePath("a.json", "untitled:Untitled-1"), undefined, "no folder");
  });

  it("are inside of a folder however an editor encodes them", () => {
    assert.ok(isInside("file:///c%3A/p/x.json", ["file:///c:/p/"], {}), "an encoded drive");
    assert.ok(isInside("file:///p", ["file:///q", "file:///p"], {}), "the folder itself");
    assert.ok(!isInside("file:///project/x.json", ["file:///pro"], {}), "a longer name");
    assert.ok(!isInside("file:///p/..%5Cup.json", ["file:///p"], {}), "a way up on Windows");
    assert.ok(!isInside("file:///p/%2e%2e/up.json", ["file:///p"], {}), "an encoded way up");
    assert.equal(pathInside("file:///p/q/x%20y.json", ["file:///p", "file:///p/q/"], {}), "x y.json");
  });

  it("have folders above them, up to the workspace folder", () => {
    const roots = ["file:///w/", "file:///w/inner"];
    assert.deepEqual(foldersAbove("file:///w/a/b/n.json", roots, {}), ["file:///w/a/b", "file:///w/a", "file:///w"]);
    assert.deepEqual(foldersAbove("file:///w/inner/n.json", roots, {}), ["file:///w/inner"]);
    assert.deepEqual(foldersAbove("file:///other/n.json", roots, {}), ["file:///other"]);
    assert.deepEqual(foldersAbove("untitled:Untitled-1", roots, {}), ["file:///w", "file:///w/inner"]);
    assert.equal(homeFolder("file:///w/a/n.json", roots, {}), "file:///w");
    assert.equal(homeFolder("untitled:Untitled-1", [], {}), undefined);
  });
});
