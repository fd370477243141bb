import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { files } from "../../server/src/node/files.ts";
import type { AddEndpointResult } from "../../server/src/protocol/endpoints.ts";
import type { WriteFileParams, WriteFileResult } from "../../server/src/protocol/host.ts";
import type { RunResult } from "../../server/src/protocol/runs.ts";
import { type Editor, startEditor } from "../support/editor.ts";
import { answering, type HostileServer, hostileServer } from "../support/hostileServer.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

const notebook = (...names: readonly string[]): string =>
  `{ "cells": [${names.map((name) => `{ "name": "${name}", "method": "eth_chainId" }`).join(", ")}] }`;

describe("files that an editor's server writes", () => {
  let node: HostileServer;
  let folder: string;
  let editor: Editor | undefined;
  /** Files that only the editor can reach. */
  const elsewhere = new Map<string, string>();
  let answer: ((params: WriteFileParams) => unknown) | undefined;
  before(async () => {
    node = await hostileServer(answering(() => "0x1"));
  });
  beforeEach(() => {
    folder = temporaryFolder();
    elsewhere.clear();
    answer = undefined;
  });
  afterEach(() => {
    editor?.connection.dispose();
  });

  const textOf = (uri: string): string | undefined => {
    if (!uri.startsWith("file:")) return elsewhere.get(uri);
    return existsSync(fileURLToPath(uri)) ? readFileSync(fileURLToPath(uri), "utf8") : undefined;
  };

  function write({ uri, before, text }: WriteFileParams): WriteFileResult {
    if ((textOf(uri) ?? null) !== before) return { kind: "changed" };
    elsewhere.set(uri, text);
    return { kind: "written" };
  }

  async function start(trusted = true): Promise<Editor> {
    editor = await startEditor({
      files,
      initializationOptions: {
        trusted,
        readsFiles: true,
        settings: { rpcNotebook: { endpoints: { test: node.url }, endpoint: "test" } },
      },
      answers: {
        "rpcNotebook/readFile": ({ uri }: { readonly uri: string }) => {
          const text = textOf(uri);
          return text === undefined ? null : { base64: Buffer.from(text).toString("base64") };
        },
        "rpcNotebook/readFolder": () => null,
        "rpcNotebook/writeFile": (params: WriteFileParams) => (answer ?? write)(params),
        "window/workDoneProgress/create": () => null,
        "client/registerCapability": () => null,
      },
    });
    return editor;
  }

  async function update(uri: string, text: string, cell?: number): Promise<RunResult> {
    const { connection } = editor ?? (await start());
    const textDocument = { uri, languageId: "rpc-notebook", version: 1, text };
    await connection.sendNotification("textDocument/didOpen", { textDocument });
    return connection.sendRequest("rpcNotebook/run", {
      runId: "r",
      uri,
      snapshot: "update",
      ...(cell !== undefined && { cells: [{ index: cell }] }),
    });
  }

  it("are replaced by the server if they are on its disk", async () => {
    const uri = pathToFileURL(join(folder, "a.rpc.json")).href;
    await start();
    const { snapshot } = await update(uri, notebook("a", "b"));
    assert.deepEqual(snapshot, { notes: ["a.rpc.snapshot.json: 2 cells recorded, 2 new or changed."] });
    assert.deepEqual(readdirSync(folder), ["a.rpc.snapshot.json"]);
    assert.equal(editor?.count("rpcNotebook/writeFile"), 0);
  });

  it("are refused with a sentence if a link leads out of the workspace", async () => {
    mkdirSync(join(folder, "w"));
    symlinkSync("../planted.json", join(folder, "w/a.rpc.snapshot.json"));
    const uri = pathToFileURL(join(folder, "w/a.rpc.json")).href;
    await start();
    const { snapshot } = await update(uri, notebook("a"));
    assert.match(
      snapshot?.fault ?? "",
      /^a\.rpc\.snapshot\.json was not written: a link leads out of the project, to \S+\. /,
    );
    assert.deepEqual(readdirSync(folder), ["w"]);
  });

  it("are written by the editor if only it can reach them, from their current content", async () => {
    const [uri, beside] = ["vscode-vfs://x/w/a.rpc.json", "vscode-vfs://x/w/a.rpc.snapshot.json"];
    await start();
    let times = 0;
    answer = (params) => {
      // another window writes first, once
      if (++times === 1)
        elsewhere.set(
          beside,
          `{ "rpcNotebookSnapshot": 1, "cells": { "c": { "endpoint": "e", "at": "t", "answers": [] } } }`,
        );
      return write(params);
    };
    const { snapshot } = await update(uri, notebook("a", "c"), 0);
    assert.deepEqual([snapshot?.fault, times], [undefined, 2]);
    assert.deepEqual(Object.keys(JSON.parse(elsewhere.get(beside) ?? "").cells), ["a", "c"]);
  });

  for (const [what, said, expected] of [
    [
      "no permission",
      { kind: "failed", reason: "denied", detail: "" },
      /you have no permission\. Nothing was created\./,
    ],
    [
      "an error of its own",
      { kind: "failed", reason: "other", detail: "Unavailable" },
      /the system reports Unavailable\./,
    ],
    ["nothing", null, /this editor writes no files for the language server\./],
    ["the answer of an older client", { written: false }, /this editor writes no files/],
    ["nonsense", { kind: "failed", reason: "__proto__", detail: { a: 1 } }, /the system reports \[object Object\]\./],
  ] as const) {
    it(`are reported as not written when the editor answers with ${what}`, async () => {
      await start();
      answer = () => said;
      const { snapshot } = await update("vscode-vfs://x/w/a.rpc.json", notebook("a"));
      assert.match(snapshot?.fault ?? "", expected);
    });
  }

  it("are not written for a notebook without a file", async () => {
    await start();
    const { snapshot } = await update("untitled:Untitled-1.rpc.json", notebook("a"));
    assert.equal(snapshot?.fault, "untitled:Untitled-1.rpc.json has no file yet. Save it first.");
    assert.deepEqual([editor?.count("rpcNotebook/writeFile"), readdirSync(folder)], [0, []]);
  });

  it("are not written in an untrusted workspace", async () => {
    const uri = pathToFileURL(join(folder, "a.rpc.json")).href;
    const beside = join(folder, "a.rpc.snapshot.json");
    const before = `{ "rpcNotebookSnapshot": 1, "cells": { "gone": { "endpoint": "e", "at": "t", "answers": [] } } }`;
    writeFileSync(beside, before);
    await start(false);
    const { snapshot } = await update(uri, notebook("a"));
    assert.match(snapshot?.fault ?? "", /was not written: the workspace is not trusted\./);
    assert.equal(readFileSync(beside, "utf8"), before);
  });

  it("include endpoint files: a name is added, or the reason is shown", async () => {
    const uri = pathToFileURL(join(folder, "a.rpc.json")).href;
    const { connection } = await start();
    const add = (name: string): Promise<AddEndpointResult> =>
      connection.sendRequest("rpcNotebook/addEndpoint", { uri, name, address: "http://h", isPrivate: false });
    assert.deepEqual(await Promise.all([add("a"), add("b")]), [{ added: true }, { added: true }]);
    const file = join(folder, "rpc-endpoints.json");
    assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), { a: "http://h", b: "http://h" });
    rmSync(file);
    mkdirSync(file);
    const refused = await add("c");
    assert.match(
      "refused" in refused ? refused.refused : "",
      /^rpc-endpoints\.json was not written: it is not a regular file\./,
    );
    assert.equal(editor?.count("rpcNotebook/writeFile"), 0);
  });
});
