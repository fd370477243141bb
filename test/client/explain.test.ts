import assert from "node:assert/strict";
import type { EndpointPicker } from "../../client/src/endpointPicker.ts";
import type { Server } from "../../client/src/languageClient.ts";
import { explained } from "../../server/src/editor/pastedRequests.ts";
import { hash, pastedTexts } from "../server/convert/recognise/pastedTexts.ts";
import { l10n, useFakeVscode, vscode } from "../support/vscode.ts";

interface FakeCell {
  readonly kind: number;
  readonly index: number;
  readonly metadata: object;
  readonly notebook: object;
  readonly document: { getText(): string };
}

describe("Explain", () => {
  const begun = {
    copied: "",
    selected: "",
    /** Texts of the cells of the notebook. */
    texts: ["{}"],
    typed: undefined as string | undefined,
    picked: 0 as number | undefined,
    hasNotebook: true,
  };
  let state = begun;
  let shownValue: string | undefined;
  let offered: readonly string[];
  let messages: string[];
  let ran: number[];
  const notebook = {
    notebookType: "rpc-notebook",
    uri: "file:///a.rpc.json",
    get cellCount() {
      return state.texts.length;
    },
    getCells: (): FakeCell[] =>
      state.texts.map((text, index) => ({ kind: 2, index, metadata: {}, notebook, document: { getText: () => text } })),
  };
  before(useFakeVscode);
  beforeEach(() => {
    [state, shownValue, offered, messages, ran] = [begun, undefined, [], [], []];
    const say = async (message: string): Promise<void> => void messages.push(message);
    vscode.l10n = l10n;
    vscode.env = { clipboard: { readText: async () => state.copied } };
    vscode.NotebookCellData = class {
      readonly kind: number;
      readonly text: string;
      constructor(kind: number, text: string) {
        this.kind = kind;
        this.text = text;
      }
    };
    vscode.WorkspaceEdit = class {
      set(): void {}
    };
    vscode.Uri = { from: () => "untitled:Untitled-1.rpc.json" };
    vscode.NotebookCellKind = { Code: 2, Markup: 1 };
    vscode.commands = {
      executeCommand: async (_: string, { ranges }: { ranges: readonly { start: number }[] }) =>
        void ran.push(ranges[0]?.start ?? -1),
    };
    const editor = { notebook, selections: [{ start: 0 }] };
    vscode.window = {
      get activeTextEditor() {
        return { selection: { isEmpty: state.selected === "" }, document: { getText: () => state.selected } };
      },
      get activeNotebookEditor() {
        return state.hasNotebook ? editor : undefined;
      },
      get visibleNotebookEditors() {
        return state.hasNotebook ? [editor] : [];
      },
      showInputBox: async ({ value }: { value: string }) => {
        shownValue = value;
        return state.typed ?? value;
      },
      showQuickPick: async (items: readonly { label: string }[]) => {
        offered = items.map(({ label }) => label);
        return state.picked === undefined ? undefined : items[state.picked];
      },
      showNotebookDocument: async () => {
        state.hasNotebook = true;
        return editor;
      },
      showWarningMessage: say,
      showInformationMessage: say,
      setStatusBarMessage: () => {},
    };
  });
  const server = {
    request: async (_: string, { text }: { text: string }) => explained(text),
  } as unknown as Server; // it is asked to explain only
  const picker = { begin: async () => true } as unknown as EndpointPicker; // it is asked to begin only

  async function run(): Promise<void> {
    const { explain } = await import("../../client/src/explain.ts");
    vscode.NotebookEdit = {
      insertCells: (at: number, cells: readonly { text: string }[]) =>
        state.texts.splice(at, 0, ...cells.map(({ text }) => text)),
      replaceCells: (_: object, cells: readonly { text: string }[]) =>
        state.texts.splice(0, 1, ...cells.map(({ text }) => text)),
    };
    vscode.workspace = {
      applyEdit: async () => true,
      notebookDocuments: [],
      openNotebookDocument: async () => {
        state.texts = [];
        return notebook;
      },
    };
    await explain(server, picker);
  }

  const viem = pastedTexts.find(({ what }) => what === "an error of viem with raw arguments")?.text ?? "";
  const mine = `{"jsonrpc":"2.0","id":1,"method":"evm_mine","params":[]}`;
  for (const [what, given, cells, cellsRun, message] of [
    ["explains what is selected", { selected: hash }, 2, [1]],
    ["offers the text of the clipboard, all lines of it", { copied: viem }, 2, [1]],
    [
      "asks for a text if it cannot explain the clipboard",
      { copied: "my password", typed: "hello" },
      1,
      [],
      /^Nothing/,
    ],
    ["uses an empty cell", { selected: hash, texts: [""] }, 1, [0]],
    ["makes a notebook if none is open", { selected: hash, hasNotebook: false }, 1, [0]],
    ["only tells what a reading without cells is", { selected: hash, picked: 3 }, 1, [], /^Private key\. /],
    ["does not run a request that writes", { selected: mine }, 2, []],
    ["does nothing if nothing is chosen", { selected: hash, picked: undefined }, 1, []],
  ] as const)
    it(what, async () => {
      state = { ...state, ...given, texts: [...("texts" in given ? given.texts : ["{}"])] };
      await run();
      assert.deepEqual([state.texts.length, ran], [cells, cellsRun]);
      assert.match(messages[0] ?? "", message ?? /^$/);
      if ("selected" in given) assert.equal(shownValue, undefined);
      if (state.selected === hash)
        assert.deepEqual(offered, ["Transaction hash", "Block hash", "Word of 32 bytes", "Private key"]);
      if (state.copied === viem) assert.match(offered[0] ?? "", /^Failed call: transfer\(/);
      if (state.copied === viem) assert.match(shownValue ?? "", /^ContractFunctionE.*Raw Call Arguments: from:/);
      if (state.copied === "my password") assert.equal(shownValue, "", "it is not shown");
    });

  it("is also what happens to values that are pasted, and not to cells", async () => {
    const { mayBeRequest } = await import("../../client/src/pasteConversion.ts");
    for (const text of [hash, hash.slice(2), `why? ${hash}`, "0x1406f40", "https://etherscan.io/tx/1", mine])
      assert.equal(mayBeRequest(text), true, text);
    const cell = `{ "method": "eth_getCode", "params": ["${hash}"] }`;
    for (const text of ["hello", cell, '{ "cells": [] }', `${hash}\n`.repeat(4000)])
      assert.equal(mayBeRequest(text), false, text.slice(0, 40));
  });
});
