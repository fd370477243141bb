import { env, UIKind, workspace } from "vscode";
import { exampleUri } from "../workspaceFile.ts";

describe("in a web worker", () => {
  it("opens a notebook", async () => {
    const notebook = await workspace.openNotebookDocument(exampleUri("quickstart.rpc.json"));
    const text = notebook.getCells().map((cell) => cell.document.getText());
    if (env.uiKind !== UIKind.Web || !("importScripts" in globalThis)) throw new Error("This is not a worker.");
    if (!text[0]?.includes('"endpoint": "local"')) throw new Error(`The header is ${text[0]}.`);
  });
});
