import {
  commands,
  Disposable,
  EventEmitter,
  l10n,
  type Memento,
  type NotebookCell,
  StatusBarAlignment,
  type StatusBarItem,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  type TreeView,
  window,
} from "vscode";
import { isAddress } from "../../server/src/base/hex.ts";
import { shortHex } from "../../server/src/base/text.ts";
import type { WatchesChanged, WatchParams, WatchResult } from "../../server/src/protocol/background.ts";
import { activeDocument } from "./active.ts";
import { cellMeant } from "./copyPaste.ts";
import type { Server } from "./languageClient.ts";
import { warn } from "./messages.ts";
import { cellAt } from "./notebook.ts";
import { labelText } from "./plainText.ts";
import { staleAge, titleInText, watchLine, watchName } from "./watchText.ts";

/** An address or a cell that a person watches, as the view stores it. */
interface Watched extends WatchParams {
  readonly title: string;
}

type WatchedValue = WatchesChanged["changed"][number] & { readonly at: number; readonly endpoint?: string };

const stateKey = "rpcNotebook.watched";

/** Shows what is watched in a tree, with value, difference, sparkline and age, and the latest block in the status bar. */
export function registerLiveView(server: Server, memory: Memento): Disposable {
  const view = new LiveView(server, memory);
  return Disposable.from(
    view,
    commands.registerCommand("rpcNotebook.watchAddress", async (argument: unknown) => {
      const address = typeof argument === "string" ? argument : await askAddress();
      if (address === undefined) return;
      const uri = (activeDocument() ?? window.activeTextEditor?.document.uri)?.toString() ?? "";
      await view.add({ id: `address ${address.toLowerCase()} ${uri}`, uri, address, title: shortHex(address) });
    }),
    commands.registerCommand("rpcNotebook.watchCell", async (...given: readonly unknown[]) => {
      const cell = cellAt(cellMeant(given)?.uri ?? "");
      if (cell) await view.add(watchedCell(cell));
    }),
    commands.registerCommand("rpcNotebook.unwatch", (watched: Watched) => view.remove(watched)),
  );
}

class LiveView implements TreeDataProvider<Watched> {
  readonly #server: Server;
  readonly #memory: Memento;
  readonly #changed = new EventEmitter<Watched | undefined>();
  readonly #view: TreeView<Watched>;
  readonly #ticker: StatusBarItem;
  readonly #listeners: Disposable;
  #list: readonly Watched[];
  readonly #values = new Map<string, WatchedValue>();
  /** Time at which each endpoint last reported its head: the values of its watches hold until then. */
  readonly #heardAt = new Map<string, number>();
  readonly #stale = new Set<string>();
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(server: Server, memory: Memento) {
    this.#server = server;
    this.#memory = memory;
    this.#list = memory.get<readonly Watched[]>(stateKey, []);
    this.#view = window.createTreeView("rpcNotebook.live", { treeDataProvider: this });
    this.#ticker = window.createStatusBarItem("rpcNotebook.ticker", StatusBarAlignment.Right, 99);
    this.#ticker.name = l10n.t("RPC Notebook: blocks");
    this.#ticker.command = "rpcNotebook.live.focus";
    const ageing = setInterval(() => this.#view.visible && this.#showAges(), 1000);
    this.#listeners = Disposable.from(
      { dispose: () => clearInterval(ageing) },
      server.on("rpcNotebook/watchesChanged", (event) => this.#tick(event)),
      server.onStarted(() => void this.#watchAll()),
      this.#view.onDidChangeVisibility(({ visible }) => this.#show(visible)),
    );
  }

  getChildren(of?: Watched): Watched[] {
    return of === undefined ? [...this.#list] : [];
  }

  getTreeItem(watched: Watched): TreeItem {
    return itemOf(watched, this.#values.get(watched.id), this.#ageOf(watched));
  }

  async add(watched: Watched): Promise<void> {
    const result = await this.#watch(watched);
    if ("refused" in result) {
      const choose = l10n.t("Choose Endpoint");
      const choice = await warn(result.refused, ...(result.needsEndpoint ? [choose] : []));
      if (choice !== choose) return;
      const isChosen = await commands.executeCommand<boolean>("rpcNotebook.pickEndpoint");
      return isChosen ? this.add(watched) : undefined;
    }
    const title = result.name ?? watched.title;
    this.#store([...this.#list.filter(({ id }) => id !== watched.id), { ...watched, title }]);
    await commands.executeCommand("rpcNotebook.live.focus");
  }

  remove({ id }: Watched): void {
    this.#server.notify("rpcNotebook/unwatch", { id });
    this.#values.delete(id);
    this.#store(this.#list.filter((each) => each.id !== id));
  }

  dispose(): void {
    for (const each of [this.#view, this.#ticker, this.#changed, this.#listeners]) each.dispose();
  }

  #store(list: readonly Watched[]): void {
    this.#list = list;
    void this.#memory.update(stateKey, list);
    this.#changed.fire(undefined);
    if (list.length === 0) this.#ticker.hide();
  }

  async #watch({ title: _, ...params }: Watched): Promise<WatchResult> {
    const result = await this.#server.request("rpcNotebook/watch", params);
    if ("refused" in result) {
      this.#values.set(params.id, { id: params.id, value: result.refused, ok: false, spark: "", at: Date.now() });
      this.#changed.fire(undefined);
    }
    return result;
  }

  /** Tells a server that has just started what is watched. */
  async #watchAll(): Promise<void> {
    for (const watched of this.#list) {
      const result = await this.#watch(watched).catch(() => undefined); // the client has logged why
      if (result && "name" in result && result.name !== undefined) this.#rename(watched, result.name);
    }
    this.#server.notify("rpcNotebook/showWatches", { visible: this.#view.visible });
  }

  /** Shows the label that an address has now. */
  #rename({ id }: Watched, title: string): void {
    this.#store(this.#list.map((each) => (each.id === id ? { ...each, title } : each)));
  }

  #show(visible: boolean): void {
    if (!visible) this.#ticker.hide();
    this.#server.notify("rpcNotebook/showWatches", { visible });
    const needsServer = visible && this.#list.length > 0 && this.#values.size === 0;
    if (needsServer) void this.#server.start().catch(() => undefined); // a message has said why
  }

  #ageOf({ id }: Watched): number | undefined {
    const endpoint = this.#values.get(id)?.endpoint;
    return staleAge(endpoint === undefined ? undefined : this.#heardAt.get(endpoint), Date.now());
  }

  /** Draws old values with their age, and those that are no longer old. */
  #showAges(): void {
    for (const watched of this.#list) {
      const isStale = this.#ageOf(watched) !== undefined;
      if (isStale || this.#stale.has(watched.id)) this.#changed.fire(watched);
      if (isStale) this.#stale.add(watched.id);
      else this.#stale.delete(watched.id);
    }
  }

  #tick({ at, endpoint, head, sinceLast, cadence, silent, changed }: WatchesChanged): void {
    for (const value of changed) this.#values.set(value.id, { ...value, at, endpoint });
    for (const value of changed) this.#changed.fire(this.#list.find(({ id }) => id === value.id));
    if (head === undefined) return;
    this.#heardAt.set(endpoint, Date.now());
    this.#view.description = labelText(cadence);
    this.#view.message =
      silent === undefined
        ? ""
        : l10n.t("{0} sends nothing while new blocks arrive, so {1} is polled.", silent, labelText(endpoint));
    this.#ticker.text = `$(pulse) ${Number(head).toLocaleString("en")}`;
    this.#ticker.tooltip =
      sinceLast === undefined ? l10n.t("Latest block") : l10n.t("Latest block; asked every {0} ms", String(sinceLast));
    this.#ticker.show();
  }
}

/** @param age - Milliseconds since the endpoint last answered; absent while the value holds. */
function itemOf({ id, title }: Watched, value: WatchedValue | undefined, age: number | undefined): TreeItem {
  const item = new TreeItem(labelText(title));
  item.id = id;
  item.contextValue = "watched";
  item.iconPath = new ThemeIcon(age !== undefined ? "history" : value?.ok === false ? "warning" : "eye");
  const old = age === undefined ? undefined : l10n.t("{0} s old", String(Math.round(age / 1000)));
  item.description = labelText(value ? watchLine(value, old) : "…");
  if (!value) return item;
  const name = labelText(watchName(title, value, old), 300);
  item.accessibilityInformation = { label: name };
  item.tooltip = l10n.t("{0}, since {1}", name, new Date(value.at).toLocaleTimeString());
  return item;
}

async function askAddress(): Promise<string | undefined> {
  return window.showInputBox({
    title: l10n.t("Watch Address"),
    placeHolder: "0x…",
    validateInput: (text) => (isAddress(text) ? undefined : l10n.t("Expected an address: 0x and 40 hex digits.")),
  });
}

function watchedCell({ document }: NotebookCell): Watched {
  const uri = document.uri.toString();
  return { id: `cell ${uri}`, uri, title: titleInText(document.getText()) ?? l10n.t("request") };
}
