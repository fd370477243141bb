import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resultLanguage } from "../../client/src/names.ts";
import { l10n, useFakeVscode, vscode } from "../support/vscode.ts";

const disposable = { dispose() {} };

describe("what VS Code shows beside cells", () => {
  before(useFakeVscode);
  beforeEach(() => {
    vscode.l10n = l10n;
    vscode.Disposable = { from: () => disposable };
  });

  it("has a hint in an empty cell, in a color that high contrast has too", async () => {
    const drawn: { readonly after?: { readonly color?: { readonly id: string } } }[] = [];
    vscode.ThemeColor = class {
      readonly id: string;
      constructor(id: string) {
        this.id = id;
      }
    };
    vscode.window = {
      visibleTextEditors: [],
      createTextEditorDecorationType: (options: (typeof drawn)[number]) => drawn.push(options) && disposable,
      onDidChangeVisibleTextEditors: () => disposable,
    };
    vscode.workspace = { onDidChangeTextDocument: () => disposable };
    const { registerEmptyCells } = await import("../../client/src/emptyCells.ts");
    registerEmptyCells();
    // the color of placeholders has no value in the themes of high contrast
    assert.deepEqual(
      drawn.map(({ after }) => after?.color?.id),
      ["descriptionForeground"],
    );
  });

  it("has hovers that close when one of their links is used", async () => {
    const run: unknown[] = [];
    const own = new Map<string, (...given: readonly unknown[]) => Promise<void>>();
    vscode.languages = { registerHoverProvider: () => disposable };
    vscode.commands = {
      registerCommand: (name: string, command: (...given: readonly unknown[]) => Promise<void>) =>
        own.set(name, command) && disposable,
      executeCommand: async (...given: readonly unknown[]) => run.push(...given),
    };
    const { registerAddressHover } = await import("../../client/src/addressHover.ts");
    registerAddressHover({} as never);
    await own.get("rpcNotebook.followLink")?.("rpcNotebook.copyAddress", "0x1");
    assert.deepEqual(run, ["editor.action.hideHover", "rpcNotebook.copyAddress", "0x1"]);
    await own.get("rpcNotebook.followLink")?.("workbench.action.terminal.sendSequence", "0x1");
    assert.equal(run.length, 3, "no other command runs");
  });

  it("wraps the lines of results that are shown as text", () => {
    const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    const defaults = manifest.contributes.configurationDefaults[`[${resultLanguage}]`];
    assert.equal(defaults["editor.wordWrap"], "on");
  });
});
