import { l10n, type QuickPickItem, type Uri, window } from "vscode";
import { readBlock } from "../../server/src/base/units.ts";
import type { Server } from "./languageClient.ts";
import type { TextView } from "./textView.ts";

/**
 * Lists what a contract stores: asks for the contract, its address and the blocks.
 *
 * @param document - The notebook or text whose project and endpoint are used.
 */
export async function showStorage(server: Server, textView: TextView, document: Uri): Promise<void> {
  const uri = document.toString();
  const known = await server.request("rpcNotebook/storageContracts", { uri });
  const contract = await pick(known.contracts, {
    title: l10n.t("Show Storage: which contract?"),
    empty: l10n.t("The name of a contract whose artifact has a storageLayout"),
    prompt: l10n.t(
      "No artifact of this project has a storageLayout. Set it in foundry.toml or in the Hardhat configuration, and compile again.",
    ),
  });
  if (contract === undefined) return;
  const address = await pick(
    known.addresses.map(({ name, address }) => ({ label: name, description: address, value: address })),
    { title: l10n.t("Show Storage of {0}: at which address?", contract), empty: "0x…" },
  );
  const blocks = address === undefined ? undefined : await askBlocks(contract);
  if (address === undefined || blocks === undefined) return;
  await textView.report(document, l10n.t("Reading the storage of {0}", contract), (token) =>
    server.request("rpcNotebook/contractStorage", { uri, contract, address, blocks }, token),
  );
}

interface Choice extends QuickPickItem {
  readonly value: string;
}

/** Offers what is known; what is not can be typed. */
async function pick(
  known: readonly (string | Choice)[],
  {
    title,
    empty,
    prompt,
  }: { readonly title: string; readonly empty: string /** If nothing is known. */; readonly prompt?: string },
): Promise<string | undefined> {
  const type = { label: l10n.t("Type another one…"), value: "" };
  const choices = known.map((one) => (typeof one === "string" ? { label: one, value: one } : one));
  const picked = choices.length === 0 ? type : await window.showQuickPick([...choices, type], { title });
  if (picked?.value !== "") return picked?.value;
  const why = known.length === 0 && prompt !== undefined ? { prompt } : {};
  const typed = await window.showInputBox({ title, placeHolder: empty, ...why, ignoreFocusOut: true });
  return typed?.trim() || undefined;
}

async function askBlocks(contract: string): Promise<readonly string[] | undefined> {
  const typed = await window.showInputBox({
    title: l10n.t("Show Storage of {0}: at which block, or at which two?", contract),
    prompt: l10n.t("A tag or a number. With a second one, the differences come first: latest, 1200000"),
    value: "latest",
    ignoreFocusOut: true,
    validateInput: (text) => (blocksIn(text) ? undefined : l10n.t("Expected one block, or two separated by a comma.")),
  });
  return typed === undefined ? undefined : blocksIn(typed);
}

/** @returns `undefined` if these are not one or two blocks. */
function blocksIn(text: string): readonly string[] | undefined {
  const typed = text.split(",");
  const blocks = typed.flatMap((one) => readBlock(one.trim()) ?? []);
  return typed.length <= 2 && blocks.length === typed.length ? blocks : undefined;
}
