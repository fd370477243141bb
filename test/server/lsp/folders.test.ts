import assert from "node:assert/strict";
import type { MessageConnection } from "vscode-languageserver/node";
import type { Files } from "../../../server/src/base/ports.ts";
import type { EndpointsResult } from "../../../server/src/protocol/endpoints.ts";
import { type Editor, startEditor } from "../../support/editor.ts";
import { pluck } from "../../support/pluck.ts";

interface Problems {
  readonly uri: string;
  readonly diagnostics: readonly unknown[];
}

describe("the workspace folders of an editor", () => {
  const open: MessageConnection[] = [];
  afterEach(() => {
    for (const connection of open.splice(0)) connection.dispose();
  });

  /** A disk that ignores case, as those of Windows and macOS. */
  const diskOf = (contents: Readonly<Record<string, string>>): Files => {
    const nameOf = (uri: string): string => decodeURIComponent(uri).normalize("NFC").toLowerCase();
    const texts = () => new Map(Object.entries(contents).map(([uri, text]) => [nameOf(uri), text]));
    return {
      ignoresCase: true,
      read: async (uri) => {
        const text = texts().get(nameOf(uri));
        return text === undefined ? undefined : new TextEncoder().encode(text);
      },
    };
  };
  const start = async (folders: readonly string[], files: Files): Promise<Editor> => {
    const editor = await startEditor({ folders, files, capabilities: { workspace: { workspaceFolders: true } } });
    open.push(editor.connection);
    return editor;
  };
  const namesFor = async ({ connection }: Editor, uri: string): Promise<readonly string[]> => {
    const { endpoints } = await connection.sendRequest<EndpointsResult>("rpcNotebook/endpoints", { uri });
    return pluck(endpoints, "name");
  };
  const has = ({ uri, diagnostics }: Problems, document: string, count: number): boolean =>
    uri === document && diagnostics.length === count;
  const notebook = `{"cells":[]}`;
  const entry = (name: string): string => JSON.stringify({ [name]: "http://127.0.0.1:8545" });

  for (const [root, document] of [
    ["file:///c%3A/Code/Project", "file:///C:/code/project/notes/a.rpc.json"],
    ["file://server/Share", "file://SERVER/share/notes/a.rpc.json"],
    ["file:///Users/me/caf\u00e9", "file:///users/me/cafe\u0301/notes/a.rpc.json"],
    ["file:///c%3A/", "file:///c%3A/notes/a.rpc.json"],
    ["file:///", "file:///notes/a.rpc.json"],
  ] as const)
    it(`belong to their documents, however both are spelled: ${root}`, async () => {
      const above = document.slice(0, document.lastIndexOf("/notes"));
      const contents = { [`${above}/rpc-endpoints.json`]: entry("team") };
      const editor = await start([root], diskOf(contents));
      await editor.open(document, `{ "endpoint": "changed", "cells": [] }`);
      assert.deepEqual(await namesFor(editor, document), ["team", "local"]);
      await editor.until<Problems>("textDocument/publishDiagnostics", (sent) => has(sent, document, 1));
      contents[`${above}/rpc-endpoints.json`] = entry("changed");
      const uri = `${root.replace(/\/$/, "")}/rpc-endpoints.json`;
      await editor.connection.sendNotification("workspace/didChangeWatchedFiles", { changes: [{ uri, type: 2 }] });
      await editor.until<Problems>("textDocument/publishDiagnostics", (sent) => has(sent, document, 0));
    });

  it("can be added and removed while the server runs", async () => {
    const contents = { "file:///p/rpc-endpoints.json": entry("p"), "file:///q/rpc-endpoints.json": entry("q") };
    const editor = await start(["file:///p"], diskOf(contents));
    assert.deepEqual(Object(editor.capabilities.workspace).workspaceFolders, {
      supported: true,
      changeNotifications: true,
    });
    const [inP, inQ] = ["file:///p/notes/a.rpc.json", "file:///q/notes/a.rpc.json"];
    for (const document of [inP, inQ]) await editor.open(document, notebook);
    const all = async () => [await namesFor(editor, inP), await namesFor(editor, inQ)];
    assert.deepEqual(await all(), [["p", "local"], ["local"]]);
    const change = (added: readonly string[], removed: readonly string[]) =>
      editor.connection.sendNotification("workspace/didChangeWorkspaceFolders", {
        event: {
          added: added.map((uri) => ({ uri, name: uri })),
          removed: removed.map((uri) => ({ uri, name: uri })),
        },
      });
    await change(["file:///q"], []);
    assert.deepEqual(await all(), [
      ["p", "local"],
      ["q", "local"],
    ]);
    await change([], ["file:///P/"]);
    assert.deepEqual(await all(), [["local"], ["q", "local"]]);
  });

  it("are read once by an editor that cannot change them", async () => {
    const editor = await startEditor({ folders: ["file:///p"] });
    open.push(editor.connection);
    assert.equal(Object(editor.capabilities.workspace).workspaceFolders, undefined);
  });
});
