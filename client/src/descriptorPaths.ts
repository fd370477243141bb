import { CompletionItem, CompletionItemKind, type Disposable, languages, Range } from "vscode";
import type { Server } from "./languageClient.ts";

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
