import assert from "node:assert/strict";
import { type CodeLens, commands, TabInputText, Uri, window, workspace } from "vscode";
import { chainNotebook, exampleUri, shownResult, until } from "./workspaceFile.ts";

describe("a text", () => {
  it("offers to run each cell, and shows the result next to it", async () => {
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
    await shownResult(/31337(?![\s\S]*eth_blockNumber)/);
    assert.equal(window.activeTextEditor?.document.uri.toString(), uri.toString(), "the cursor stays where it was");
  });

  it("is what a broken file opens as, and never as an empty notebook", async () => {
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
