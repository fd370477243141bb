import assert from "node:assert/strict";
import { type Editor, startEditor } from "../../support/editor.ts";
import { requestsAt } from "./requests.ts";

const uri = "file:///w/a.rpc.json";
const text = `{ "cells": [{ "id": "é😀", "name": "one", "method": "eth_getBalance", "params": ["{{alice}}", "latest"] }] }`;
const position = { line: 0, character: text.indexOf("one") + 1 };
const range = { start: position, end: position };

const requests = { ...requestsAt(position, range), "textDocument/diagnostic": {} };

/** Replaces every position. */
function withPosition(params: object, nonsense: unknown): object {
  return JSON.parse(JSON.stringify(params), (key, value) => (/^(position|start|end|0)$/.test(key) ? nonsense : value));
}

describe("the language server, with invalid messages", () => {
  let editor: Editor;
  before(async () => {
    const capabilities = {
      textDocument: { diagnostic: {}, codeAction: { codeActionLiteralSupport: {} }, rename: { prepareSupport: true } },
    };
    editor = await startEditor({ capabilities });
    await editor.open(uri, text);
  });
  after(() => editor.connection.dispose());

  /** Refusals that are meant, such as that of a name, are answers, too. */
  const survives = async (method: string, params: object): Promise<void> => {
    await editor.connection.sendRequest(method, params).catch((error: { readonly code?: number }) => {
      assert.equal(error.code, -32803, `${method} ${JSON.stringify(params)}`);
    });
  };

  for (const [method, params] of Object.entries(requests))
    it(`answers ${method} all the same`, async () => {
      for (const [line, character] of [
        [0, 9999],
        [9999, 0],
        [-1, 5],
        [0, -5],
        [2 ** 31, 2 ** 31],
      ])
        await survives(method, { textDocument: { uri }, ...withPosition(params, { line, character }) });
      for (const nonsense of [{}, null, 7, "x", { line: "0", character: "0" }, { line: 0.5, character: 1 }])
        await survives(method, { textDocument: { uri }, ...withPosition(params, nonsense) });
      for (const textDocument of [{ uri: "file:///none" }, { uri: 7 }, { uri: "" }, {}, null, undefined])
        await survives(method, { ...params, textDocument });
      await survives(method, { textDocument: { uri } });
      const answer = await editor.connection.sendRequest(method, { textDocument: { uri }, ...params });
      assert.notEqual(answer, undefined, "it still answers");
    });

  it("answers our own requests and commands with empty results", async () => {
    const { connection } = editor;
    const execute = (command: string, given: unknown): Promise<unknown> =>
      connection.sendRequest("workspace/executeCommand", { command, arguments: given });
    const empty = { ok: 0, failed: 0, cancelled: false };
    for (const params of [{}, { uri: 7 }, { uri: "x:none", cells: "all" }])
      assert.deepEqual(await connection.sendRequest("rpcNotebook/run", params), empty);
    assert.deepEqual(await connection.sendRequest("rpcNotebook/wireForm", { uri, index: -1 }), null);
    assert.deepEqual(await connection.sendRequest("rpcNotebook/wireForm", { uri: "x:none", offset: 1e9 }), null);
    for (const command of [
      "rpcNotebook.run",
      "rpcNotebook.runAbove",
      "rpcNotebook.trace",
      "rpcNotebook.wireForm",
      "",
      "rm",
    ])
      for (const given of [undefined, [], [7], [null, 0], [{ uri }, 0]])
        assert.equal(await execute(command, given), null);
    for (const index of [-1, 0.5, "0", 1e9]) assert.equal(await execute("rpcNotebook.wireForm", [uri, index]), null);
  });

  it("goes on after empty notifications", async () => {
    const { connection } = editor;
    for (const method of ["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose"])
      for (const params of [{}, { textDocument: null }, { textDocument: { uri: 7 }, contentChanges: 7 }])
        await connection.sendNotification(method, params);
    for (const method of ["notebookDocument/didOpen", "notebookDocument/didChange", "notebookDocument/didClose"])
      await connection.sendNotification(method, { notebookDocument: { uri: "x:y" }, change: { cells: 7 } });
    for (const settings of [null, 7, [], { rpcNotebook: { endpoint: 7, endpoints: [], timeout: "x" }, http: null }])
      await connection.sendNotification("workspace/didChangeConfiguration", { settings });
    assert.ok(await editor.ask("hover", uri, { position: { line: 0, character: text.indexOf("eth_") + 2 } }));
  });

  it("starts for editors without capabilities", async () => {
    const wrong = { approvedHosts: 7, settings: 7, trusted: "no", docs: "no" };
    for (const initializationOptions of [null, 7, [], "x", wrong]) {
      const other = await startEditor({ initializationOptions });
      assert.equal(other.capabilities.positionEncoding, "utf-16");
      other.connection.dispose();
    }
  });
});
