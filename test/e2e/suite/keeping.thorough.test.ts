import assert from "node:assert/strict";
import {
  commands,
  languages,
  type NotebookCell,
  type NotebookDocument,
  NotebookRange,
  Range,
  TabInputNotebook,
  type Uri,
  window,
  workspace,
} from "vscode";
import { chainNotebook, edit, until } from "./workspaceFile.ts";

const report = "application/vnd.rpc-notebook.report+json";

/** What the report of a cell's output says; `undefined` without an output. */
function shown(cell: NotebookCell): { readonly summary: string; readonly stale?: true } | undefined {
  const item = cell.outputs[0]?.items.find(({ mime }) => mime === report);
  return item && JSON.parse(new TextDecoder().decode(item.data))[0];
}

async function open(name: string, cells: readonly object[]): Promise<NotebookDocument> {
  return show(await chainNotebook(name, cells));
}

/** Opens as a person does. What is opened by the API is not closed with its tab. */
async function show(uri: Uri): Promise<NotebookDocument> {
  await commands.executeCommand("vscode.open", uri);
  return until(() => {
    const notebook = window.activeNotebookEditor?.notebook;
    return notebook?.uri.toString() === uri.toString() && notebook;
  });
}

async function run(notebook: NotebookDocument): Promise<void> {
  await commands.executeCommand("notebook.execute");
  await until(() => requests(notebook).every((cell) => shown(cell) !== undefined));
  await until(() => requests(notebook).every((cell) => cell.executionSummary?.success !== undefined));
}

const requests = (notebook: NotebookDocument): readonly NotebookCell[] => notebook.getCells().slice(1);

async function close(notebook: NotebookDocument): Promise<void> {
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  const uri = notebook.uri.toString();
  await window.tabGroups.close(
    tabs.filter(({ input }) => input instanceof TabInputNotebook && input.uri.toString() === uri),
  );
  await until(() => notebook.isClosed);
}

describe("results stay", () => {
  const cells = [
    { name: "chain", method: "eth_chainId", params: [] },
    { method: "eth_getBalance", params: ["{{alice}}", "latest"] },
    { method: "eth_gasPrice", params: [] },
  ];

  it("when another program edits the file", async () => {
    const notebook = await open("keptAfterEdit.rpc.json", cells);
    await run(notebook);
    const before = requests(notebook).map((cell) => shown(cell)?.summary);
    const text = new TextDecoder().decode(await workspace.fs.readFile(notebook.uri));
    const changed = text
      .replace('"latest"', '"pending"')
      .replace('"cells": [', '"cells": [ { "method": "eth_syncing" },');
    await workspace.fs.writeFile(notebook.uri, new TextEncoder().encode(changed));
    await until(() => notebook.cellCount === 5);
    const [added, ...others] = requests(notebook);
    await until(() => others.every((cell) => shown(cell) !== undefined));
    assert.deepEqual(
      others.map((cell) => shown(cell)?.summary),
      before,
    );
    assert.equal(added && shown(added), undefined);
    assert.deepEqual(
      others.map((cell) => shown(cell)?.stale),
      [undefined, true, undefined],
    );
    assert.equal(notebook.isDirty, false);
  });

  it("when the JSON beside the notebook is edited", async () => {
    const notebook = await open("keptBesideJson.rpc.json", cells);
    await run(notebook);
    const document = await workspace.openTextDocument(notebook.uri);
    const at = document.positionAt(document.getText().indexOf("chain", document.getText().indexOf("name")));
    await edit(notebook.uri, new Range(at, at.translate(0, "chain".length)), "network");
    await document.save();
    await until(() => requests(notebook)[0]?.document.getText().includes("network"));
    await until(() => requests(notebook).every((cell) => shown(cell) !== undefined));
  });

  it("for the next opening, until they are cleared", async () => {
    const notebook = await open("keptForLater.rpc.json", cells);
    await run(notebook);
    const before = requests(notebook).map((cell) => shown(cell)?.summary);
    await close(notebook);
    const closedAt = Date.now();
    const again = await show(notebook.uri);
    await until(() => requests(again).every((cell) => shown(cell) !== undefined));
    await until(() => requests(again).every((cell) => cell.executionSummary?.success === true));
    assert.deepEqual(
      requests(again).map((cell) => shown(cell)?.summary),
      before,
    );
    const endedAt = requests(again).map((cell) => cell.executionSummary?.timing?.endTime ?? 0);
    assert.ok(Math.max(...endedAt) < closedAt, "the time is that of the run");
    assert.equal(again.isDirty, false);
    await commands.executeCommand("notebook.clearAllCellsOutputs");
    await until(() => requests(again).every((cell) => shown(cell) === undefined));
    await close(again);
    const cleared = await show(notebook.uri);
    await run(cleared); // nothing is restored over these
    assert.equal(cleared.getCells().flatMap(({ outputs }) => outputs).length, 3);
  });
});

describe("problems of a notebook", () => {
  const many = Array.from({ length: 40 }, (_, at) => ({
    method: at % 20 === 19 ? `eth_getBalanc${at}` : "eth_getBlockByNumber",
    params: ["latest", false],
  }));

  it("are those of all cells, wherever the window is scrolled", async () => {
    const notebook = await open("manyProblems.rpc.json", many);
    const wrong = [20, 40].map((index) => notebook.cellAt(index).document.uri);
    const problems = (): readonly number[] => wrong.map((uri) => languages.getDiagnostics(uri).length);
    await until(() => problems().every((count) => count === 1));
    for (const index of [40, 1, 30]) {
      window.activeNotebookEditor?.revealRange(new NotebookRange(index, index + 1));
      await until(() =>
        window.activeNotebookEditor?.visibleRanges.some(({ start, end }) => start <= index && index < end),
      );
      const visible = notebook.cellAt(index).document.uri.toString();
      await until(() => window.visibleTextEditors.some(({ document }) => document.uri.toString() === visible));
      assert.deepEqual(problems(), [1, 1]);
    }
  });
});
