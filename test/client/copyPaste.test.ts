import assert from "node:assert/strict";
import type { Server } from "../../client/src/languageClient.ts";
import { l10n, useFakeVscode, vscode } from "../support/vscode.ts";

describe("a request that is pasted from the clipboard", () => {
  before(useFakeVscode);

  for (const [what, selections, texts, place] of [
    ["below the last of the selected cells", [{ start: 0, end: 2 }], ["{}", "{}", "{}"], "inserted at 2"],
    ["in the place of the selected cell if that is empty", [{ start: 1, end: 2 }], ["{}", " ", "{}"], "in place of 1"],
    ["at the end if no cell is selected", [], ["{}", "{}"], "inserted at 2"],
  ] as const)
    it(`comes ${what}`, async () => {
      const cells = texts.map((text, index) => ({ index, kind: 2, metadata: {}, document: { getText: () => text } }));
      const notebook = { notebookType: "rpc-notebook", uri: "a", cellCount: cells.length, getCells: () => cells };
      const edits: string[] = [];
      vscode.l10n = l10n;
      vscode.NotebookRange = class {
        readonly start: number;
        constructor(start: number) {
          this.start = start;
        }
      };
      vscode.NotebookCellKind = { Code: 2, Markup: 1 };
      vscode.NotebookCellData = class {};
      vscode.NotebookEdit = {
        insertCells: (at: number) => edits.push(`inserted at ${at}`),
        replaceCells: ({ start }: { readonly start: number }) => edits.push(`in place of ${start}`),
      };
      vscode.WorkspaceEdit = class {
        set(): void {}
      };
      vscode.workspace = { applyEdit: async () => true };
      vscode.env = { clipboard: { readText: async () => "curl" } };
      vscode.window = {
        activeNotebookEditor: { notebook, selections },
        showNotebookDocument: async () => undefined,
        setStatusBarMessage: () => undefined,
      };
      const { pasteAsRequest } = await import("../../client/src/copyPaste.ts");
      const made = { cells: [{ kind: "request", text: "{}" }], notes: [], summary: "1 request" };
      await pasteAsRequest({ request: async () => made } as unknown as Server); // no more of it is used
      assert.deepEqual(edits, [place]);
    });
});
