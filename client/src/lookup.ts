import { commands, l10n, type NotebookDocument, Uri, window } from "vscode";
import { activeDocument } from "./active.ts";
import type { Server } from "./languageClient.ts";
import { askInWords, inform, showProgress, showQuietly, warn } from "./messages.ts";
import { labelText } from "./plainText.ts";

/**
 * Looks up a contract after a person has agreed to the host, and adds its ABI to the project.
 *
 * @param given - Its address; without one, a person types it.
 */
export async function lookUpContract(server: Server, given: unknown): Promise<void> {
  const address = typeof given === "string" ? given : await typedAddress(l10n.t("Look Up Contract"));
  if (address === undefined) return;
  const uri = openedUri();
  const asked = await server.request("rpcNotebook/lookup", { uri, address });
  if ("refused" in asked) {
    void warn(asked.refused);
    return;
  }
  if ((await askInWords(asked.words)) < 0) return;
  const found = await showProgress(l10n.t("Asking {0}", asked.host), (token) =>
    server.request("rpcNotebook/addContract", { uri, address }, token),
  );
  const added = "refused" in found ? await guessed(server, uri, address, found) : found;
  if (!added) return;
  const buttons = [l10n.t("Open File"), ...("refused" in found ? [] : [l10n.t("Open Source")])];
  const text = [added.text, ...added.notes].join(" ");
  const chosen = await (added.notes.length > 0 ? warn(text, ...buttons) : inform(text, ...buttons));
  if (chosen === buttons[0]) await commands.executeCommand("vscode.open", Uri.parse(added.uri));
  else if (chosen !== undefined) await openSource(server, address);
}

/** Opens a source file of a contract, read-only. The server asks a person before it asks a lookup host. */
export async function openSource(server: Server, given: unknown): Promise<void> {
  const title = l10n.t("Open Source of Contract");
  const address = typeof given === "string" ? given : await typedAddress(title);
  if (address === undefined) return;
  const found = await showQuietly(l10n.t("Asking for sources"), () =>
    server.request("rpcNotebook/openSource", { uri: openedUri(), address }),
  );
  if ("refused" in found) {
    void warn(found.refused);
    return;
  }
  const choices = found.files.map((file) => ({
    label: labelText(file.name),
    description: file.address,
    uri: file.uri,
  }));
  const chosen =
    choices.length > 1 ? await window.showQuickPick(choices, { title, matchOnDescription: true }) : choices[0];
  if (chosen) await commands.executeCommand("vscode.open", Uri.parse(chosen.uri));
}

function openedUri(): string {
  return (activeDocument() ?? window.activeTextEditor?.document.uri)?.toString() ?? "";
}

/** Offers to guess a contract that nobody has verified. */
async function guessed(
  server: Server,
  uri: string,
  address: string,
  { refused, canGuess = false }: { readonly refused: string; readonly canGuess?: boolean },
) {
  const guess = l10n.t("Guess from Code");
  const chosen = await (canGuess ? warn(refused, guess) : warn(refused));
  if (chosen !== guess) return undefined;
  const added = await showQuietly(l10n.t("Reading code"), () =>
    server.request("rpcNotebook/addContract", { uri, address, guess: true }),
  );
  if (!("refused" in added)) return added;
  void warn(added.refused);
  return undefined;
}

/** Looks up the contracts in the results of a notebook. The server asks, and draws results again. */
export async function lookUpNames(server: Server, notebook: NotebookDocument): Promise<void> {
  const { note, canSave } = await showQuietly(l10n.t("Looking up names"), () =>
    server.request("rpcNotebook/lookUpNames", { uri: notebook.uri.toString() }),
  );
  if (note === undefined) return;
  const save = l10n.t("Save to Project");
  if ((await (canSave ? inform(note, save) : inform(note))) === save) await saveContracts(server, notebook.uri);
}

/** Writes the contracts that were looked up for a notebook as files of the project. */
export async function saveContracts(server: Server, document: Uri): Promise<void> {
  const { note, files } = await server.request("rpcNotebook/saveContracts", { uri: document.toString() });
  const [first] = files;
  const open = l10n.t("Open File");
  const chosen = await (first === undefined ? warn(note) : inform(note, open));
  if (chosen === open && first !== undefined) await commands.executeCommand("vscode.open", Uri.parse(first));
}

function typedAddress(title: string): Thenable<string | undefined> {
  return window
    .showInputBox({
      title,
      prompt: l10n.t("Address of a contract with verified sources"),
      validateInput: (text) =>
        /^\s*0x[0-9a-fA-F]{40}\s*$/.test(text) ? undefined : l10n.t("Write 0x and 40 hex digits."),
    })
    .then((text) => text?.trim());
}
