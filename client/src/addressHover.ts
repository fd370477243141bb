import { commands, Disposable, Hover, l10n, languages, MarkdownString, Range, Uri, window, workspace } from "vscode";
import { activeDocument } from "./active.ts";
import type { Server } from "./languageClient.ts";
import { warn } from "./messages.ts";
import { cellLanguage, fileLanguage } from "./names.ts";

/**
 * Shows what the chain says of an address in files that are no notebooks. The server gets the line under the pointer and
 * nothing else of the file.
 */
export function registerAddressHover(server: Server): Disposable {
  const hovers = languages.registerHoverProvider(
    [{ scheme: "file" }, { scheme: "vscode-remote" }, { scheme: "untitled" }],
    {
      async provideHover(document, position, token) {
        if (!isWanted(document.languageId) || !document.getWordRangeAtPosition(position, /0[xX][0-9a-fA-F]{40}/))
          return null;
        const line = document.lineAt(position);
        const params = { uri: document.uri.toString(), text: line.text, offset: position.character };
        const found = await server.request("rpcNotebook/address", params, token);
        if (!found) return null;
        const { span, address, markdown } = found;
        const range = new Range(position.line, span.start, position.line, span.end);
        return new Hover([new MarkdownString(markdown), actions(address)], range);
      },
    },
  );
  const command = commands.registerCommand("rpcNotebook.labelAddress", (address: unknown) => label(server, address));
  return Disposable.from(hovers, command);
}

/** Notebooks have their hovers from the language server. */
function isWanted(language: string): boolean {
  if (language === fileLanguage || language === cellLanguage) return false;
  return workspace.getConfiguration("rpcNotebook").get<readonly string[]>("addressHover", []).includes(language);
}

/** The only part with commands in it; nothing from a chain stands in it but an address that the server has read. */
function actions(address: string): MarkdownString {
  const link = (title: string, command: string): string =>
    `[${title}](${Uri.from({ scheme: "command", path: command, query: JSON.stringify([address]) }).toString()})`;
  const text = new MarkdownString(
    [
      link("Copy", "rpcNotebook.copyAddress"),
      link("New request", "rpcNotebook.newBalanceRequest"),
      link("Add label", "rpcNotebook.labelAddress"),
      link("Watch", "rpcNotebook.watchAddress"),
    ].join(" · "),
  );
  text.isTrusted = {
    enabledCommands: [
      "rpcNotebook.copyAddress",
      "rpcNotebook.newBalanceRequest",
      "rpcNotebook.labelAddress",
      "rpcNotebook.watchAddress",
    ],
  };
  return text;
}

/** Asks what an address is called; the server writes it into the header of a notebook. */
async function label(server: Server, address: unknown): Promise<void> {
  if (typeof address !== "string") return;
  const name = await window.showInputBox({ title: l10n.t("Add Label"), prompt: l10n.t("What {0} is called", address) });
  if (name === undefined || name.trim() === "") return;
  const uri = (activeDocument() ?? window.activeTextEditor?.document.uri)?.toString() ?? "";
  const result = await server.request("rpcNotebook/label", { uri, address, name });
  if ("refused" in result) await warn(result.refused);
}
