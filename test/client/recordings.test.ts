import assert from "node:assert/strict";
import { notebookType } from "../../client/src/names.ts";
import type { RunParts } from "../../client/src/runDocument.ts";
import { l10n, useFakeVscode, vscode } from "../support/vscode.ts";

useFakeVscode();
const { headerWithRecording } = await import("../../client/src/recordings.ts");

describe("a bug report", () => {
  before(useFakeVscode);

  /** What the server is asked for. @param report - Of the answers that were seen. @param pressed - Buttons, in order. */
  const asked = async (report: object | null, ...pressed: readonly string[]): Promise<readonly string[]> => {
    const requests: string[] = [];
    vscode.l10n = l10n;
    vscode.ProgressLocation = {};
    vscode.workspace = { notebookDocuments: [], openTextDocument: async () => ({ getText: () => "[]" }) };
    vscode.window = {
      showWarningMessage: async (_: string, __: object, ...buttons: readonly string[]) => {
        const next = pressed[requests.filter((one) => one === "rpcNotebook/bugReport").length - 1];
        return buttons.find((button) => button === next);
      },
      withProgress: (_: object, work: (token: object) => unknown) => work({}),
    };
    const parts = {
      server: {
        request: async (method: string) => {
          requests.push(method);
          return method === "rpcNotebook/bugReport" ? report : {};
        },
      },
      picker: { withEndpoint: (_: object, work: () => unknown) => work() },
    } as unknown as RunParts;
    const { createBugReport } = await import("../../client/src/recordings.ts");
    await createBugReport({ path: "/a.rpc.json", toString: () => "file:///a.rpc.json" } as never, parts);
    return requests;
  };
  const seen = { text: "{}", contents: [] };
  const [report, run] = ["rpcNotebook/bugReport", "rpcNotebook/run"];

  it("runs nothing again unless a person wants that", async () => {
    assert.deepEqual(await asked(seen), [report]);
    assert.deepEqual(await asked(null), [report]);
    assert.deepEqual(await asked(seen, "Run Again First"), [report, run, report]);
    assert.deepEqual(await asked(null, "Run All Cells"), [report, run, report]);
  });
});

describe("a recording of a notebook", () => {
  before(useFakeVscode);

  /** What the header becomes, and what runs. @param pressed - Whether a person presses the button that is offered. */
  const recorded = async (pressed: boolean): Promise<readonly string[]> => {
    const done: string[] = [];
    vscode.l10n = l10n;
    vscode.NotebookCellKind = { Code: 2 };
    const uri = { toString: () => "file:///a.rpc.json" };
    const header = { metadata: { header: true }, document: { uri, getText: () => "{}", positionAt: Number } };
    const notebook = { notebookType, uri, getCells: () => [header] };
    vscode.workspace = { notebookDocuments: [notebook], applyEdit: async () => true };
    vscode.WorkspaceEdit = class {
      replace(...[, , text]: readonly unknown[]): void {
        done.push(String(text));
      }
    };
    vscode.commands = { executeCommand: async (name: string) => void done.push(name) };
    vscode.window = {
      showInformationMessage: async (_: string, ...buttons: readonly string[]) => {
        done.push(...buttons);
        return pressed ? buttons[0] : undefined;
      },
    };
    const parts = {
      server: { request: async () => ({ note: "Saved.", recording: "a.recording.json" }) },
      kernel: { run: async () => ({}) },
    } as unknown as RunParts;
    const { recordRun } = await import("../../client/src/recordings.ts");
    await recordRun(uri as never, parts);
    return done;
  };

  it("is replayed by a button, which writes it into the header and runs the notebook", async () => {
    assert.deepEqual(await recorded(false), ["Replay"]);
    assert.deepEqual(await recorded(true), ["Replay", ' "recording": "a.recording.json" ', "notebook.execute"]);
  });
});

describe("the header of a notebook that replays a recording", () => {
  for (const [before, after] of [
    ['{ "endpoint": "main" }', '{ "recording": "a.json", "endpoint": "main" }'],
    ['{\n  "endpoint": "main"\n}', '{\n  "recording": "a.json",\n  "endpoint": "main"\n}'],
    ['{ "recording": "old", "endpoint": "main" }', '{ "recording": "a.json", "endpoint": "main" }'],
    ["{}", '{ "recording": "a.json" }'],
    ["[]", undefined],
    ['{ "endpoint": ', undefined],
  ] as const)
    it(before, () => {
      const edit = headerWithRecording(before, "a.json");
      assert.equal(edit && before.slice(0, edit.start) + edit.text + before.slice(edit.end), after);
    });
});
