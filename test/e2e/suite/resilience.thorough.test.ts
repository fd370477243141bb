import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  commands,
  type Hover,
  NotebookCellKind,
  type NotebookDocument,
  NotebookEdit,
  NotebookRange,
  Range,
  WorkspaceEdit,
  window,
  workspace,
} from "vscode";
import { chainNotebook, edit, until } from "./workspaceFile.ts";

describe("work that must not be lost", () => {
  let notebook: NotebookDocument;

  before(async () => {
    const uri = await chainNotebook("resilience.rpc.json", [{ method: "eth_chainId", params: [] }]);
    notebook = await workspace.openNotebookDocument(uri);
    await window.showNotebookDocument(notebook);
  });

  const explained = async (method: string): Promise<string> => {
    const { document } = notebook.cellAt(1);
    const at = document.positionAt(document.getText().indexOf(method) + 2);
    const hovers = await commands.executeCommand<Hover[]>("vscode.executeHoverProvider", document.uri, at);
    return hovers.flatMap(({ contents }) => contents.map((one) => (typeof one === "string" ? one : one.value))).join();
  };

  it("comes back after the server crashed, with everything that was typed", async () => {
    await until(async () => /eth_chainId/.test(await explained("eth_chainId")));
    const { uri } = notebook.cellAt(1).document;
    const [server] = serverProcesses();
    assert.ok(server, "the server runs");
    process.kill(server, "SIGKILL");
    await edit(uri, new Range(0, 0, notebook.cellAt(1).document.lineCount, 0), `{ "method": "eth_blockNumber" }`);
    await until(async () => /eth_blockNumber/.test(await explained("eth_blockNumber")));
    assert.equal(notebook.cellAt(1).document.getText(), `{ "method": "eth_blockNumber" }`);
    await commands.executeCommand("notebook.execute");
    await until(() => notebook.cellAt(1).executionSummary?.success === true);
  });

  it("puts a deleted header back, with its values", async () => {
    const header = notebook.cellAt(0).document.getText();
    const change = new WorkspaceEdit();
    change.set(notebook.uri, [NotebookEdit.deleteCells(new NotebookRange(0, 1))]);
    await workspace.applyEdit(change);
    await until(() => notebook.cellCount > 1 && notebook.cellAt(0).document.getText() === header);
  });

  it("does not let a key turn the header into Markdown", async () => {
    await window.showNotebookDocument(notebook, { selections: [new NotebookRange(0, 1)] });
    const header = notebook.cellAt(0);
    await commands.executeCommand("notebook.cell.changeToMarkdown");
    await until(() => notebook.cellAt(0) !== header && notebook.cellAt(0).kind === NotebookCellKind.Code);
    assert.equal(notebook.cellAt(0).metadata.header, true);
    assert.equal(notebook.cellAt(0).document.getText(), header.document.getText());
    assert.equal(notebook.cellCount, 2);
  });
});

/** Language servers that this extension host started. */
function serverProcesses(): readonly number[] {
  const lines = execFileSync("ps", ["-eo", "pid,ppid,args"], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => {
    const [pid, parent, ...args] = line.trim().split(/\s+/);
    return Number(parent) === process.pid && args.join(" ").includes("server/main.mjs") ? [Number(pid)] : [];
  });
}
