import assert from "node:assert/strict";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  foldersAbove,
  folderUri,
  homeFolder,
  isInside,
  pathInside,
  resolvePath,
  withoutTrailingSlashes,
} from "../../../server/src/base/uri.ts";

const windows = { ignoresCase: true };
const linux = {};
const nfc = "caf\u00e9";
const nfd = "cafe\u0301";

/** A folder, a file in it as an editor may write it, and the paths of both. Elsewhere, `same` says on which disks they belong together. */
const table = [
  { root: "file:///c%3A/p", file: "file:///c:/p/a.json", path: "c:\\p\\a.json", same: "always" },
  { root: "file:///C:/p", file: "file:///c%3A/p/a.json", path: "c:\\p\\a.json", same: "always" },
  { root: "file:///c%3a/p/", file: "file:///C%3A/p/a.json", path: "C:\\p\\a.json", same: "always" },
  { root: "file:///c%3A/P", file: "file:///c%3A/p/a.json", path: "c:\\p\\a.json", same: "ignoring case" },
  { root: "file:///c%3A/", file: "file:///c%3A/a.json", path: "c:\\a.json", same: "always" },
  { root: "file:///C:/", file: "file:///c%3A/a.json", path: "c:\\a.json", same: "always" },
  {
    root: "file://server/share/p",
    file: "file://SERVER/share/p/a.json",
    path: "\\\\server\\share\\p\\a.json",
    same: "always",
  },
  {
    root: "file://server/Share",
    file: "file://server/share/a.json",
    path: "\\\\server\\share\\a.json",
    same: "ignoring case",
  },
  {
    root: "file://wsl%24/Ubuntu/p",
    file: "file://wsl$/Ubuntu/p/a.json",
    path: "\\\\wsl$\\Ubuntu\\p\\a.json",
    same: "always",
  },
  {
    root: "file://wsl.localhost/Ubuntu/p",
    file: "file://wsl.localhost/Ubuntu/p/a.json",
    path: "\\\\wsl.localhost\\Ubuntu\\p\\a.json",
    same: "always",
  },
  {
    root: `file:///c%3A/${nfc}`,
    file: encodeURI(`file:///c:/${nfd}/a.json`),
    path: `c:\\${nfd}\\a.json`,
    same: "ignoring case",
  },
  {
    root: encodeURI(`file:///c:/${nfd}`),
    file: encodeURI(`file:///c:/${nfc}/a.json`),
    path: `c:\\${nfc}\\a.json`,
    same: "ignoring case",
  },
  { root: "file:///", file: "file:///a.json", path: undefined, same: "always" },
  { root: "file:///p%20q", file: "file:///p q/a.json", path: undefined, same: "always" },
  { root: "vscode-vfs://github/o/r", file: "vscode-vfs://github/o/r/a.json", path: undefined, same: "always" },
  { root: "vscode-vfs://github/O/r", file: "vscode-vfs://github/o/r/a.json", path: undefined, same: "never" },
] as const;

describe("a folder and a file that editors write in different ways", () => {
  for (const { root, file, path, same } of table)
    it(`${root} and ${file}: ${same} the same`, () => {
      for (const [names, belongs] of [
        [windows, same !== "never"],
        [linux, same === "always"],
      ] as const) {
        const own = file.slice(0, file.lastIndexOf("/"));
        assert.equal(isInside(file, [root], names), belongs);
        assert.equal(isInside(own, [root], names), belongs, "the folder itself");
        assert.equal(pathInside(file, [root], names), belongs ? "a.json" : decodeURIComponent(file));
        assert.deepEqual(
          foldersAbove(`${own}/b/n.rpc.json`, [root], names),
          belongs ? [`${own}/b`, own] : [`${own}/b`],
        );
        assert.equal(homeFolder(`${own}/b/n.rpc.json`, [root], names), belongs ? own : `${own}/b`);
        assert.ok(!isInside(`${own}x/a.json`, [root], names), "a longer name");
      }
      if (path === undefined) return;
      assert.equal(fileURLToPath(file, { windows: true }), path);
      const beside = resolvePath("./a.json", file);
      assert.equal(fileURLToPath(beside ?? "", { windows: true }), path, "resolved");
      assert.ok(isInside(beside ?? "", [file.slice(0, file.lastIndexOf("/"))], linux), "resolved");
    });

  it("do not lead out, in any writing of a way up", () => {
    for (const way of ["..%2Fup.json", "..%5Cup.json", "%2e%2e/up.json", "../up.json", "q/../../up.json"])
      assert.ok(!isInside(`file:///p/${way}`, ["file:///p"], windows), way);
    assert.deepEqual(
      foldersAbove("file:///w%2Fx/n.json", ["file:///w"], windows),
      ["file:///w%2Fx"],
      "one folder, not two",
    );
  });
});

describe("a drive, and the root of a disk", () => {
  for (const [uri, path, windowsPath] of [
    ["file:///c%3A/", undefined, "c:\\"],
    ["file:///C:", undefined, "C:\\"],
    ["file:///c:/p/", undefined, "c:\\p"],
    ["file://server/share", undefined, "\\\\server\\share"],
    ["file:///", "/", undefined],
    ["file://", "/", undefined],
  ] as const)
    it(`${uri} stays what it is`, () => {
      const folder = folderUri(withoutTrailingSlashes(uri));
      if (windowsPath !== undefined) assert.equal(fileURLToPath(folder, { windows: true }), windowsPath);
      if (path !== undefined) assert.equal(fileURLToPath(folder), path);
    });

  it("have their files directly in them, and nothing above them", () => {
    for (const [root, own] of [
      ["file:///c%3A/", "file:///c%3A"],
      ["file:///", "file://"],
    ] as const) {
      assert.deepEqual(foldersAbove(`${own}/n.rpc.json`, [root], windows), [own]);
      assert.deepEqual(foldersAbove(`${own}/a/n.rpc.json`, [root], windows), [`${own}/a`, own]);
      assert.deepEqual(foldersAbove("untitled:Untitled-1", [root], windows), [own]);
    }
    assert.equal(withoutTrailingSlashes(pathToFileURL("/").href), "file://");
  });
});
