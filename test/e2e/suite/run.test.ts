import assert from "node:assert/strict";
import { ConfigurationTarget, commands, type NotebookCell, type NotebookDocument, window, workspace } from "vscode";
import { chainNotebook, until } from "./workspaceFile.ts";

const report = "application/vnd.rpc-notebook.report+json";

describe("running", () => {
  let notebook: NotebookDocument;

  before(async () => {
    const uri = await chainNotebook("running.rpc.json", [
      { name: "balance", method: "eth_getBalance", params: ["{{alice}}", "pending"] },
      { name: "nonce", method: "eth_getTransactionCount", params: ["{{alice}}", "latest"] },
      { name: "again", method: "eth_getStorageAt", params: ["{{alice}}", "{{nonce.result}}", "latest"] },
      { batch: [{ method: "eth_chainId" }, { method: "eth_blockNumber" }] },
      { name: "fails", method: "eth_call", params: [{ to: "{{reverter}}", data: "0x794542ad" }, "latest"] },
      { method: "eth_getBalance", params: ["{{nobody}}", "latest"] },
    ]);
    notebook = await workspace.openNotebookDocument(uri);
    await window.showNotebookDocument(notebook);
    await commands.executeCommand("notebook.execute");
    await until(() =>
      notebook
        .getCells()
        .slice(1)
        .every((cell) => cell.outputs.length > 0),
    );
  });

  const cell = (index: number): NotebookCell => notebook.cellAt(index + 1); // the header comes first
  const texts = (index: number): readonly string[] =>
    cell(index).outputs.flatMap(({ items }) =>
      items.filter(({ mime }) => mime === "text/plain").map(({ data }) => new TextDecoder().decode(data)),
    );

  it("shows each result in three forms", () => {
    assert.deepEqual(
      cell(0).outputs.map(({ items }) => items.map(({ mime }) => mime).sort()),
      [[report, "application/json", "text/plain"].sort()],
    );
    assert.match(texts(0).join(), /[\d,.]+ ether/);
  });

  it("fills references with earlier results", () => {
    assert.equal(cell(2).executionSummary?.success, true);
  });

  it("shows every answer of a batch", () => {
    assert.match(texts(3).join("\n"), /31337[\s\S]*eth_blockNumber/);
  });

  it("says why a call failed, and why a cell was not sent", () => {
    assert.equal(cell(4).executionSummary?.success, false);
    assert.match(texts(4).join(), /reverted/);
    assert.equal(cell(5).executionSummary?.success, false);
    assert.match(texts(5).join(), /no variable or cell has the name `nobody`/);
  });

  it("leaves the notebook clean", () => assert.equal(notebook.isDirty, false));

  it("runs one cell with what it refers to", async () => {
    const before = cell(1).executionSummary?.executionOrder ?? 0;
    await commands.executeCommand("notebook.cell.execute", { ranges: [{ start: 3, end: 4 }], document: notebook.uri });
    await until(() => (cell(1).executionSummary?.executionOrder ?? 0) > before);
    await until(() => (cell(2).executionSummary?.executionOrder ?? 0) > before);
    assert.equal(cell(2).executionSummary?.success, true);
  });

  it("computes the calls inside a call, in a thread of the package, where no traces are served", async () => {
    const call = { to: "{{reverter}}", data: "0x794542ad" };
    const uri = await chainNotebook("traced.rpc.json", [{ method: "eth_call", params: [call, "latest"] }]);
    const settings = workspace.getConfiguration("rpcNotebook");
    await settings.update("endpoints", { chain: `${process.env.TEST_CHAIN}/public` }, ConfigurationTarget.Global);
    const traced = await workspace.openNotebookDocument(uri);
    await window.showNotebookDocument(traced);
    await commands.executeCommand("rpcNotebook.traceCell", traced.cellAt(1)); // as the menu of a cell does
    const shown = (): string =>
      traced
        .cellAt(1)
        .outputs.flatMap(({ items }) => items.map(({ data }) => new TextDecoder().decode(data)))
        .join("\n");
    await until(() => /were computed on this machine from state that/.test(shown()));
  });

  it("shows in a cell why it waits, and stops waiting when it is interrupted", async () => {
    const uri = await chainNotebook("waiting.rpc.json", [
      { method: "eth_chainId", expect: { result: "0x1" }, within: "50 s" },
    ]);
    const waiting = await workspace.openNotebookDocument(uri);
    await window.showNotebookDocument(waiting);
    void commands.executeCommand("notebook.execute");
    const shown = (): string =>
      waiting
        .cellAt(1)
        .outputs.flatMap(({ items }) => items.map(({ data }) => new TextDecoder().decode(data)))
        .join("\n");
    await until(() => /Expected result .* Asked [3-9] times, .* left\./.test(shown()));
    await commands.executeCommand("notebook.cancelExecution");
    await until(() => waiting.cellAt(1).executionSummary?.timing !== undefined);
    assert.equal(waiting.cellAt(1).executionSummary?.success, undefined);
    await until(() => waiting.cellAt(1).outputs.length === 0);
  });
});
