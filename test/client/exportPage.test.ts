import assert from "node:assert/strict";
import type { Uri } from "vscode";
import type { Server } from "../../client/src/languageClient.ts";
import type { ExportPageParams } from "../../server/src/protocol/conversion.ts";
import { FakeFiles, fakeUri, l10n, useFakeVscode, vscode } from "../support/vscode.ts";

const reports = [{ title: "a", summary: "b", status: "ok", sections: [], facts: [] }];
const item = (mime: string, value: unknown): object => ({
  mime,
  data: new TextEncoder().encode(JSON.stringify(value)),
});
const cell = (kind: number, text: string, metadata: object, items: readonly object[] = []): object => ({
  kind,
  metadata,
  document: { getText: () => text },
  outputs: items.length > 0 ? [{ items }] : [],
});
const notebook = {
  uri: fakeUri("/w/a.rpc.json"),
  notebookType: "rpc-notebook",
  getCells: () => [
    cell(2, "{}", { header: true }),
    cell(1, "# a", {}),
    cell(2, "{1}", {}, [item("application/vnd.rpc-notebook.report+json", reports), item("text/plain", "b")]),
    cell(2, "{2}", {}, [item("text/plain", "waits")]),
  ],
};

describe("Export as HTML", () => {
  let files: FakeFiles;
  const shown: string[] = [];
  const opened: string[] = [];
  let asked: ExportPageParams | undefined;
  let answer: { text: string } | null;
  let target: Uri | undefined;

  before(useFakeVscode);
  beforeEach(() => {
    files = new FakeFiles();
    [shown.length, opened.length, asked] = [0, 0, undefined];
    [answer, target] = [{ text: "<page>" }, fakeUri("/w/out.html")];
    const message = async (text: string, button?: string): Promise<string | undefined> => {
      shown.push(text);
      return button;
    };
    vscode.l10n = l10n;
    vscode.Uri = { joinPath: ({ path }: Uri, ...parts: string[]) => fakeUri([path, ...parts].join("/")) };
    vscode.NotebookCellKind = { Markup: 1, Code: 2 };
    vscode.commands = { executeCommand: async (id: string) => void opened.push(id) };
    vscode.env = { openExternal: async ({ path }: Uri) => void opened.push(path) };
    vscode.window = {
      showSaveDialog: async () => target,
      showInformationMessage: message,
      showWarningMessage: message,
    };
    vscode.workspace = {
      notebookDocuments: [notebook],
      fs: { ...files.fs, readFile: async ({ path }: Uri) => new TextEncoder().encode(`script of ${path}`) },
    };
  });

  const run = async (): Promise<void> => {
    const { exportPage } = await import("../../client/src/exportPage.ts");
    const server = {
      async request(_: string, params: ExportPageParams) {
        asked = params;
        return answer;
      },
    } as unknown as Server; // nothing else is used
    await exportPage(server, fakeUri("/extension"), notebook.uri);
  };

  it("writes the cells and the results that the notebook shows, and opens the page", async () => {
    await run();
    assert.deepEqual(asked, {
      title: "a",
      script: "script of /extension/dist/page.js",
      cells: [
        { kind: "header", text: "{}", reports: [] },
        { kind: "markdown", text: "# a", reports: [] },
        { kind: "request", text: "{1}", reports },
        { kind: "request", text: "{2}", reports: [] },
      ],
    });
    assert.deepEqual([...files.texts], [["/w/out.html", "<page>"]]);
    assert.deepEqual(shown, ["Saved out.html."]);
    assert.deepEqual(opened, ["/w/out.html"]);
  });

  it("writes nothing if no file is chosen", async () => {
    target = undefined;
    await run();
    assert.equal(asked, undefined);
    assert.deepEqual([files.texts.size, shown.length], [0, 0]);
  });

  it("says so if there is no page, or if it cannot be written", async () => {
    answer = null;
    await run();
    answer = { text: "<page>" };
    files.failing = "write";
    await run();
    assert.equal(files.texts.size, 0);
    assert.match(shown[0] ?? "", /^The page could not be created/);
    assert.match(shown[1] ?? "", /^The page could not be written: the disk is full/);
  });
});
