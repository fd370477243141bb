import type { Uri as UriType } from "vscode";
import { ConfigurationTarget, l10n, Range, Uri, WorkspaceEdit, window, workspace } from "vscode";
import type { FileChange } from "../../server/src/protocol.ts";
import type { Server } from "./languageClient.ts";
import { endpointFiles } from "./names.ts";
import type { Approvals } from "./trust.ts";

const localAddress = "http://127.0.0.1:8545";

/** What a person has picked for a document. */
export interface Choice {
  readonly endpoint: string;
  /** May be remembered for the next session. */
  readonly lasts: boolean;
}

/** Asks a person for endpoints; what an address is good for, and what is to be written, the server says. */
export interface EndpointSetup {
  /**
   * Asks, where nothing is configured yet, where requests should go, and writes the answer beside the notebook.
   *
   * @returns `undefined` where the person did not want to say.
   */
  setUp(document: UriType): Promise<Choice | undefined>;
  /** Asks for an `http` or `https` address. */
  askAddress(title: string): Promise<Choice | undefined>;
  /**
   * Takes an address that a person typed, or chose from our own list: whoever did need not be asked whether requests may
   * go there.
   *
   * @returns `undefined` for what is no address.
   */
  typed(address: string): Promise<Choice | undefined>;
  isAddress(text: string): Promise<boolean>;
}

export function endpointSetup(server: Server, approvals: Approvals): EndpointSetup {
  const judged = (text: string) => server.request("rpcNotebook/judgeAddress", { text: text.trim() });
  const typed = async (address: string): Promise<Choice | undefined> => {
    const found = await judged(address);
    if ("fault" in found) return undefined;
    await approvals.add(found.host);
    return { endpoint: address.trim(), lasts: !found.isPrivate };
  };
  const askAddress = async (title: string): Promise<Choice | undefined> => {
    const text = await window.showInputBox({
      title,
      prompt: l10n.t("The address of a JSON-RPC endpoint. Nothing is sent there until you run a cell."),
      placeHolder: "https://",
      ignoreFocusOut: true,
      validateInput: async (typing) => {
        const found = await judged(typing);
        return "fault" in found ? found.fault : undefined;
      },
    });
    return text === undefined ? undefined : typed(text);
  };
  return {
    typed,
    askAddress,
    isAddress: async (text) => !("fault" in (await judged(text))),
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
  await saveWhatIsTyped();
  const params = { uri: document.toString(), name, address, isPrivate };
  const made = await server.request("rpcNotebook/addEndpoint", params);
  if (made === null) return undefined;
  if ("refused" in made) return openInstead(Uri.parse(made.uri), made.refused);
  if ("inSettings" in made) await addToSettings(name, address);
  for (const change of "files" in made ? made.files : []) {
    const file = Uri.parse(change.uri);
    if (!(await writeChange(file, change)))
      return openInstead(file, l10n.t("The file has changed meanwhile. Add the address there."));
  }
  return { endpoint: name, lasts: true };
}

/** An address that holds a key should not get into a repository by accident. */
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

/** The server reads files as they are saved. */
async function saveWhatIsTyped(): Promise<void> {
  const names: readonly string[] = [...endpointFiles, ".gitignore"];
  const open = workspace.textDocuments.filter(
    ({ isDirty, uri }) => isDirty && names.includes(uri.path.split("/").at(-1) ?? ""),
  );
  await Promise.all(open.map((document) => document.save()));
}

async function openInstead(file: UriType, why: string): Promise<undefined> {
  await window.showTextDocument(file);
  void window.showWarningMessage(why);
}

async function addToSettings(name: string, address: string): Promise<void> {
  const settings = workspace.getConfiguration("rpcNotebook");
  const endpoints = settings.get<Readonly<Record<string, unknown>>>("endpoints", {});
  await settings.update("endpoints", { ...endpoints, [name]: address }, ConfigurationTarget.Global);
}

/** @returns Whether the file was still as it must be, and is written. */
async function writeChange(file: UriType, { before, text }: FileChange): Promise<boolean> {
  const exists = await workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
  if (!exists) {
    if (before === null) await workspace.fs.writeFile(file, new TextEncoder().encode(text));
    return before === null;
  }
  const document = await workspace.openTextDocument(file);
  if (before === null || lines(document.getText()) !== lines(before)) return false;
  const replacement = new WorkspaceEdit();
  const all = new Range(document.positionAt(0), document.positionAt(document.getText().length));
  replacement.replace(file, all, text.replace(/^\ufeff/, "")); // the document keeps its byte order mark by itself
  return (await workspace.applyEdit(replacement)) && document.save();
}

/** Without what the editor changes by itself: a byte order mark, and ends of lines that differ. */
function lines(text: string): string {
  return text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
}
