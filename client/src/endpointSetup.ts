import type { Uri as UriType } from "vscode";
import { ConfigurationTarget, l10n, Uri, window, workspace } from "vscode";
import type { Server } from "./languageClient.ts";
import { warn } from "./messages.ts";
import { endpointFiles } from "./names.ts";
import { ownEndpoints } from "./settings.ts";
import type { Approvals } from "./trust.ts";

const localAddress = "http://127.0.0.1:8545";

/** The endpoint that a person has picked for a document. */
export interface Choice {
  readonly endpoint: string;
  /** May be remembered for the next session. */
  readonly lasts: boolean;
}

/** Asks a person for endpoints. The server checks addresses and writes files. */
export interface EndpointSetup {
  /**
   * Asks for an endpoint if none is configured yet, and writes the answer beside the notebook.
   *
   * @returns `undefined` if the person dismisses the question.
   */
  setUp(document: UriType): Promise<Choice | undefined>;
  /** Asks for an `http` or `https` address. */
  askAddress(title: string): Promise<Choice | undefined>;
  /**
   * Approves an address that a person has typed, or chosen from our own list. No question is needed any more.
   *
   * @returns `undefined` if it is not an address.
   */
  typed(address: string): Promise<Choice | undefined>;
  isAddress(text: string): Promise<boolean>;
}

export function endpointSetup(server: Server, approvals: Approvals): EndpointSetup {
  const judge = (text: string) => server.request("rpcNotebook/checkAddress", { text: text.trim() });
  const typed = async (address: string): Promise<Choice | undefined> => {
    const verdict = await judge(address);
    if ("fault" in verdict) return undefined;
    await approvals.add(verdict.grant);
    return { endpoint: address.trim(), lasts: !verdict.isPrivate };
  };
  const askAddress = async (title: string): Promise<Choice | undefined> => {
    const text = await window.showInputBox({
      title,
      prompt: l10n.t("The address of a JSON-RPC endpoint. Nothing is sent there until you run a cell."),
      placeHolder: "https://",
      ignoreFocusOut: true,
      validateInput: async (typing) => {
        const verdict = await judge(typing);
        return "fault" in verdict ? verdict.fault : undefined;
      },
    });
    return text === undefined ? undefined : typed(text);
  };
  return {
    typed,
    askAddress,
    isAddress: async (text) => !("fault" in (await judge(text))),
    async setUp(document) {
      const network = await askNetwork();
      if (network === undefined) return undefined;
      const { name, title } = network;
      const address = name === "local" ? await typed(localAddress) : await askAddress(title);
      return address && write(server, document, name, address);
    },
  };
}

async function askNetwork(): Promise<{ readonly name: string; readonly title: string } | undefined> {
  const description = l10n.t("type the address of its endpoint");
  const [main, test] = [l10n.t("Main network"), l10n.t("Test network")];
  const networks = [
    { label: `$(globe) ${main}…`, description, name: "main", title: main },
    { label: `$(beaker) ${test}…`, description, name: "test", title: test },
    { label: `$(vm) ${l10n.t("Local chain")}`, description: localAddress, name: "local", title: "" },
  ];
  return window.showQuickPick(networks, {
    title: l10n.t("Where should requests go?"),
    placeHolder: l10n.t("No endpoint is configured here yet"),
    ignoreFocusOut: true,
  });
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
    { title: l10n.t("This address seems to hold a key"), ignoreFocusOut: true },
  );
  return choice?.isPrivate;
}

/** Saves the files that the server is about to change. */
async function saveEndpointFiles(): Promise<void> {
  const names: readonly string[] = [...endpointFiles, ".gitignore"];
  const open = workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && names.includes(uri.path.split("/").at(-1) ?? ""),
  );
  await Promise.all(open.map((document) => document.save()));
}

async function showRefusal(file: UriType, why: string): Promise<void> {
  void warn(why);
  const exists = await workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
  if (exists) await window.showTextDocument(file);
}

async function addToSettings(name: string, address: string): Promise<void> {
  const endpoints = { ...ownEndpoints(), [name]: address }; // not those of the workspace, which are the repository's
  await workspace.getConfiguration("rpcNotebook").update("endpoints", endpoints, ConfigurationTarget.Global);
}
