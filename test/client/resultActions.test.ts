import assert from "node:assert/strict";
import type { Server } from "../../client/src/languageClient.ts";
import { useFakeVscode, vscode } from "../support/vscode.ts";

type Receive = (given: { readonly editor: object; readonly message: object }) => Promise<unknown>;

describe("a button in an output", () => {
  let done: string[];
  before(useFakeVscode);
  beforeEach(() => {
    done = [];
  });

  /** What a message from an output of this notebook does. */
  const doneBy = async (notebookType: string, message: object): Promise<readonly string[]> => {
    let receive: Receive = async () => undefined;
    vscode.notebooks = {
      createRendererMessaging: () => ({ onDidReceiveMessage: (listener: Receive) => (receive = listener) }),
    };
    vscode.env = { clipboard: { writeText: async () => void done.push("copies") } };
    vscode.commands = { executeCommand: async (id: string) => void done.push(id) };
    const server = { notify: () => done.push("notifies") } as unknown as Server; // nothing else is asked of it
    const { answerRenderer } = await import("../../client/src/resultActions.ts");
    answerRenderer(server);
    const cell = { index: 0, outputs: [{ metadata: { output: "a" } }] };
    const notebook = { notebookType, uri: "file:///a", getCells: () => [cell] };
    await receive({
      editor: { notebook: Object.assign(notebook, { cell: Object.assign(cell, { notebook }) }) },
      message,
    });
    return done;
  };
  const run = { result: { kind: "action", output: "a", action: { kind: "run", label: "Run Again" } } };

  it("runs the cell of a notebook of ours", async () =>
    assert.deepEqual(await doneBy("rpc-notebook", run), ["notebook.cell.execute"]));

  for (const [what, message] of [
    ["run a cell", run],
    ["use the clipboard", { copy: "text" }],
    ["control a stream", { stream: {} }],
  ] as const)
    it(`does not ${what} in a notebook that others write`, async () =>
      assert.deepEqual(await doneBy("jupyter-notebook", message), []));
});
