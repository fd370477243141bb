import type { QuickPickItem, Uri } from "vscode";
import { l10n, QuickPickItemKind, window, workspace } from "vscode";
import type { EndpointsResult } from "../../server/src/protocol/endpoints.ts";
import { type Choice, type EndpointSetup, endpointSetup } from "./endpointSetup.ts";
import type { Server } from "./languageClient.ts";
import type { Picks } from "./picks.ts";
import { labelText } from "./plainText.ts";
import type { Approvals } from "./trust.ts";
import { remindOfTrust } from "./trust.ts";

/** Lets a person choose the endpoint of a document. */
export type EndpointPicker = ReturnType<typeof endpointPicker>;

/** Called when the entry is chosen; `null` leaves the choice to the notebook and the settings. */
interface Entry extends QuickPickItem {
  readonly choose?: () => Promise<Choice | null | undefined>;
}

export interface PickerNeeds {
  readonly server: Server;
  readonly picks: Picks;
  readonly approvals: Approvals;
  /** Called when the endpoint of a document has changed. */
  readonly changed: () => void;
}

export function endpointPicker({ server, picks, approvals, changed }: PickerNeeds) {
  const setup = endpointSetup(server, approvals);
  const set = (document: Uri, choice: Choice | null | undefined): void => {
    if (choice === undefined) return;
    const name = choice?.endpoint ?? null;
    picks.set(document.toString(), name, choice?.lasts ?? true);
    server.notify("rpcNotebook/pickEndpoint", { uri: document.toString(), name });
    changed();
  };
  server.onStarted(() => {
    for (const [uri, name] of Object.entries(picks.all())) server.notify("rpcNotebook/pickEndpoint", { uri, name });
  });
  const ask = (document: Uri): Promise<EndpointsResult> => {
    const uri = document.toString();
    const name = picks.all()[uri];
    // The server forgets picks with the documents that it closes.
    if (name !== undefined) server.notify("rpcNotebook/pickEndpoint", { uri, name });
    return server.request("rpcNotebook/endpoints", { uri });
  };
  const pick = async (document: Uri): Promise<void> => {
    const isPicked = picks.all()[document.toString()] !== undefined;
    set(document, await choose(entries(document, setup, await ask(document), isPicked), setup));
  };
  return {
    ask,
    /** Lets a person choose from what is configured, or type an address. */
    pick,
    /** Switches between the main network and the test network. */
    async switchNetwork(document: Uri): Promise<void> {
      const { other } = await ask(document);
      if (other === undefined) await pick(document);
      else set(document, { endpoint: other, lasts: true });
    },
    /**
     * Asks for an endpoint before a run, if none is configured. Without an answer, only cells that name their own endpoint
     * run.
     *
     * @returns Whether anything may be sent at all.
     */
    async ensure(document: Uri): Promise<boolean> {
      if (!remindOfTrust()) return false;
      const { configured, current } = await ask(document);
      if (current !== undefined) return true;
      if (configured || Object.keys(picks.all()).length > 0) await pick(document);
      else set(document, await setup.setUp(document));
      return true;
    },
  };
}

function entries(
  document: Uri,
  setup: EndpointSetup,
  { endpoints, current }: EndpointsResult,
  isPicked: boolean,
): readonly Entry[] {
  const configured = endpoints.map(
    (endpoint): Entry => ({
      label: `${endpoint.name === current?.name ? "$(check) " : ""}${labelText(endpoint.name)}`,
      description: labelText(`${endpoint.host} · ${endpoint.origin}`),
      ...(endpoint.name === current?.name ? { detail: labelText(current.why) } : {}),
      choose: async () => ({ endpoint: endpoint.name, lasts: true }),
    }),
  );
  const typing: Entry = {
    label: `$(edit) ${l10n.t("Type an address…")}`,
    choose: () => setup.askAddress(l10n.t("Endpoint")),
  };
  const adding: Entry = {
    label: `$(add) ${l10n.t("Add an endpoint to the project…")}`,
    choose: () => setup.setUp(document),
  };
  const back: Entry = {
    label: `$(discard) ${l10n.t("Remove the choice")}`,
    description: l10n.t("use the endpoint of the notebook or the settings"),
    choose: async () => null,
  };
  const separator: Entry = { label: "", kind: QuickPickItemKind.Separator };
  return [...configured, separator, typing, ...(workspace.isTrusted ? [adding] : []), ...(isPicked ? [back] : [])];
}

/** Shows the list; an address typed into its filter becomes an entry. */
function choose(list: readonly Entry[], setup: EndpointSetup): Promise<Choice | null | undefined> {
  const box = window.createQuickPick<Entry>();
  box.title = l10n.t("Endpoint for this notebook");
  box.placeholder = l10n.t("Pick an endpoint, or type an address");
  box.matchOnDescription = true;
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
