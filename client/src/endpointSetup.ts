import type { Uri as UriType } from "vscode";
import { ConfigurationTarget, commands, l10n, Uri, window, workspace } from "vscode";
import type { EndpointChoice, EndpointsResult } from "../../server/src/protocol/endpoints.ts";
import type { Approvals } from "./approvals.ts";
import type { Server } from "./languageClient.ts";
import type { LocalChain } from "./localChain.ts";
import { inform, warn } from "./messages.ts";
import { endpointFiles } from "./names.ts";
import { labelText } from "./plainText.ts";
import { ownEndpoints } from "./settings.ts";

/** The endpoint that a person has picked for a document. */
export interface Choice {
  readonly endpoint: string;
  /** May be remembered for the next session. */
  readonly lasts: boolean;
}

export type EndpointSetup = ReturnType<typeof endpointSetup>;

/** Asks a person for endpoints. The server checks addresses and writes files. */
export function endpointSetup(server: Server, approvals: Approvals, chain: LocalChain) {
  const check = (text: string, document?: UriType) => checkAddress(server, text, document);
  /**
   * Approves an address that a person has typed, or chosen from our own list. No question is needed any more.
   *
   * @param document - Whose endpoint of this address is taken instead, if it has one.
   * @returns `undefined` if it is not an address.
   */
  const typed = async (address: string, document?: UriType): Promise<Choice | undefined> => {
    const verdict = await check(address, document);
    if ("fault" in verdict) return undefined;
    await approvals.add(verdict.grant);
    const { known, isPrivate } = verdict;
    return known === undefined ? { endpoint: address.trim(), lasts: !isPrivate } : { endpoint: known, lasts: true };
  };
  /** Asks for an `http` or `https` address. */
  const askAddress = async (title: string, document: UriType): Promise<Choice | undefined> => {
    const text = await inputAddress(title, async (typing) => {
      const verdict = await check(typing);
      return "fault" in verdict ? verdict.fault : undefined;
    });
    const choice = text === undefined ? undefined : await typed(text, document);
    if (choice && choice.endpoint !== text?.trim())
      void inform(l10n.t("{0} already has this address. The notebook uses {0}.", choice.endpoint));
    return choice;
  };
  /** Starts a local chain for a document. @returns `undefined` if there is none, which a message has explained. */
  const startLocalChain = async (document: UriType): Promise<Choice | undefined> => {
    const address = await chain.start();
    const choice = address === undefined ? undefined : await typed(address, document);
    return choice?.endpoint === address ? choice && { ...choice, lasts: false } : choice;
  };
  return {
    typed,
    askAddress,
    startLocalChain,
    isAddress: async (text: string): Promise<boolean> => !("fault" in (await check(text))),
    /**
     * Asks for an endpoint: a local chain, an address, which is written into the project unless it is there already, or the
     * recorded quickstart, which is opened.
     *
     * @returns `undefined` if the person dismisses the question; `"demo"` if another notebook is open now.
     */
    async setUp(document: UriType, { endpoints, configured }: EndpointsResult): Promise<Choice | "demo" | undefined> {
      const names = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
      const network = await askNetwork(names, configured, chain.canStart);
      if (network === undefined) return undefined;
      if (network.isKnown) return { endpoint: network.name, lasts: true };
      if (network.name === "demo") return openDemo();
      if (network.name === "local") return startLocalChain(document);
      const name = network.name === "" ? await askName(names) : network.name;
      if (name === undefined) return undefined;
      const address = await askAddress(network.title || name, document);
      if (address === undefined || names.has(address.endpoint)) return address;
      return write(server, document, name, address);
    },
  };
}

function checkAddress(server: Server, text: string, document: UriType | undefined) {
  const uri = document && { uri: document.toString() };
  return server.request("rpcNotebook/checkAddress", { text: text.trim(), ...uri });
}

async function openDemo(): Promise<"demo"> {
  await commands.executeCommand("rpcNotebook.openQuickstart");
  return "demo";
}

/**
 * Asks for an address.
 *
 * @param faultOf - Returns why an address cannot be used.
 */
async function inputAddress(
  title: string,
  faultOf: (address: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  return window.showInputBox({
    title,
    prompt: l10n.t("The address of a JSON-RPC endpoint. Nothing is sent there until you run a cell."),
    placeHolder: "https://",
    ignoreFocusOut: true,
    validateInput: faultOf,
  });
}

type EndpointsByName = ReadonlyMap<string, EndpointChoice>;

interface Network {
  /** Empty if the person has to type it. */
  readonly name: string;
  readonly title: string;
  readonly isKnown: boolean;
}

/** Asks which endpoint to add. One that is there already is offered instead of a second one. */
async function askNetwork(
  endpoints: EndpointsByName,
  configured: boolean,
  canStart: boolean,
): Promise<Network | undefined> {
  const toType = l10n.t("type the address of its endpoint");
  const item = (icon: string, title: string, name: string, description: string) => {
    const existing = endpoints.get(name);
    const isKnown = existing !== undefined && existing.broken === undefined && existing.origin !== "built in";
    const used = existing && l10n.t("use {0} from {1}", existing.host, existing.origin);
    return {
      label: `${icon} ${title}`,
      description: isKnown ? labelText(used ?? "") : description,
      name,
      title,
      isKnown,
    };
  };
  const recorded = l10n.t("opens the quickstart with recorded answers, without a node");
  const local = item(
    "$(vm)",
    l10n.t("Local chain"),
    "local",
    l10n.t("uses the node on port 8545, or starts anvil in a terminal"),
  );
  const networks = [
    ...(canStart || local.isKnown ? [local] : []),
    item("$(globe)", l10n.t("Main network"), "main", toType),
    item("$(beaker)", l10n.t("Test network"), "test", toType),
    { ...item("$(add)", l10n.t("Another endpoint…"), "", l10n.t("type a name and an address")), title: "" },
    ...(configured ? [] : [item("$(play-circle)", l10n.t("Built-in demo"), "demo", recorded)]),
  ];
  return window.showQuickPick(networks, {
    title: l10n.t("Where should requests go?"),
    placeHolder: configured
      ? l10n.t("Choose what to add to the project")
      : l10n.t("No endpoint is configured here yet"),
    ignoreFocusOut: true,
  });
}

async function askName(endpoints: EndpointsByName): Promise<string | undefined> {
  const name = await window.showInputBox({
    title: l10n.t("Name of the endpoint"),
    placeHolder: "staging",
    ignoreFocusOut: true,
    validateInput: (text) => {
      const existing = endpoints.get(text.trim());
      if (existing)
        return l10n.t(
          "The name {0} is taken by another endpoint: {1}.",
          existing.name,
          existing.host || existing.origin,
        );
      return /^[\w-]+$/.test(text.trim()) ? undefined : l10n.t("Use letters, digits, _ and -.");
    },
  });
  return name?.trim();
}

async function write(
  server: Server,
  document: UriType,
  name: string,
  { endpoint: address, lasts }: Choice,
): Promise<Choice | undefined> {
  const isPrivate = lasts ? false : await askPrivate();
  if (isPrivate === undefined) return undefined;
  await saveEndpointFiles();
  const params = { uri: document.toString(), name, address, isPrivate };
  const made = await server.request("rpcNotebook/addEndpoint", params);
  if (made === null) return undefined;
  if ("refused" in made) {
    await showRefusal(Uri.parse(made.uri), made.refused);
    return { endpoint: address, lasts: false }; // the address is used until the editor is closed
  }
  if ("inSettings" in made) await addToSettings(name, address);
  return { endpoint: name, lasts: true };
}

/** Asks whether to keep an address with a key out of the repository. */
async function askPrivate(): Promise<boolean | undefined> {
  const choice = await window.showQuickPick(
    [
      {
        label: `$(lock) ${l10n.t("Keep it private")}`,
        description: l10n.t("{0}, kept out of git", "rpc-endpoints.private.json"),
        isPrivate: true,
      },
      {
        label: `$(repo) ${l10n.t("Share it with the project")}`,
        description: "rpc-endpoints.json",
        isPrivate: false,
      },
    ],
    { title: l10n.t("This address seems to contain a key"), ignoreFocusOut: true },
  );
  return choice?.isPrivate;
}

async function saveEndpointFiles(): Promise<void> {
  const names: readonly string[] = [...endpointFiles, ".gitignore"];
  const open = workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && names.includes(uri.path.split("/").at(-1) ?? ""),
  );
  await Promise.all(open.map((document) => document.save()));
}

async function showRefusal(file: UriType, why: string): Promise<void> {
  void warn(why);
  await window.showTextDocument(file).then(undefined, () => undefined); // there may be no such file
}

async function addToSettings(name: string, address: string): Promise<void> {
  const endpoints = { ...ownEndpoints(), [name]: address }; // not those of the workspace, which are the repository's
  await workspace.getConfiguration("rpcNotebook").update("endpoints", endpoints, ConfigurationTarget.Global);
}
