import assert from "node:assert/strict";
import type { Server } from "../../client/src/languageClient.ts";
import { explained } from "../../server/src/editor/pastedRequests.ts";
import { hash, pastedTexts } from "../server/convert/recognise/pastedTexts.ts";
import { useFakeVscode, vscode } from "../support/vscode.ts";

interface FakeCell {
  readonly kind: number;
  readonly index: number;
  readonly metadata: object;
  readonly notebook: object;
  readonly document: { getText(): string };
}

describe("Explain", () => {
  let copied: string;
  let selected: string;
  /** Texts of the cells of the notebook. */
  let texts: string[];
  let shownValue: string | undefined;
  let typed: string | undefined;
  let offered: readonly string[];
  let picked: number | undefined;
  let messages: string[];
  let ran: number[];
  let opened: number;
  let hasNotebook: boolean;
  const notebook = {
    notebookType: "rpc-notebook",
    uri: "file:///a.rpc.json",
    get cellCount() {
      return texts.length;
    },
    getCells: (): FakeCell[] =>
      texts.map((text, index) => ({ kind: 2, index, metadata: {}, notebook, document: { getText: () => text } })),
  };
  before(useFakeVscode);
  beforeEach(() => {
    [copied, selected, texts, messages, ran, offered] = ["", "", ["{}"], [], [], []];
    [shownValue, typed, picked, opened, hasNotebook] = [undefined, undefined, 0, 0, true];
    const say = async (message: string): Promise<void> => void messages.push(message);
    vscode.l10n = { t: (text: string) => text };
    vscode.env = { clipboard: { readText: async () => copied } };
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
        return { selection: { isEmpty: selected === "" }, document: { getText: () => selected } };
      },
      get activeNotebookEditor() {
        return hasNotebook ? editor : undefined;
      },
      get visibleNotebookEditors() {
        return hasNotebook ? [editor] : [];
      },
      showInputBox: async ({ value }: { value: string }) => {
        shownValue = value;
        return typed ?? value;
      },
      showQuickPick: async (items: readonly { label: string }[]) => {
        offered = items.map(({ label }) => label);
        return picked === undefined ? undefined : items[picked];
      },
      showNotebookDocument: async () => {
        hasNotebook = true;
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
  const picker = { begin: async () => true };

  async function run(): Promise<void> {
    const { explain } = await import("../../client/src/explain.ts");
    vscode.NotebookEdit = {
      insertCells: (at: number, cells: readonly { text: string }[]) =>
        texts.splice(at, 0, ...cells.map(({ text }) => text)),
      replaceCells: (_: object, cells: readonly { text: string }[]) =>
        texts.splice(0, 1, ...cells.map(({ text }) => text)),
    };
    vscode.workspace = {
      applyEdit: async () => true,
      notebookDocuments: [],
      openNotebookDocument: async () => {
        opened++;
        texts = [];
        return notebook;
      },
    };
    await explain(server, picker);
  }

  it("explains what is selected", async () => {
    selected = hash;
    await run();
    assert.deepEqual(offered, ["Transaction hash", "Block hash", "Word of 32 bytes", "Private key"]);
    assert.deepEqual([texts.length, ran, shownValue], [2, [1], undefined]);
  });

  it("offers the text of the clipboard, all lines of it", async () => {
    copied = pastedTexts.find(({ what }) => what === "an error of viem with raw arguments")?.text ?? "";
    await run();
    assert.match(shownValue ?? "", /^ContractFunctionExecutionError: .*Raw Call Arguments: from:/);
    assert.match(offered[0] ?? "", /^Failed call: transfer\(/);
    assert.deepEqual(ran, [1]);
  });

  it("does not show a text of the clipboard that it cannot explain", async () => {
    [copied, typed] = ["my password", "hello"];
    await run();
    assert.equal(shownValue, "");
    assert.match(messages[0] ?? "", /^Nothing was recognised/);
    assert.deepEqual([texts.length, ran], [1, []]);
  });

  it("uses an empty cell", async () => {
    [selected, texts] = [hash, [""]];
    await run();
    assert.deepEqual([texts.length, ran], [1, [0]]);
  });

  it("makes a notebook if none is open", async () => {
    [selected, hasNotebook] = [hash, false];
    await run();
    assert.deepEqual([opened, ran], [1, [0]]);
  });

  it("only tells what a reading without cells is", async () => {
    [selected, picked] = [hash, 3];
    await run();
    assert.match(messages[0] ?? "", /^Private key\. /);
    assert.deepEqual([texts.length, ran], [1, []]);
  });

  it("does not run a request that writes", async () => {
    selected = `{"jsonrpc":"2.0","id":1,"method":"evm_mine","params":[]}`;
    await run();
    assert.deepEqual([texts.length, ran], [2, []]);
  });

  it("does nothing if nothing is chosen", async () => {
    [selected, picked] = [hash, undefined];
    await run();
    assert.deepEqual([texts.length, ran, messages], [1, [], []]);
  });

  it("is also what happens to values that are pasted, and not to cells", async () => {
    const { mayBeRequest } = await import("../../client/src/pasteConversion.ts");
    for (const text of [
      hash,
      hash.slice(2),
      `why? ${hash}`,
      "0x1406f40",
      "https://etherscan.io/tx/1",
      '{"jsonrpc":"2.0","method":"eth_chainId"}',
    ])
      assert.equal(mayBeRequest(text), true, text);
    for (const text of [
      "hello",
      `{ "method": "eth_getCode", "params": ["${hash}"] }`,
      '{ "cells": [] }',
      `${hash}\n`.repeat(4000),
    ])
      assert.equal(mayBeRequest(text), false, text.slice(0, 40));
  });
});
