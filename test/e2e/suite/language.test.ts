import assert from "node:assert/strict";
import {
  type CodeLens,
  type CompletionList,
  commands,
  type Hover,
  languages,
  type NotebookDocument,
  type Position,
  TabInputText,
  type TextDocument,
  Uri,
  window,
  workspace,
} from "vscode";
import { chainNotebook, exampleUri, until } from "./workspaceFile.ts";

describe("the language", () => {
  let notebook: NotebookDocument;

  before(async () => {
    const uri = await chainNotebook("language.rpc.json", [
      { method: "eth_getBalance", params: ["{{alice}}", "pending"] },
      { method: "eth_getBalanc", params: [] },
    ]);
    notebook = await workspace.openNotebookDocument(uri);
    await window.showNotebookDocument(notebook);
  });

  const cell = (index: number): TextDocument => notebook.cellAt(index + 1).document;
  const place = (document: TextDocument, word: string): Position =>
    document.positionAt(document.getText().indexOf(word) + 2);

  it("completes methods and block tags in a cell", async () => {
    const labels = async (word: string): Promise<readonly string[]> => {
      const { items } = await commands.executeCommand<CompletionList>(
        "vscode.executeCompletionItemProvider",
        cell(0).uri,
        place(cell(0), word),
      );
      return items.map(({ label }) => (typeof label === "string" ? label : label.label));
    };
    await until(async () => (await labels("eth_getBalance")).includes("eth_estimateGas")); // the server starts first
    assert.ok((await labels("pending")).includes("finalized"));
  });

  it("explains a method", async () => {
    const hovers = await commands.executeCommand<Hover[]>(
      "vscode.executeHoverProvider",
      cell(0).uri,
      place(cell(0), "eth_getBalance"),
    );
    const text = hovers.flatMap(({ contents }) => contents.map((one) => (typeof one === "string" ? one : one.value)));
    assert.match(text.join(), /balance of an account/);
  });

  it("finds a method that does not exist", async () => {
    await until(() => languages.getDiagnostics(cell(1).uri).length > 0);
    assert.match(languages.getDiagnostics(cell(1).uri)[0]?.message ?? "", /Did you mean `eth_getBalance`\?/);
  });

  it("offers to run each cell of a text, and shows the result next to it", async () => {
    const uri = await chainNotebook("text.rpc.json", [{ method: "eth_chainId", params: [] }]);
    const document = await workspace.openTextDocument(uri);
    await window.showTextDocument(document);
    const lenses = await until(async () => {
      const found = await commands.executeCommand<CodeLens[]>("vscode.executeCodeLensProvider", uri, 10);
      return found.length > 0 && found;
    });
    const command = lenses.find((lens) => lens.command?.title.includes("Run"))?.command;
    assert.ok(command);
    await commands.executeCommand(command.command, ...(command.arguments ?? []));
    const result = workspace.textDocuments.find((one) => one.uri.scheme === "rpc-result");
    assert.match(result?.getText() ?? "", /31337/);
    assert.equal(window.activeTextEditor?.document.uri.toString(), uri.toString(), "the cursor stays where it was");
  });

  it("opens a broken file as text, and never as an empty notebook", async () => {
    const uri = Uri.joinPath(exampleUri("quickstart.rpc.json"), "../broken.rpc.json");
    const text = '{ "cells": [\n  { "method": "eth_chainId" \n';
    await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    await commands.executeCommand("vscode.open", uri);
    await until(() => {
      const input = window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof TabInputText && input.uri.toString() === uri.toString();
    });
    assert.equal(new TextDecoder().decode(await workspace.fs.readFile(uri)), text);
  });
});
