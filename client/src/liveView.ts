import {
  commands,
  Disposable,
  EventEmitter,
  l10n,
  type Memento,
  StatusBarAlignment,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  window,
} from "vscode";
import type { Ticked, WatchParams, WatchResult } from "../../server/src/protocol/background.ts";
import { activeDocument } from "./active.ts";
import type { Server } from "./languageClient.ts";
import { warn } from "./messages.ts";
import { notebookType } from "./names.ts";
import { labelText } from "./plainText.ts";
import { staleAge, titleInText } from "./staleValue.ts";

/** Something that a person watches, as the view keeps it. */
interface Watched extends WatchParams {
  readonly title: string;
}

type Shown = Ticked["changed"][number] & { readonly at: number; readonly endpoint?: string };

const stored = "rpcNotebook.watched";

/** The tree of what is watched: value, difference, course and age, and the ticker in the status bar. */
export function registerLiveView(server: Server, memory: Memento): Disposable {
  const changed = new EventEmitter<Watched | undefined>();
  const shown = new Map<string, Shown>();
  let list: readonly Watched[] = memory.get<readonly Watched[]>(stored, []);

  const tree: TreeDataProvider<Watched> = {
    onDidChangeTreeData: changed.event,
    getChildren: (of) => (of === undefined ? [...list] : []),
    getTreeItem: (watched) => itemOf(watched, shown.get(watched.id), ageOf(shown.get(watched.id))),
  };
  const view = window.createTreeView("rpcNotebook.live", { treeDataProvider: tree });
  const ticker = window.createStatusBarItem("rpcNotebook.ticker", StatusBarAlignment.Right, 99);
  ticker.name = l10n.t("RPC Notebook: blocks");
  ticker.command = "rpcNotebook.live.focus";

  const keep = (next: readonly Watched[]): void => {
    list = next;
    void memory.update(stored, list);
    changed.fire(undefined);
    if (list.length === 0) ticker.hide();
  };
  const begin = async ({ title: _, ...params }: Watched): Promise<WatchResult> => {
    const result = await server.request("rpcNotebook/watch", params);
    if ("refused" in result) {
      shown.set(params.id, { id: params.id, value: result.refused, ok: false, spark: "", at: Date.now() });
      changed.fire(undefined);
    }
    return result;
  };
  const add = async (watched: Watched): Promise<void> => {
    const result = await begin(watched);
    if ("refused" in result) {
      void warn(result.refused);
      return;
    }
    const title = result.name ?? watched.title;
    keep([...list.filter(({ id }) => id !== watched.id), { ...watched, title }]);
    await commands.executeCommand("rpcNotebook.live.focus");
  };
  const beginAll = async (): Promise<void> => {
    for (const watched of list) await begin(watched).catch(() => undefined); // the client has logged why
    server.notify("rpcNotebook/showWatches", { visible: view.visible });
  };
  /** When each endpoint told its head last: until then the values of its watches are known to hold. */
  const heardAt = new Map<string, number>();
  const stale = new Set<string>();
  const ageOf = (now: Shown | undefined): number | undefined =>
    staleAge(now?.endpoint === undefined ? undefined : heardAt.get(now.endpoint), Date.now());
  /** Shows those as old that have become so, with an age that grows, and those anew that are no longer. */
  const age = (): void => {
    for (const watched of list) {
      const isStale = ageOf(shown.get(watched.id)) !== undefined;
      if (isStale || stale.has(watched.id)) changed.fire(watched);
      if (isStale) stale.add(watched.id);
      else stale.delete(watched.id);
    }
  };
  const ageing = setInterval(() => view.visible && age(), 1000);
  const tick = ({ at, endpoint, head, sinceLast, cadence, silent, changed: news }: Ticked): void => {
    for (const one of news) shown.set(one.id, { ...one, at, endpoint });
    for (const one of news) changed.fire(list.find(({ id }) => id === one.id));
    if (head === undefined) return;
    heardAt.set(endpoint, Date.now());
    view.description = labelText(cadence);
    view.message =
      silent === undefined
        ? ""
        : l10n.t("{0} stays silent while blocks come, so {1} is asked by a timer.", silent, labelText(endpoint));
    ticker.text = `$(pulse) ${Number(head).toLocaleString("en")}`;
    ticker.tooltip =
      sinceLast === undefined ? l10n.t("Latest block") : l10n.t("Latest block; asked every {0} ms", String(sinceLast));
    ticker.show();
  };
  return Disposable.from(
    view,
    { dispose: () => clearInterval(ageing) },
    ticker,
    changed,
    server.on("rpcNotebook/ticked", tick),
    server.onStarted(() => void beginAll()),
    view.onDidChangeVisibility(({ visible }) => {
      if (!visible) ticker.hide();
      server.notify("rpcNotebook/showWatches", { visible });
      if (visible && list.length > 0 && shown.size === 0) void server.start().catch(() => undefined); // told already
    }),
    commands.registerCommand("rpcNotebook.watchAddress", async (given: unknown) => {
      const address = typeof given === "string" ? given : await askedAddress();
      if (address === undefined) return;
      const uri = (activeDocument() ?? window.activeTextEditor?.document.uri)?.toString() ?? "";
      await add({ id: `address ${address.toLowerCase()} ${uri}`, uri, address, title: shortened(address) });
    }),
    commands.registerCommand("rpcNotebook.watchCell", async (...given: readonly unknown[]) => {
      const cell = cellMeant(given);
      if (cell) await add(cell);
    }),
    commands.registerCommand("rpcNotebook.unwatch", (watched: Watched) => {
      server.notify("rpcNotebook/unwatch", { id: watched.id });
      shown.delete(watched.id);
      keep(list.filter(({ id }) => id !== watched.id));
    }),
  );
}

/** @param age - Milliseconds for which nothing has come; absent while the value is known to hold. */
function itemOf({ id, title }: Watched, now: Shown | undefined, age: number | undefined): TreeItem {
  const item = new TreeItem(labelText(title));
  item.id = id;
  item.contextValue = "watched";
  item.iconPath = new ThemeIcon(age !== undefined ? "history" : now?.ok === false ? "warning" : "eye");
  const old = age === undefined ? undefined : l10n.t("{0} s old", String(Math.round(age / 1000)));
  item.description = labelText(now ? [old, now.value, now.spark, now.detail].filter((part) => part).join("  ") : "…");
  item.tooltip = now && l10n.t("{0}, since {1}", String(item.description), new Date(now.at).toLocaleTimeString());
  return item;
}

async function askedAddress(): Promise<string | undefined> {
  return window.showInputBox({
    title: l10n.t("Watch Address"),
    placeHolder: "0x…",
    validateInput: (text) =>
      /^0x[0-9a-fA-F]{40}$/.test(text) ? undefined : l10n.t("An address: 0x and 40 hex digits."),
  });
}

function shortened(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/** A cell from its menu in the notebook, or the selected one. */
function cellMeant([first]: readonly unknown[]): Watched | undefined {
  const editor = window.activeNotebookEditor;
  if (editor?.notebook.notebookType !== notebookType) return undefined;
  const given = typeof first === "object" && first !== null && "document" in first ? first : undefined;
  const cells = editor.notebook.getCells();
  const cell = cells.find((one) => one === given) ?? cells[editor.selections[0]?.start ?? 0];
  if (!cell) return undefined;
  const uri = cell.document.uri.toString();
  return { id: `cell ${uri}`, uri, title: titleInText(cell.document.getText()) ?? l10n.t("request") };
}
