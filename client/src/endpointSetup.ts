import type { Uri as UriType } from "vscode";
import { ConfigurationTarget, l10n, Range, Uri, WorkspaceEdit, window, workspace } from "vscode";
import { homeFolder } from "./active.ts";
import { addEndpoint, addIgnored, addressFault, looksPrivate } from "./endpointText.ts";
import type { Approvals } from "./trust.ts";

const sharedFile = "rpc-endpoints.json";
const privateFile = "rpc-endpoints.private.json";
const localAddress = "http://127.0.0.1:8545";

/**
 * Asks, where nothing is configured yet, where requests should go, and writes the answer beside the notebook.
 *
 * @returns The name of the endpoint; `undefined` where the person did not want to say.
 */
export async function setUpEndpoint(document: UriType, approvals: Approvals): Promise<string | undefined> {
  const networks = [
    {
      label: `$(globe) ${l10n.t("Main network…")}`,
      description: l10n.t("type the address of its endpoint"),
      name: "main",
    },
    {
      label: `$(beaker) ${l10n.t("Test network…")}`,
      description: l10n.t("type the address of its endpoint"),
      name: "test",
    },
    { label: `$(vm) ${l10n.t("Local chain")}`, description: localAddress, name: "local" },
  ];
  const network = await window.showQuickPick(networks, {
    title: l10n.t("Where should requests go?"),
    placeHolder: l10n.t("No endpoint is configured here yet"),
    ignoreFocusOut: true,
  });
  if (network === undefined) return undefined;
  const address =
    network.name === "local"
      ? await typedByHand(localAddress, approvals)
      : await askAddress(network.label.replace(/^\S+ |…$/g, ""), approvals);
  return address === undefined ? undefined : writeEndpoint(document, network.name, address);
}

/** @returns A valid `http` or `https` address. */
export async function askAddress(title: string, approvals: Approvals): Promise<string | undefined> {
  const typed = await window.showInputBox({
    title,
    prompt: l10n.t("The address of a JSON-RPC endpoint. Nothing is sent there until you run a cell."),
    placeHolder: "https://",
    ignoreFocusOut: true,
    validateInput: (text) => faultMessage(text.trim()),
  });
  return typed === undefined ? undefined : typedByHand(typed.trim(), approvals);
}

/** Whoever typed an address, or chose it from our own list, need not be asked whether requests may go there. */
export async function typedByHand(address: string, approvals: Approvals): Promise<string> {
  await approvals.add(new URL(address).host);
  return address;
}

function faultMessage(text: string): string | undefined {
  switch (addressFault(text)) {
    case "not-an-address":
      return l10n.t("Type a whole address, such as {0}.", localAddress);
    case "not-http":
      return l10n.t("The address has to begin with https:// or http://.");
    case undefined:
      return undefined;
  }
}

async function writeEndpoint(document: UriType, name: string, address: string): Promise<string | undefined> {
  const folder = homeFolder(document);
  if (folder === undefined) {
    await addToSettings(name, address);
    return name;
  }
  const file = looksPrivate(address) ? await choosePlace() : sharedFile;
  if (file === undefined) return undefined;
  if (file === privateFile) await edit(Uri.joinPath(folder, ".gitignore"), (text) => addIgnored(text ?? "", file));
  const target = Uri.joinPath(folder, file);
  if (await edit(target, (text) => addEndpoint(text, name, address))) return name;
  await window.showTextDocument(target);
  void window.showWarningMessage(
    l10n.t('{0} could not be extended: it is no JSON object, or has "{1}" already. Add the address there.', file, name),
  );
  return undefined;
}

/** An address that holds a key should not get into a repository by accident. */
async function choosePlace(): Promise<string | undefined> {
  const choice = await window.showQuickPick(
    [
      {
        label: `$(lock) ${l10n.t("Keep it private")}`,
        description: l10n.t("{0}, kept out of git", privateFile),
        file: privateFile,
      },
      { label: `$(repo) ${l10n.t("Share it with the project")}`, description: sharedFile, file: sharedFile },
    ],
    { title: l10n.t("This address seems to hold a key"), ignoreFocusOut: true },
  );
  return choice?.file;
}

async function addToSettings(name: string, address: string): Promise<void> {
  const settings = workspace.getConfiguration("rpcNotebook");
  const endpoints = settings.get<Readonly<Record<string, unknown>>>("endpoints", {});
  await settings.update("endpoints", { ...endpoints, [name]: address }, ConfigurationTarget.Global);
}

/**
 * Changes a file through its document, so that what someone is typing there is kept.
 *
 * @param change - Gets the text, `undefined` for a file that is not there; answers `undefined` where it must stay as it is.
 * @returns Whether the file was written.
 */
async function edit(file: UriType, change: (text: string | undefined) => string | undefined): Promise<boolean> {
  const exists = await workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
  const document = exists ? await workspace.openTextDocument(file) : undefined;
  const text = change(document?.getText());
  if (text === undefined) return false;
  if (document === undefined) {
    await workspace.fs.writeFile(file, new TextEncoder().encode(text));
    return true;
  }
  const replacement = new WorkspaceEdit();
  const end = document.positionAt(document.getText().length);
  replacement.replace(file, new Range(document.positionAt(0), end), text);
  return (await workspace.applyEdit(replacement)) && document.save();
}
