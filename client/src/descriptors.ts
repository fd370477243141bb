import { CompletionItem, CompletionItemKind, type Disposable, l10n, languages, Range } from "vscode";
import type { Server } from "./languageClient.ts";
import { askInWords, complain, inform, showProgress } from "./messages.ts";

/** Completes paths in ERC-7730 descriptors. They are JSON, so the language server does not have them open and gets their text. */
export function registerDescriptorPaths(server: Server): Disposable {
  return languages.registerCompletionItemProvider(
    ["json", "jsonc"],
    {
      async provideCompletionItems(document, position, token) {
        const text = document.getText();
        if (!text.includes('"display"')) return []; // most JSON files: the server does not start for them
        const params = { text, offset: document.offsetAt(position) };
        const found = await server.request("rpcNotebook/descriptorPaths", params, token);
        if (!found) return [];
        const range = new Range(document.positionAt(found.span.start), document.positionAt(found.span.end));
        return found.paths.map(({ path, detail }, at) => {
          const item = new CompletionItem({ label: path, description: detail }, CompletionItemKind.Field);
          return Object.assign(item, { range, sortText: String(at).padStart(4, "0") });
        });
      },
    },
    '"',
    ".",
    "#",
    "@",
    "$",
    "{",
  );
}

/** Downloads the ERC-7730 registry, after a person has agreed to the host, the commit and the size. */
export async function getRegistry(server: Server): Promise<void> {
  const found = await server.request("rpcNotebook/registry", undefined);
  if (!found) {
    void complain(l10n.t("A browser cannot download the registry. Put a copy of it into the project instead."));
    return;
  }
  const { words, host } = found;
  if ((await askInWords(words)) < 0) return;
  const { descriptors, problem } = await showProgress(l10n.t("Getting the registry from {0}", host), (token) =>
    server.request("rpcNotebook/getRegistry", undefined, token),
  );
  if (descriptors !== undefined) {
    void inform(l10n.t("The registry is ready: {0} descriptors.", String(descriptors)));
    return;
  }
  const again = l10n.t("Try Again"); // VS Code cuts the text of a message that has no button
  const choice = await complain(problem ?? l10n.t("The registry could not be downloaded."), again);
  if (choice === again) await getRegistry(server);
}
