import assert from "node:assert/strict";
import type { Server } from "../../client/src/languageClient.ts";
import type { ResultAction } from "../../server/src/protocol/runs.ts";
import { l10n, useFakeVscode, vscode } from "../support/vscode.ts";

describe("the rows of a table in a file", () => {
  before(useFakeVscode);

  /** What is asked and what is sent to the server. @param picked - Of the offered rows. */
  const saved = async (text: string, filtered: boolean, picked = 0) => {
    const asked: string[] = [];
    const sent: object[] = [];
    vscode.l10n = l10n;
    vscode.Uri = { joinPath: (_: object, ...parts: string[]) => parts.at(-1) };
    vscode.window = {
      showQuickPick: async (items: readonly { label: string; description: string }[]) => {
        asked.push(...items.map(({ label, description }) => `${label}: ${description}`));
        return items[picked];
      },
      showSaveDialog: async ({ defaultUri }: { defaultUri: string }) => defaultUri,
      showInformationMessage: async () => undefined,
      withProgress: async (_: object, work: (progress: object) => unknown) => work({ report() {} }),
    };
    const server = {
      request: async (_: string, params: object) => sent.push(params) && { note: "" },
    } as unknown as Server;
    const action: ResultAction & { kind: "save-rows" } = {
      kind: "save-rows",
      output: "a",
      all: { rest: "1", total: 4722 },
      ...(filtered && { filtered: { rest: "1.0", filter: "bob", total: 12 } }),
    };
    const { saveRows } = await import("../../client/src/saveRows.ts");
    const cell = { document: { uri: "cell:1", getText: () => text } };
    await saveRows(server, { uri: { scheme: "file" } } as never, cell as never, action);
    return { asked, sent };
  };

  for (const [text, file] of [
    ['{ "name": "big moves", "method": "eth_getLogs" }', "big-moves.csv"],
    ['{ "method": "eth_getLogs" }', "eth_getLogs.csv"],
    ['{ "name": "../..", "method": "eth_getLogs" }', "rows.csv"],
    ["", "rows.csv"],
  ] as const)
    it(`has the name of its cell: ${file}`, async () =>
      assert.deepEqual(await saved(text, false), { asked: [], sent: [{ uri: file, rest: "1", cell: "cell:1" }] }));

  it("are the filtered ones or all of them, as a person chooses", async () => {
    const text = '{ "name": "a", "method": "eth_getLogs" }';
    const asked = ["Filtered rows: 12", "All rows: 4,722"];
    assert.deepEqual(await saved(text, true, 0), { asked, sent: [{ uri: "a.csv", rest: "1.0", filter: "bob" }] });
    assert.deepEqual(await saved(text, true, 1), { asked, sent: [{ uri: "a.csv", rest: "1", cell: "cell:1" }] });
    assert.deepEqual(await saved(text, true, 2), { asked, sent: [] });
  });
});
