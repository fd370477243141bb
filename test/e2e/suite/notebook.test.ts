import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { NotebookCellKind, type NotebookDocument, Range, type Uri, window, workspace } from "vscode";
import { edit, exampleUri, until } from "./workspaceFile.ts";

describe("a notebook", () => {
  let uri: Uri;
  let notebook: NotebookDocument;

  before(async () => {
    uri = exampleUri("quickstart.rpc.json");
    notebook = await workspace.openNotebookDocument(uri);
    await window.showNotebookDocument(notebook);
  });

  it("opens with its header, its Markdown and its requests", () => {
    const [header, title] = notebook.getCells();
    assert.equal(notebook.notebookType, "rpc-notebook");
    assert.match(header?.document.getText() ?? "", /"endpoint": "local"/);
    assert.equal(title?.kind, NotebookCellKind.Markup);
    assert.ok(notebook.getCells().some((cell) => cell.document.getText().includes("eth_getBalance")));
  });

  it("saves an edited cell and leaves every other byte alone", async () => {
    const before = await readFile(uri.fsPath, "utf8");
    const cell = notebook.getCells().find(({ document }) => document.getText().includes('"name": "nonce"'));
    assert.ok(cell);
    const at = cell.document.getText().indexOf("pending");
    const span = new Range(cell.document.positionAt(at), cell.document.positionAt(at + "pending".length));
    await edit(cell.document.uri, span, "latest");
    await until(async () => notebook.isDirty && (await notebook.save())); // VS Code does not save while it still hears of the edit
    const line = before.split("\n").find((text) => text.includes('"name": "nonce"')) ?? "";
    assert.equal(await readFile(uri.fsPath, "utf8"), before.replace(line, line.replace("pending", "latest")));
  });
});
