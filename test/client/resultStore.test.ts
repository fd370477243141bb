import assert from "node:assert/strict";
import type { Uri } from "vscode";
import { identify } from "../../client/src/keptResult.ts";
import { FakeFiles, fakeUri, useFakeVscode, vscode } from "../support/vscode.ts";

describe("the store of results", () => {
  let files: FakeFiles;
  before(useFakeVscode);
  beforeEach(() => {
    files = new FakeFiles();
    vscode.FileType = { File: 1 };
    vscode.Uri = { joinPath: ({ path }: Uri, name: string) => fakeUri(`${path}/${name}`) };
    vscode.workspace = { fs: files.fs };
  });

  const open = async () => (await import("../../client/src/resultStore.ts")).resultStore(fakeUri("/storage"));
  const results = (text = "text") =>
    identify([`{ "method": "eth_chainId" }`]).map((cell) => ({
      cell,
      request: cell.request,
      origin: "origin",
      output: { ok: true, reports: [], text, json: "", startedAt: 1, durationMs: 1 },
    }));

  it("returns what was written, for each notebook", async () => {
    const store = await open();
    await Promise.all([store.write(fakeUri("/a"), results("a")), store.write(fakeUri("/b"), results("b"))]);
    assert.deepEqual(await store.read(fakeUri("/a")), results("a"));
    assert.deepEqual(await store.read(fakeUri("/b")), results("b"));
    await store.write(fakeUri("/a"), []);
    assert.deepEqual([await store.read(fakeUri("/a")), files.texts.size], [[], 1]);
    await store.clear();
    assert.equal(files.texts.size, 0);
  });

  it("keeps the old file if a write ends early", async () => {
    const store = await open();
    await store.write(fakeUri("/a"), results("old"));
    files.failing = "rename";
    await store.write(fakeUri("/a"), results("new"));
    assert.deepEqual(await store.read(fakeUri("/a")), results("old"));
  });

  it("keeps nothing of notebooks without a file, and nothing without a workspace", async () => {
    const { resultStore } = await import("../../client/src/resultStore.ts");
    await (await open()).write(fakeUri("Untitled-1", "untitled"), results());
    await resultStore(undefined).write(fakeUri("/a"), results());
    assert.deepEqual([await resultStore(undefined).read(fakeUri("/a")), files.texts.size], [[], 0]);
  });

  it("deletes the oldest beyond 100 notebooks, and beyond 20 MB", async () => {
    const store = await open();
    for (let at = 0; at < 105; at++) await store.write(fakeUri(`/${at}`), results());
    assert.equal(files.texts.size, 100);
    assert.deepEqual(await store.read(fakeUri("/4")), []);
    assert.equal((await store.read(fakeUri("/5"))).length, 1);
    for (let at = 0; at < 12; at++) await store.write(fakeUri(`/${at}`), results("x".repeat(1_900_000)));
    const bytes = [...files.texts.values()].join("").length;
    assert.ok(bytes <= 20_000_000, `${bytes} bytes`);
    assert.equal((await store.read(fakeUri("/11"))).length, 1);
  });
});
