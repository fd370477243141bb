import {
  type CompletionList,
  commands,
  env,
  type Hover,
  type NotebookCell,
  NotebookCellData,
  NotebookCellKind,
  type NotebookDocument,
  NotebookEdit,
  Position,
  TabInputNotebook,
  UIKind,
  type Uri,
  WorkspaceEdit,
  window,
  workspace,
} from "vscode";
import { exampleUri, until } from "../workspaceFile.ts";

describe("in a web worker", () => {
  it("opens a notebook", async () => {
    const notebook = await workspace.openNotebookDocument(exampleUri("quickstart.rpc.json"));
    const text = notebook.getCells().map((cell) => cell.document.getText());
    if (env.uiKind !== UIKind.Web || !("importScripts" in globalThis)) throw new Error("This is not a worker.");
    if (!text[0]?.includes('"endpoint": "local"')) throw new Error(`The header is ${text[0]}.`);
  });

  it("runs the recorded quickstart without a node", async () => {
    await commands.executeCommand("rpcNotebook.openQuickstart");
    const notebook = await until(() => window.activeNotebookEditor?.notebook);
    await until(() => outputOf(cellWith(notebook, "eth_getBalance")).includes("ether"));
  });

  it("completes and hovers", async () => {
    const notebook = await until(() => window.activeNotebookEditor?.notebook);
    const { uri } = cellWith(notebook, "eth_getBalance").document;
    const at = new Position(2, 15);
    const hovers = await commands.executeCommand<readonly Hover[]>("vscode.executeHoverProvider", uri, at);
    const said = hovers.flatMap(({ contents }) => contents.map((one) => (typeof one === "string" ? one : one.value)));
    if (!said.join().includes("balance")) throw new Error(`The hover says ${said.join()}.`);
    const list = await commands.executeCommand<CompletionList>("vscode.executeCompletionItemProvider", uri, at);
    if (list.items.length === 0) throw new Error("Nothing is completed.");
  });

  it("saves, and keeps results for the next opening", async () => {
    const { uri } = await show(exampleUri("quickstart.recorded.rpc.json"));
    const notebook = await show(uri);
    const edit = new WorkspaceEdit();
    const cell = new NotebookCellData(NotebookCellKind.Markup, "Added in a browser.", "markdown");
    edit.set(uri, [NotebookEdit.insertCells(1, [cell])]);
    await workspace.applyEdit(edit);
    await notebook.save();
    const saved = new TextDecoder().decode(await workspace.fs.readFile(uri));
    if (!saved.includes("Added in a browser.")) throw new Error("The file is not saved.");
    await commands.executeCommand("notebook.execute");
    await until(() => outputOf(cellWith(notebook, "eth_getBalance")).includes("ether"));
    await until(() => cellWith(notebook, "eth_getBalance").executionSummary?.success);
    await close(notebook);
    const again = await show(uri);
    await until(() => outputOf(cellWith(again, "eth_getBalance")).includes("ether"));
  });
});

async function show(uri: Uri): Promise<NotebookDocument> {
  await commands.executeCommand("vscode.open", uri);
  return until(() => {
    const notebook = window.activeNotebookEditor?.notebook;
    return notebook?.uri.toString() === uri.toString() && notebook;
  });
}

async function close(notebook: NotebookDocument): Promise<void> {
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  const isOf = (input: unknown): boolean =>
    input instanceof TabInputNotebook && input.uri.toString() === notebook.uri.toString();
  await window.tabGroups.close(tabs.filter(({ input }) => isOf(input)));
  await until(() => notebook.isClosed);
}

function cellWith(notebook: NotebookDocument, text: string): NotebookCell {
  const cell = notebook.getCells().find((one) => one.document.getText().includes(text));
  if (!cell) throw new Error(`No cell contains ${text}.`);
  return cell;
}

/** The text of a cell's output; empty while it has none. */
function outputOf({ outputs }: NotebookCell): string {
  return outputs.flatMap(({ items }) => items.map(({ data }) => new TextDecoder().decode(data))).join("\n");
}
