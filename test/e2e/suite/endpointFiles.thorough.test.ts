import assert from "node:assert/strict";
import { DiagnosticSeverity, languages, window, workspace } from "vscode";
import { chainNotebook, exampleUri, until } from "./workspaceFile.ts";

describe("a file of endpoints", () => {
  const uri = exampleUri("rpc-endpoints.json");
  const write = (text: string) => workspace.fs.writeFile(uri, new TextEncoder().encode(text));

  after(() => workspace.fs.delete(uri));

  it("shows what is wrong in it, as long as it is", async () => {
    await write('{ "far": { "url": "rpc.example", "colour": 1 } }');
    const notebook = await chainNotebook("endpointFiles.rpc.json", [{ method: "eth_chainId" }]);
    await window.showNotebookDocument(await workspace.openNotebookDocument(notebook));
    const found = () => languages.getDiagnostics(uri).filter(({ source }) => source === "rpc-notebook");
    const shown = await until(() => found().length > 1 && found());
    const summary = shown.map(({ code, severity, range }) => [code, severity, range.start.character]);
    assert.deepEqual(summary.sort(), [
      ["bad-endpoint-address", DiagnosticSeverity.Error, 18],
      ["unknown-endpoint-key", DiagnosticSeverity.Warning, 43],
    ]);
    await write('{ "far": { "url": "https://rpc.example" } }');
    await until(() => found().length === 0);
  });
});
