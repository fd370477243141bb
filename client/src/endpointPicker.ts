import type { QuickPickItem } from "vscode";
import { commands, l10n, Position, QuickPickItemKind, Range, Uri, window, workspace } from "vscode";
import type { EndpointChoice, EndpointsResult, UnusableEndpoint } from "../../server/src/protocol/endpoints.ts";
import type { Approvals } from "./approvals.ts";
import { type Choice, type EndpointSetup, endpointSetup } from "./endpointSetup.ts";
import type { Server } from "./languageClient.ts";
import type { LocalChain } from "./localChain.ts";
import { askInWords } from "./messages.ts";
import { fileLanguage, otherFiles } from "./names.ts";
import { notebookAt } from "./notebook.ts";
import type { Picks } from "./picks.ts";
import { labelText } from "./plainText.ts";
import { remindOfTrust } from "./trust.ts";

/** `null` leaves the choice to the notebook and the settings; `again` shows the list again, since it has changed. */
type Chosen = Choice | null | "again" | "demo" | undefined;

interface Words {
  readonly title: string;
  /** Shown until something is typed. */
  readonly hint: string;
}

interface Entry extends QuickPickItem {
  readonly choose?: () => Promise<Chosen>;
}

export interface PickerNeeds {
  readonly server: Server;
  readonly picks: Picks;
  readonly approvals: Approvals;
  readonly chain: LocalChain;
  readonly changed: () => void;
}

export class EndpointPicker {
  readonly #needs: PickerNeeds;
  readonly #setup: EndpointSetup;

  constructor(needs: PickerNeeds) {
    this.#needs = needs;
    this.#setup = endpointSetup(needs.server, needs.approvals, needs.chain);
    const { server, picks } = needs;
    server.onStarted(() => {
      for (const [uri, name] of Object.entries(picks.all())) server.notify("rpcNotebook/pickEndpoint", { uri, name });
    });
  }

  ask(document: Uri): Promise<EndpointsResult> {
    const { server, picks } = this.#needs;
    const uri = pickedFor(document);
    const name = picks.all()[uri];
    // The server forgets picks with the documents that it closes.
    if (name !== undefined) server.notify("rpcNotebook/pickEndpoint", { uri, name });
    return server.request("rpcNotebook/endpoints", { uri: document.toString() });
  }

  /** Asks before a probe, which sends many requests. @returns Whether to send them. */
  async mayProbe(document: Uri): Promise<boolean> {
    const { current } = await this.ask(document);
    return current?.probe === undefined || (await askInWords(current.probe)) >= 0;
  }

  /** Starts a local chain, and chooses it for a document. @returns Whether it answers. */
  async startLocalChain(document: Uri): Promise<boolean> {
    const choice = await this.#setup.startLocalChain(document);
    this.#set(document, choice);
    return choice !== undefined;
  }

  /**
   * Asks for the endpoint of a new notebook, if none was ever chosen here.
   *
   * @returns `false` if another notebook was opened in its place.
   */
  async begin(document: Uri): Promise<boolean> {
    if (!workspace.isTrusted) return true;
    const list = await this.adopt(document);
    if (list.usual !== undefined || !this.#needsSetUp(list)) return true;
    const choice = await this.#setup.setUp(document, list);
    this.#set(document, choice, document.toString()); // it is not open yet
    return choice !== "demo";
  }

  /** Gives a document the endpoint that was picked for another one. */
  carry(from: Uri, to: Uri): void {
    const { picks } = this.#needs;
    const source = from.toString();
    const endpoint = picks.all()[source];
    if (endpoint !== undefined && picks.all()[to.toString()] === undefined)
      this.#set(to, { endpoint, lasts: picks.lasts(source) }, to.toString());
  }

  /**
   * Returns the option that names the same endpoint on the command line, with a space before it; empty if the notebook
   * names one. An address is left out, since it can contain a key.
   */
  async commandLineOption(document: Uri): Promise<string> {
    const isPicked = this.#needs.picks.all()[pickedFor(document)] !== undefined;
    const { current } = await this.ask(document);
    if (current !== undefined && !isPicked) return "";
    return current && /^[\w-]+$/.test(current.name) ? ` --endpoint ${current.name}` : ' --endpoint "$RPC_URL"';
  }

  /** Lets a person choose from what is configured, or type an address. @returns Whether something was chosen. */
  async pick(document: Uri): Promise<boolean> {
    const isPicked = this.#needs.picks.all()[pickedFor(document)] !== undefined;
    const list = await this.ask(document);
    const shown = entries(document, this.#setup, list, isPicked);
    const choice = await choose(shown, this.#setup, {
      title:
        pickedFor(document) === otherFiles
          ? l10n.t("Endpoint for files that are not notebooks")
          : l10n.t("Endpoint for this notebook"),
      hint: proseText(list.unusable?.what ?? "") || l10n.t("Pick an endpoint, or type an address"),
    });
    return choice === "again" ? this.pick(document) : this.#set(document, choice);
  }

  /** Takes the endpoint of the workspace if nothing else names one. */
  async adopt(document: Uri): Promise<EndpointsResult> {
    const list = await this.ask(document);
    if (list.usual !== undefined && list.current === undefined)
      this.#set(document, { endpoint: list.usual, lasts: true });
    return list;
  }

  /** Switches between the main network and the test network. */
  async switchNetwork(document: Uri): Promise<void> {
    const { other } = await this.ask(document);
    if (other === undefined) await this.pick(document);
    else this.#set(document, { endpoint: other, lasts: true });
  }

  /**
   * Does work that sends, after asking for an endpoint if none can be used. What is chosen instead of an endpoint that a file
   * names counts for this work only. Without a choice, only cells that name their own endpoint run.
   *
   * @returns `undefined` if nothing may be sent at all.
   */
  async withEndpoint<T>(document: Uri, work: () => Thenable<T>): Promise<T | undefined> {
    if (!remindOfTrust()) return undefined;
    const list = await this.adopt(document);
    if (list.current !== undefined || list.usual !== undefined) return work();
    if (list.unusable && !list.unusable.isPicked) return this.#withOther(document, list.unusable, work);
    if (!this.#needsSetUp(list)) {
      await this.pick(document);
      return work();
    }
    const choice = await this.#setup.setUp(document, list);
    this.#set(document, choice);
    return choice === "demo" ? undefined : work();
  }

  /** Does work at an endpoint that a person chooses for it, in place of the named one. */
  async #withOther<T>(document: Uri, named: UnusableEndpoint, work: () => Thenable<T>): Promise<T | undefined> {
    const list = await this.ask(document);
    if (list.current !== undefined) return work(); // its secret was set
    const choice = await choose(entries(document, this.#setup, list, false), this.#setup, {
      title: l10n.t("{0} Where should this run go?", proseText(named.what)),
      hint: proseText(named.todo),
    });
    if (choice === "again") return this.#withOther(document, named, work);
    if (!this.#set(document, isChoice(choice) ? { ...choice, lasts: false } : undefined)) return work();
    try {
      return await work();
    } finally {
      this.#set(document, null);
    }
  }

  #needsSetUp({ configured, current, unusable }: EndpointsResult): boolean {
    return current === undefined && !unusable && !configured && Object.keys(this.#needs.picks.all()).length === 0;
  }

  /** @returns Whether a person has chosen something. */
  #set(document: Uri, choice: Choice | "demo" | null | undefined, uri = pickedFor(document)): boolean {
    if (choice === undefined || choice === "demo") return false;
    const { server, picks, changed } = this.#needs;
    const name = choice?.endpoint ?? null;
    picks.set(uri, name, choice?.lasts ?? true);
    server.notify("rpcNotebook/pickEndpoint", { uri, name });
    changed();
    return true;
  }
}

/** Prepares a sentence for a list, which does not draw code. */
function proseText(text: string): string {
  return labelText(text.replaceAll("`", ""), 300);
}

function isChoice(chosen: Chosen): chosen is Choice {
  return typeof chosen === "object" && chosen !== null;
}

/** Files that are not notebooks share an endpoint. */
function pickedFor(document: Uri): string {
  const uri = document.toString();
  const isText = workspace.textDocuments.some((one) => one.languageId === fileLanguage && one.uri.toString() === uri);
  return isText || notebookAt(document) || document.path.endsWith(".rpc.json") ? uri : otherFiles;
}

function entries(document: Uri, setup: EndpointSetup, list: EndpointsResult, isPicked: boolean): readonly Entry[] {
  const { endpoints, current, other } = list;
  const usable = endpoints.filter(({ broken }) => broken === undefined);
  const configured = usable.map(({ name, host, origin, isCurrent }): Entry => {
    return {
      label: `${isCurrent ? "$(check) " : ""}${labelText(name)}`,
      description: labelText(`${host} · ${origin}`),
      ...(isCurrent && current && { detail: labelText(current.why) }),
      choose: async () => ({ endpoint: name, lasts: true }),
    };
  });
  const switching: Entry[] = (other === undefined ? [] : [other]).map((name) => ({
    label: `$(arrow-swap) ${l10n.t("Switch to {0}", labelText(name))}`,
    choose: async () => ({ endpoint: name, lasts: true }),
  }));
  const typing: Entry = {
    label: `$(edit) ${l10n.t("Type an address…")}`,
    choose: () => setup.askAddress(l10n.t("Endpoint"), document),
  };
  const adding: Entry = {
    label: `$(add) ${l10n.t("Add an endpoint to the project…")}`,
    choose: () => setup.setUp(document, list),
  };
  const back: Entry = {
    label: `$(discard) ${l10n.t("Remove the choice")}`,
    description: l10n.t("use the endpoint of the notebook or the settings"),
    choose: async () => null,
  };
  return [
    ...switching,
    ...configured,
    ...endpoints.filter(({ broken }) => broken !== undefined).map(brokenEntry),
    { label: "", kind: QuickPickItemKind.Separator },
    typing,
    ...(workspace.isTrusted ? [adding] : []),
    ...(isPicked ? [back] : []),
  ];
}

/** An endpoint that cannot be used. Choosing it leads to the fix. */
function brokenEntry({ name, origin, broken, secret, place }: EndpointChoice): Entry {
  const fix =
    secret !== undefined
      ? l10n.t("Set the secret {0}.", secret)
      : place
        ? l10n.t("Fix it in the file.")
        : l10n.t("Fix it in the settings.");
  return {
    label: `$(warning) ${labelText(name)}`,
    description: labelText(origin),
    detail: proseText(`${fix} ${broken}`),
    async choose() {
      if (secret !== undefined) {
        const isSet = await commands.executeCommand<boolean>("rpcNotebook.setSecret", secret);
        return isSet ? "again" : undefined;
      }
      if (place) {
        const { line, column } = place.place;
        const at = new Position(line - 1, column - 1);
        await window.showTextDocument(Uri.parse(place.uri), { selection: new Range(at, at) });
      } else await commands.executeCommand("workbench.action.openSettings", "rpcNotebook.endpoints");
      return undefined;
    },
  };
}

/** Shows the list; an address typed into its filter becomes an entry. */
function choose(list: readonly Entry[], setup: EndpointSetup, { title, hint }: Words): Promise<Chosen> {
  const box = window.createQuickPick<Entry>();
  box.title = title;
  box.placeholder = hint;
  [box.matchOnDescription, box.matchOnDetail] = [true, true];
  box.items = list;
  box.onDidChangeValue(async (typed) => {
    const address = typed.trim();
    const entry: Entry = {
      label: `$(plug) ${labelText(address)}`,
      alwaysShow: true,
      choose: () => setup.typed(address),
    };
    const isAddress = await setup.isAddress(address).catch(() => false); // without a server there is only the list
    if (box.value === typed) box.items = isAddress ? [entry, ...list] : list;
  });
  return new Promise((resolve) => {
    box.onDidAccept(() => {
      const [entry] = box.selectedItems;
      resolve(entry?.choose?.());
      box.hide();
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}
