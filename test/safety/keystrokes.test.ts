import assert from "node:assert/strict";
import type { Clock } from "../../server/src/base/ports.ts";
import { clock as realClock } from "../../server/src/node/environment.ts";
import { times } from "../support/depth.ts";
import { startEditor } from "../support/editor.ts";
import { expectLinear } from "../support/growth.ts";

const uri = "file:///w/a.rpc.json";
const most = times(40_000, 3200);

describe("a hundred keystrokes in a file of very many cells", function () {
  this.timeout(300_000);

  it("do not delay a hover, and problems come after a pause", () =>
    expectLinear(most, async (size) => {
      const cells = Array.from({ length: size }, (_, at) => `{"name":"n${at}","method":"eth_chainId","params":[]}`);
      let isTyping = true;
      const waiting: (() => void)[] = [];
      const sleep: Clock["sleep"] = (ms, signal) =>
        isTyping
          ? new Promise((wake) => {
              waiting.push(wake);
              signal.addEventListener("abort", () => wake());
            })
          : realClock.sleep(ms, signal);
      const { connection, count, until } = await startEditor({ clock: { ...realClock, sleep } });
      const text = `{"cells":[\n${cells.join(",\n")}\n]}`;
      const textDocument = { uri, languageId: "json", version: 1, text };
      await connection.sendNotification("textDocument/didOpen", { textDocument });
      const hover = (character: number): Promise<unknown> =>
        connection.sendRequest("textDocument/hover", {
          textDocument: { uri },
          position: { line: size / 2, character },
        });
      const character = (cells[size / 2 - 1] ?? "").indexOf("eth_");
      assert.ok(await hover(character));
      for (let version = 2; version <= 101; version++) {
        const at = { line: size * 0.6, character: 9 };
        const contentChanges = [{ range: { start: at, end: at }, text: "x" }];
        await connection.sendNotification("textDocument/didChange", { textDocument: { uri, version }, contentChanges });
      }
      assert.ok(await hover(character));
      assert.equal(count("textDocument/publishDiagnostics"), 0);
      isTyping = false;
      for (const wake of waiting) wake();
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
    }));
});
