import assert from "node:assert/strict";
import type { EndpointsResult } from "../../../server/src/protocol/endpoints.ts";
import type { WriteFileParams } from "../../../server/src/protocol/host.ts";
import type { CellFinished, RunResult, TestsResult } from "../../../server/src/protocol/runs.ts";
import { type Editor, startEditor } from "../../support/editor.ts";
import { answering, type HostileServer, hostileServer } from "../../support/hostileServer.ts";

const uri = "file:///w/a.rpc.json";
const beside = "file:///w/a.rpc.snapshot.json";
const text = `{
  "cells": [
    { "markdown": "# Tests" },
    { "method": "eth_chainId" },
    { "name": "block", "method": "eth_getBlockByNumber", "params": ["0x5", false],
      "expect": { "result.size": { ">": 1 }, "result": { "gasUsed": "0x10" } } },
    { "name": "both", "batch": [{ "method": "eth_chainId", "expect": { "result": 1 } }] }
  ]
}`;

describe("tests of an editor", () => {
  let node: HostileServer;
  let editor: Editor;
  const disk = new Map<string, string>();
  before(async () => {
    const results: Readonly<Record<string, unknown>> = {
      eth_chainId: "0x1",
      eth_getBlockByNumber: { gasUsed: "0x11" },
    };
    node = await hostileServer(answering((method) => results[method]));
  });
  beforeEach(async () => {
    disk.clear();
    disk.set(uri, text);
    editor = await startEditor({
      initializationOptions: {
        readsFiles: true,
        approvesHosts: true,
        settings: { rpcNotebook: { endpoints: { test: node.url }, endpoint: "test" } },
      },
      answers: {
        "rpcNotebook/approveHost": () => ({ approved: true }),
        "rpcNotebook/readFile": ({ uri }: { readonly uri: string }) => {
          const found = disk.get(uri);
          return found === undefined ? null : { base64: Buffer.from(found).toString("base64") };
        },
        "rpcNotebook/readFolder": () => null,
        "rpcNotebook/writeFile": ({ uri, text }: WriteFileParams) => {
          disk.set(uri, text);
          return { kind: "written" };
        },
        "window/workDoneProgress/create": () => null,
        "client/registerCapability": () => null,
      },
    });
  });
  afterEach(() => editor.connection.dispose());

  const list = (of = uri): Promise<TestsResult> => editor.connection.sendRequest("rpcNotebook/tests", { uri: of });
  const run = (params: object): Promise<RunResult> =>
    editor.connection.sendRequest("rpcNotebook/run", { runId: "r", uri, ...params });
  const finished = (key: string): Promise<CellFinished> =>
    editor.until<CellFinished>("rpcNotebook/cellFinished", (one) => one.key === key);

  it("are the cells with expectations, of a file that is not open; nothing is sent", async () => {
    const sent = node.seen.length;
    const { tests } = await list();
    assert.deepEqual(
      tests.map(({ title, index, place }) => [title, index, place.uri, place.start, place.end.line]),
      [
        ["block: eth_getBlockByNumber", 2, uri, { line: 5, column: 5 }, 6],
        ["both: batch of eth_chainId", 3, uri, { line: 7, column: 5 }, 7],
      ],
    );
    assert.equal(node.seen.length, sent);
    assert.deepEqual((await list("file:///w/none.rpc.json")).tests, []);
    disk.set(uri, "\u0000 no notebook");
    assert.deepEqual((await list()).tests, []);
  });

  it("run in a file that is not open, and show the expected and the actual value with the place", async () => {
    const { tests } = await list();
    const result = await run({ cells: tests.map(({ index }) => ({ index })) });
    assert.deepEqual([result.ok, result.failed], [1, 1]);
    const { failures, output, verdict } = await finished("block");
    assert.deepEqual([output.ok, verdict], [false, "failed"]);
    assert.deepEqual(
      failures.map(({ message, place }) => [message.split("\n")[0], place?.uri, place?.start]),
      [
        [
          "Expected result.size to be greater than 1. There is none: result is an object with gasUsed.",
          uri,
          { line: 6, column: 19 },
        ],
        [`Expected result to be {"gasUsed":"0x10"}. It is {"gasUsed":"0x11"}.`, uri, { line: 6, column: 46 }],
      ],
    );
    assert.deepEqual(
      failures.map(({ expected, actual }) => [expected, actual]),
      [
        [undefined, undefined],
        [`{\n  "gasUsed": "0x10"\n}`, `{\n  "gasUsed": "0x11"\n}`],
      ],
    );
    assert.equal(failures[1]?.message.split("\n")[1], `result.gasUsed: "0x10" (16) → "0x11" (17)`);
    const passed = await finished(tests[1]?.key ?? "");
    assert.deepEqual([passed.failures, passed.verdict], [[], "passed"]);
  });

  it("go to the endpoint that the header of the file names", async () => {
    disk.set(uri, `{ "endpoint": "local", "cells": [] }`);
    const found: EndpointsResult = await editor.connection.sendRequest("rpcNotebook/endpoints", { uri });
    assert.equal(found.current?.name, "local");
  });

  it("keep their keys in an open notebook", async () => {
    const cell = "vscode-notebook-cell:/w/a.rpc.json#1";
    await editor.openCells(uri, [[cell, `{ "name": "head", "method": "eth_chainId",\n  "expect": { "result": 2 } }`]]);
    const { tests } = await list();
    assert.deepEqual(
      tests.map(({ key, place }) => [key, place.uri]),
      [["head", cell]],
    );
    await run({ cells: [{ index: 0 }] });
    const { failures } = await finished("head");
    assert.deepEqual(failures[0]?.place, { uri: cell, start: { line: 2, column: 15 }, end: { line: 2, column: 26 } });
  });

  it("write a snapshot on request by the editor, and offer that if one is missing", async () => {
    const pinned = `{ "name": "block", "method": "eth_getBlockByNumber", "params": ["0x5", false] }`;
    disk.set(uri, pinned);
    await run({});
    assert.equal(disk.has(beside), false);
    const made = await run({ snapshot: "update" });
    assert.deepEqual(made.snapshot?.notes, ["a.rpc.snapshot.json: 1 cell recorded, 1 new or changed."]);
    disk.set(beside, disk.get(beside)?.replace("0x11", "0x12") ?? "");
    await editor.open(uri, pinned);
    assert.equal((await run({ runId: "again" })).failed, 1);
    const missed = await editor.until<CellFinished>("rpcNotebook/cellFinished", ({ runId }) => runId === "again");
    assert.match(missed.failures[0]?.message ?? "", /\nresult\.gasUsed: "0x12" \(18\) → "0x11" \(17\)$/);
    const lenses: readonly { readonly command: { readonly title: string; readonly command: string } }[] =
      await editor.ask("codeLens", uri);
    const lens = lenses.find(({ command }) => command.title === "Update snapshot")?.command;
    await editor.connection.sendRequest("workspace/executeCommand", { ...lens, arguments: [uri, 0] });
    assert.match(disk.get(beside) ?? "", /0x11/);
    assert.equal((await run({ runId: "last" })).failed, 0);
  });
});
