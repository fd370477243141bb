import assert from "node:assert/strict";
import { startEditor } from "../support/editor.ts";

const uri = "file:///w/a.rpc.json";
const cells = Array.from({ length: 100_000 }, (_, at) => `{"name":"n${at}","method":"eth_chainId","params":[]}`);

describe("a hundred keystrokes in a file of 100,000 cells", function () {
  this.timeout(120_000);

  it("do not delay a hover, and problems come after a pause", async () => {
    const { connection, count, until } = await startEditor({});
    const text = `{"cells":[\n${cells.join(",\n")}\n]}`;
    const textDocument = { uri, languageId: "json", version: 1, text };
    await connection.sendNotification("textDocument/didOpen", { textDocument });
    const hover = (character: number): Promise<unknown> =>
      connection.sendRequest("textDocument/hover", { textDocument: { uri }, position: { line: 50_000, character } });
    const character = (cells[49_999] ?? "").indexOf("eth_");
    assert.ok(await hover(character));
    const before = count("textDocument/publishDiagnostics");
    const start = performance.now();
    for (let version = 2; version <= 101; version++) {
      const at = { line: 60_000, character: 9 };
      const contentChanges = [{ range: { start: at, end: at }, text: "x" }];
      await connection.sendNotification("textDocument/didChange", { textDocument: { uri, version }, contentChanges });
    }
    assert.ok(await hover(character));
    const seconds = (performance.now() - start) / 1000;
    assert.ok(seconds < 30, `${seconds} s`);
    assert.ok(count("textDocument/publishDiagnostics") - before <= 1);
    const end = { line: 60_000, character: 2 };
    const contentChanges = [{ range: { start: { line: 60_000, character: 1 }, end }, text: "" }];
    await connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: 102 },
      contentChanges,
    });
    await until<{ readonly diagnostics: readonly unknown[] }>(
      "textDocument/publishDiagnostics",
      ({ diagnostics }) => diagnostics.length > 0,
    );
    connection.dispose();
  });
});
