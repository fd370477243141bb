import assert from "node:assert/strict";
import { mock } from "node:test";
import type { Memento, TreeDataProvider, TreeItem } from "vscode";
import type { Server } from "../../client/src/languageClient.ts";
import { l10n, useFakeVscode, vscode } from "../support/vscode.ts";

interface Watched {
  readonly id: string;
}

describe("the list of watches", () => {
  const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
  let commands: Record<string, (argument: unknown) => Promise<void>>;
  let list: TreeDataProvider<Watched>;
  let told: Record<string, (event: object) => void>;
  before(useFakeVscode);
  beforeEach(() => {
    [commands, told] = [{}, {}];
    const nothing = { dispose: () => undefined };
    vscode.l10n = l10n;
    vscode.EventEmitter = class {
      readonly event = () => nothing;
      fire(): void {}
    };
    vscode.TreeItem = class {};
    vscode.ThemeIcon = class {};
    vscode.StatusBarAlignment = {};
    vscode.Disposable = { from: () => nothing };
    vscode.commands = {
      registerCommand: (name: string, run: (argument: unknown) => Promise<void>) =>
        Object.assign(commands, { [name]: run }),
      executeCommand: async () => undefined,
    };
    vscode.workspace = { notebookDocuments: [] };
    vscode.window = {
      createTreeView: (_: string, { treeDataProvider }: { readonly treeDataProvider: typeof list }) => {
        list = treeDataProvider;
        return { ...nothing, visible: true, onDidChangeVisibility: () => nothing };
      },
      createStatusBarItem: () => ({ ...nothing, show: () => undefined, hide: () => undefined }),
    };
    mock.timers.enable({ apis: ["setInterval"] });
  });
  afterEach(() => mock.timers.reset());

  const open = async () => {
    const server = {
      request: async () => ({ endpoint: "local" }),
      notify: () => undefined,
      on: (method: string, listener: (event: object) => void) => Object.assign(told, { [method]: listener }),
      onStarted: () => undefined,
    } as unknown as Server; // no more of it is used
    const memory = { get: (_: string, otherwise: unknown) => otherwise, update: async () => undefined };
    const { registerLiveView } = await import("../../client/src/liveView.ts");
    return registerLiveView(server, memory as unknown as Memento);
  };
  const shown = async (): Promise<readonly unknown[]> => {
    const items: TreeItem[] = [];
    for (const one of (await list.getChildren()) ?? []) items.push(await list.getTreeItem(one));
    return items.map(({ description }) => description);
  };

  it("shows a value as it comes, and none of an earlier watch of the same address", async () => {
    await open();
    await commands["rpcNotebook.watchAddress"]?.(address);
    assert.deepEqual(await shown(), ["…"]);
    const [watched = assert.fail("nothing is watched")] = (await list.getChildren()) ?? [];
    const changed = [{ id: watched.id, value: "1 ether", ok: true, spark: "" }];
    told["rpcNotebook/watchesChanged"]?.({ at: 0, endpoint: "local", cadence: "", changed });
    assert.deepEqual(await shown(), ["1 ether"]);
    await commands["rpcNotebook.unwatch"]?.(watched);
    assert.deepEqual(await shown(), []);
    await commands["rpcNotebook.watchAddress"]?.(address);
    assert.deepEqual(await shown(), ["…"]);
  });
});
