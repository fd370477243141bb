import assert from "node:assert/strict";
import { useFakeVscode, vscode } from "../support/vscode.ts";

describe("a header that is put before the cells", () => {
  before(useFakeVscode);

  it("leaves the same cells selected, which now have other numbers", async () => {
    class Range {
      readonly start: number;
      readonly end: number;
      constructor(start: number, end: number) {
        [this.start, this.end] = [start, end];
      }
    }
    const notebook = { notebookType: "rpc-notebook", uri: "file:///a.rpc.json" };
    const editor = { notebook, selections: [new Range(1, 2)] };
    const other = { notebook: { ...notebook, uri: "file:///b.rpc.json" }, selections: [new Range(1, 2)] };
    vscode.NotebookRange = Range;
    vscode.NotebookCellKind = { Code: 2, Markup: 1 };
    vscode.NotebookCellData = class {};
    vscode.NotebookEdit = { insertCells: () => ({}) };
    vscode.WorkspaceEdit = class {
      set(): void {}
    };
    vscode.workspace = { notebookDocuments: [notebook], applyEdit: async () => true };
    vscode.window = { visibleNotebookEditors: [editor, other] };
    const { insertHeader } = await import("../../client/src/notebook.ts");
    await insertHeader(notebook.uri, "{}");
    assert.deepEqual(editor.selections, [new Range(2, 3)]);
    assert.deepEqual(other.selections, [new Range(1, 2)]);
  });
});
