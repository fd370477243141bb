import { commands, Disposable, env, l10n, languages, Uri, window, workspace } from "vscode";
import type { EndpointPicker } from "./endpointPicker.ts";
import { inform, warn } from "./messages.ts";
import { notebookType } from "./names.ts";
import { openNotebooks } from "./notebook.ts";

/** Context keys that complete a step of the walkthrough. */
const done = { hovered: "rpcNotebook.hasHovered", saved: "rpcNotebook.hasSaved" } as const;

export function completeStep(step: keyof typeof done): void {
  void commands.executeCommand("setContext", done[step], true);
}

/** Commands of the walkthrough, and of buttons that lead to the documentation. */
export function registerWalkthrough(extension: Uri, picker: EndpointPicker): Disposable {
  return Disposable.from(
    commands.registerCommand("rpcNotebook.tryHover", tryHover),
    commands.registerCommand("rpcNotebook.saveForCi", () => saveForCi(extension, picker)),
    commands.registerCommand("rpcNotebook.openDocs", () => openPage(extension, "endpoints")),
    workspace.onDidSaveNotebookDocument((notebook) => {
      if (notebook.notebookType === notebookType) completeStep("saved");
    }),
  );
}

function openPage(extension: Uri, page: "endpoints" | "ci"): Thenable<unknown> {
  return commands.executeCommand("markdown.showPreview", Uri.joinPath(extension, "docs", `${page}.md`));
}

/** Opens a text with an address of the quickstart and of local chains. */
async function tryHover(): Promise<void> {
  const content = [
    "address constant ALICE = 0x70997970C51812dc3A010C7d01b50e0d17dc79C8;",
    l10n.t("// Hover over the address to see its label, its pending balance and what it is."),
    l10n.t("// This works in Solidity, TypeScript and many other files."),
    "",
  ].join("\n");
  const language = (await languages.getLanguages()).find((one) => one === "solidity") ?? "plaintext";
  await window.showTextDocument(await workspace.openTextDocument({ language, content }));
}

/** Saves the notebook that is open, and says how CI runs it. */
async function saveForCi(extension: Uri, picker: EndpointPicker): Promise<void> {
  const active = window.activeNotebookEditor?.notebook;
  const ours = openNotebooks();
  const notebook = ours.find((one) => one === active) ?? ours.findLast(({ isDirty }) => isDirty) ?? ours.at(-1);
  if (!notebook) {
    void warn(l10n.t("Open a notebook first."));
    return;
  }
  const { uri, isUntitled } = notebook;
  const option = await picker.commandLineOption(uri); // a file that a new notebook becomes has no endpoint yet
  if (isUntitled) await window.showNotebookDocument(notebook); // only a notebook that is shown can be saved as a file
  const saved = isUntitled ? await workspace.saveAs(uri) : await workspace.save(uri);
  if (saved === undefined) return;
  completeStep("saved");
  const file = workspace.asRelativePath(saved);
  const shown = /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", `'\\''`)}'`;
  const command = `rpc-notebook run ${shown}${option}`;
  const [copy, open] = [l10n.t("Copy Command"), l10n.t("Open Docs")];
  const choice = await inform(l10n.t("Saved. In CI, this runs the same requests: {0}", command), copy, open);
  if (choice === copy) await env.clipboard.writeText(command);
  if (choice === open) await openPage(extension, "ci");
}
