import { commands, Disposable, Hover, l10n, languages, MarkdownString, Range, Uri, window, workspace } from "vscode";
import { activeDocument } from "./active.ts";
import type { Server } from "./languageClient.ts";
import { warn } from "./messages.ts";
import { cellLanguage, fileLanguage } from "./names.ts";
import { insertHeader } from "./notebook.ts";
import { completeStep } from "./walkthrough.ts";

/**
 * Shows what the chain says about an address in files that are not notebooks. The server gets only the line under the
 * pointer.
 */
export function registerAddressHover(server: Server): Disposable {
  let offered: string | undefined;
  const hovers = languages.registerHoverProvider(
    [{ scheme: "file" }, { scheme: "vscode-remote" }, { scheme: "untitled" }],
    {
      async provideHover(document, position, token) {
        if (!isWanted(document.languageId) || !document.getWordRangeAtPosition(position, /0[xX][0-9a-fA-F]{40}/))
          return null;
        const line = document.lineAt(position);
        const params = { uri: document.uri.toString(), text: line.text, offset: position.character };
        const answer = await server.request("rpcNotebook/address", params, token);
        if (!answer) return null;
        const { span, address, markdown, needsEndpoint } = answer;
        if (!needsEndpoint) completeStep("hovered");
        const range = new Range(position.line, span.start, position.line, span.end);
        if (!needsEndpoint) return new Hover([new MarkdownString(markdown), actions(address)], range);
        // once in a session, at one address: a person may work without an endpoint
        offered ??= address;
        return offered === address ? new Hover([offer()], range) : null;
      },
    },
  );
  return Disposable.from(
    hovers,
    commands.registerCommand("rpcNotebook.labelAddress", (address: unknown) => label(server, address)),
    commands.registerCommand(followLink, follow),
  );
}

/** Whether the settings ask for hovers in a language. Notebooks have those of the language server. */
function isWanted(language: string): boolean {
  if (language === fileLanguage || language === cellLanguage) return false;
  return workspace.getConfiguration("rpcNotebook").get<readonly string[]>("addressHover", []).includes(language);
}

/** Runs a command of a link, and closes the hover that has the link. */
const followLink = "rpcNotebook.followLink";

const linked: ReadonlySet<unknown> = new Set([
  "rpcNotebook.pickEndpoint",
  "rpcNotebook.copyAddress",
  "rpcNotebook.newBalanceRequest",
  "rpcNotebook.labelAddress",
  "rpcNotebook.watchAddress",
  "rpcNotebook.lookUpContract",
  "rpcNotebook.openSource",
]);

async function follow(command: unknown, address: unknown): Promise<void> {
  if (typeof command !== "string" || !linked.has(command)) return;
  await commands.executeCommand("editor.action.hideHover");
  await commands.executeCommand(command, address);
}

function link(title: string, command: string, ...given: readonly string[]): string {
  const query = JSON.stringify([command, ...given]);
  return `[${title}](${Uri.from({ scheme: "command", path: followLink, query }).toString()})`;
}

/** Returns Markdown whose links work. No other part of the hover may be such: its text may come from a chain. */
function withLinks(markdown: string): MarkdownString {
  const text = new MarkdownString(markdown);
  text.isTrusted = { enabledCommands: [followLink] };
  return text;
}

function offer(): MarkdownString {
  const choose = link(l10n.t("Choose an endpoint"), "rpcNotebook.pickEndpoint");
  return withLinks(l10n.t("{0} to see the balance here.", choose));
}

function actions(address: string): MarkdownString {
  const links = [
    link(l10n.t("Copy"), "rpcNotebook.copyAddress", address),
    link(l10n.t("New request"), "rpcNotebook.newBalanceRequest", address),
    link(l10n.t("Add label"), "rpcNotebook.labelAddress", address),
    link(l10n.t("Watch"), "rpcNotebook.watchAddress", address),
    link(l10n.t("Look up"), "rpcNotebook.lookUpContract", address),
    link(l10n.t("Open source"), "rpcNotebook.openSource", address),
  ];
  return withLinks(links.join(" · "));
}

/** Asks for the name of an address. The server adds it to the header of a notebook. */
async function label(server: Server, address: unknown): Promise<void> {
  if (typeof address !== "string") return;
  const name = await window.showInputBox({ title: l10n.t("Name Address"), prompt: l10n.t("Name of {0}", address) });
  if (name === undefined || name.trim() === "") return;
  const uri = (activeDocument() ?? window.activeTextEditor?.document.uri)?.toString() ?? "";
  const result = await server.request("rpcNotebook/label", { uri, address, name });
  if ("refused" in result) await warn(result.refused);
  else if (result.header !== undefined) await insertHeader(result.notebook, result.header);
}
