import assert from "node:assert/strict";
import { mock } from "node:test";
import type { NotebookDocument, Uri } from "vscode";
import { identify } from "../../client/src/keptResult.ts";
import type { Kernel } from "../../client/src/kernel.ts";
import type { Server } from "../../client/src/languageClient.ts";
import { notebookType } from "../../client/src/names.ts";
import { FakeFiles, fakeUri, useFakeVscode, vscode } from "../support/vscode.ts";

const output = { ok: true, reports: [], text: "", json: "", startedAt: 1, durationMs: 1 };

describe("the keeper of results", () => {
  let write = (_text: string): void => {};
  const written = new Promise<string>((resolve) => {
    write = resolve;
  });
  let finish = (_cell: number): void => {};

  before(() => {
    useFakeVscode();
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
  });
  after(() => mock.timers.reset());
  beforeEach(() => {
    const notebook = { notebookType, uri: fakeUri("/a.rpc.json"), getCells: () => cells };
    const cells = Array.from({ length: 30 }, (_, index) => ({
      kind: 2,
      index,
      notebook,
      metadata: {},
      outputs: [],
      document: { uri: fakeUri(`${index}`, "cell"), getText: () => `{ "method": "eth_chainId", "name": "n${index}" }` },
    }));
    vscode.NotebookCellKind = { Code: 2 };
    vscode.FileType = { File: 1 };
    vscode.Uri = { joinPath: (base: Uri, name: string) => fakeUri(`${base.path}/${name}`) };
    vscode.Disposable = { from: () => ({}) };
    const nothing = () => ({});
    vscode.workspace = {
      notebookDocuments: [notebook] as unknown as readonly NotebookDocument[],
      onDidOpenNotebookDocument: nothing,
      onDidChangeNotebookDocument: nothing,
      onDidCloseNotebookDocument: nothing,
      onDidChangeConfiguration: nothing,
      getConfiguration: () => ({ inspect: nothing }),
      fs: {
        ...new FakeFiles().fs,
        writeFile: async (_: Uri, bytes: Uint8Array) => write(new TextDecoder().decode(bytes)),
      },
    };
  });

  it("writes while a long run goes on: a page that is loaded again ends it without a word", async () => {
    const { registerResultKeeper } = await import("../../client/src/resultKeeper.ts");
    const server = {
      on(name: string, listener: (event: object) => void) {
        if (name === "rpcNotebook/cellFinished")
          finish = (cell) => listener({ cell: { uri: `cell://${cell}` }, output, origin: "origin" });
      },
    };
    const restored = { restore() {} };
    const storage = { path: "/storage" };
    registerResultKeeper(server as unknown as Server, restored as unknown as Kernel, storage as unknown as Uri); // only these members are used
    for (let cell = 0; cell < 11; cell++) {
      finish(cell);
      mock.timers.tick(100);
    }
    assert.match(await written, /"output"/);
  });
});

describe("a notebook that is opened", () => {
  for (const isClosed of [false, true])
    it(`${isClosed ? "shows no" : "shows its"} kept results if it is ${isClosed ? "closed" : "still open"} when they are read`, async () => {
      const { registerResultKeeper, resultStore } = await import("../../client/src/resultKeeper.ts");
      const text = `{ "method": "eth_chainId" }`;
      const cell = { kind: 2, metadata: {}, outputs: [], document: { uri: fakeUri("0", "cell"), getText: () => text } };
      const notebook = { notebookType, uri: fakeUri("/a.rpc.json"), isClosed, getCells: () => [cell] };
      const opened: ((notebook: object) => unknown)[] = [];
      const nothing = () => ({});
      vscode.NotebookCellKind = { Code: 2 };
      vscode.FileType = { File: 1 };
      vscode.Uri = { joinPath: (base: Uri, name: string) => fakeUri(`${base.path}/${name}`) };
      vscode.Disposable = { from: nothing };
      vscode.workspace = {
        notebookDocuments: [],
        onDidOpenNotebookDocument: (listener: (notebook: object) => unknown) => opened.push(listener),
        onDidChangeNotebookDocument: nothing,
        onDidCloseNotebookDocument: nothing,
        onDidChangeConfiguration: nothing,
        getConfiguration: () => ({ inspect: nothing }),
        fs: new FakeFiles().fs,
      };
      const kept = identify([text]).map((one) => ({ cell: one, request: one.request, origin: "origin", output }));
      await resultStore(fakeUri("/storage")).write(notebook.uri, kept);
      let restored = 0;
      const kernel = { restore: () => void restored++ } as unknown as Kernel; // only these members are used
      registerResultKeeper({ on: nothing } as unknown as Server, kernel, fakeUri("/storage"));
      await Promise.all(opened.map((listener) => listener(notebook)));
      assert.equal(restored, isClosed ? 0 : 1);
    });
});

describe("the store of results", () => {
  let files: FakeFiles;
  before(useFakeVscode);
  beforeEach(() => {
    files = new FakeFiles();
    vscode.FileType = { File: 1 };
    vscode.Uri = { joinPath: ({ path }: Uri, name: string) => fakeUri(`${path}/${name}`) };
    vscode.workspace = { fs: files.fs };
  });

  const open = async () => (await import("../../client/src/resultKeeper.ts")).resultStore(fakeUri("/storage"));
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
    const { resultStore } = await import("../../client/src/resultKeeper.ts");
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
