import assert from "node:assert/strict";
import { mock } from "node:test";
import type { NotebookDocument, Uri } from "vscode";
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
