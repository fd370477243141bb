import assert from "node:assert/strict";
import { times } from "../support/depth.ts";
import { startEditor } from "../support/editor.ts";

const uri = "file:///w/a.rpc.json";
const size = times(100_000, 10_000);
const cells = Array.from({ length: size }, (_, at) => `{"name":"n${at}","method":"eth_chainId","params":[]}`);

describe("a hundred keystrokes in a file of very many cells", function () {
  this.timeout(120_000);

  it("do not delay a hover, and problems come after a pause", async () => {
    const { connection, count, until } = await startEditor({});
    const text = `{"cells":[\n${cells.join(",\n")}\n]}`;
    const textDocument = { uri, languageId: "json", version: 1, text };
    await connection.sendNotification("textDocument/didOpen", { textDocument });
    const hover = (character: number): Promise<unknown> =>
      connection.sendRequest("textDocument/hover", { textDocument: { uri }, position: { line: size / 2, character } });
    const character = (cells[size / 2 - 1] ?? "").indexOf("eth_");
    assert.ok(await hover(character));
    const before = count("textDocument/publishDiagnostics");
    const start = performance.now();
    for (let version = 2; version <= 101; version++) {
      const at = { line: size * 0.6, character: 9 };
      const contentChanges = [{ range: { start: at, end: at }, text: "x" }];
      await connection.sendNotification("textDocument/didChange", { textDocument: { uri, version }, contentChanges });
    }
    assert.ok(await hover(character));
    const seconds = (performance.now() - start) / 1000;
    assert.ok(seconds < 30, `${seconds} s`);
    assert.ok(count("textDocument/publishDiagnostics") - before <= 1);
    const end = { line: size * 0.6, character: 2 };
    const contentChanges = [{ range: { start: { line: size * 0.6, character: 1 }, end }, text: "" }];
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
