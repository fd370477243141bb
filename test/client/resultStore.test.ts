import assert from "node:assert/strict";
import type { Uri } from "vscode";
import { identify } from "../../client/src/keptResult.ts";
import { useFakeVscode, vscode } from "../support/vscode.ts";

/** The members of `Uri` that the store uses. */
function uri(path: string, scheme = "file"): Uri {
  const made = {
    scheme,
    path,
    with: ({ path: other }: { path: string }) => uri(other),
    toString: () => `${scheme}://${path}`,
  };
  return made as unknown as Uri; // only these are used
}

describe("the store of results", () => {
  const files = new Map<string, { readonly bytes: Uint8Array; readonly mtime: number }>();
  let time = 0;
  let failsToRename = false;

  before(useFakeVscode);
  beforeEach(() => {
    files.clear();
    failsToRename = false;
    const move = (from: Uri, to: Uri): void => {
      const file = files.get(from.path);
      if (!file || failsToRename) throw new Error("not renamed");
      files.delete(from.path);
      files.set(to.path, file);
    };
    const remove = ({ path }: Uri): void => {
      for (const name of files.keys()) if (name === path || name.startsWith(`${path}/`)) files.delete(name);
    };
    vscode.FileType = { File: 1 };
    vscode.Uri = { joinPath: (base: Uri, name: string) => uri(`${base.path}/${name}`) };
    vscode.workspace = {
      fs: {
        readFile: async ({ path }: Uri) => files.get(path)?.bytes ?? Promise.reject(new Error("no file")),
        writeFile: async ({ path }: Uri, bytes: Uint8Array) => void files.set(path, { bytes, mtime: ++time }),
        rename: async (from: Uri, to: Uri) => move(from, to),
        delete: async (file: Uri) => remove(file),
        readDirectory: async ({ path }: Uri) =>
          [...files.keys()].filter((name) => name.startsWith(path)).map((name) => [name.split("/").at(-1), 1]),
        stat: async ({ path }: Uri) => ({ size: files.get(path)?.bytes.length, mtime: files.get(path)?.mtime }),
      },
    };
  });

  const open = async () => (await import("../../client/src/resultStore.ts")).resultStore(uri("/storage"));
  const results = (text = "text") =>
    identify([`{ "method": "eth_chainId" }`]).map((cell) => ({
      cell,
      request: cell.request,
      origin: "origin",
      output: { ok: true, reports: [], text, json: "", startedAt: 1, durationMs: 1 },
    }));

  it("returns what was written, for each notebook", async () => {
    const store = await open();
    await Promise.all([store.write(uri("/a"), results("a")), store.write(uri("/b"), results("b"))]);
    assert.deepEqual(await store.read(uri("/a")), results("a"));
    assert.deepEqual(await store.read(uri("/b")), results("b"));
    await store.write(uri("/a"), []);
    assert.deepEqual([await store.read(uri("/a")), files.size], [[], 1]);
    await store.clear();
    assert.equal(files.size, 0);
  });

  it("keeps the old file if a write ends early", async () => {
    const store = await open();
    await store.write(uri("/a"), results("old"));
    failsToRename = true;
    await store.write(uri("/a"), results("new"));
    assert.deepEqual(await store.read(uri("/a")), results("old"));
  });

  it("keeps nothing of notebooks without a file, and nothing without a workspace", async () => {
    const { resultStore } = await import("../../client/src/resultStore.ts");
    await (await open()).write(uri("Untitled-1", "untitled"), results());
    await resultStore(undefined).write(uri("/a"), results());
    assert.deepEqual([await resultStore(undefined).read(uri("/a")), files.size], [[], 0]);
  });

  it("deletes the oldest beyond 100 notebooks, and beyond 20 MB", async () => {
    const store = await open();
    for (let at = 0; at < 105; at++) await store.write(uri(`/${at}`), results());
    assert.equal(files.size, 100);
    assert.deepEqual(await store.read(uri("/4")), []);
    assert.equal((await store.read(uri("/5"))).length, 1);
    for (let at = 0; at < 12; at++) await store.write(uri(`/${at}`), results("x".repeat(1_900_000)));
    const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes.length, 0);
    assert.ok(bytes <= 20_000_000, `${bytes} bytes`);
    assert.equal((await store.read(uri("/11"))).length, 1);
  });
});
