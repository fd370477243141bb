import type { InitializeParams } from "vscode-languageserver";
import type { InitializationOptions } from "../protocol.ts";

/** What the editor at the other end can do, as far as it matters here. */
export interface Client {
  /** URIs of the folders that are open. */
  readonly roots: readonly string[];
  readonly options: InitializationOptions;
  readonly pullsDiagnostics: boolean;
  readonly refreshesDiagnostics: boolean;
  readonly refreshesLenses: boolean;
  readonly takesSnippets: boolean;
  readonly readsMarkdown: boolean;
}

export function clientOf(params: InitializeParams): Client {
  const { capabilities, initializationOptions, workspaceFolders, rootUri } = params;
  const { textDocument, workspace } = capabilities;
  const formats = textDocument?.hover?.contentFormat;
  return {
    roots: workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []),
    options: isOptions(initializationOptions) ? initializationOptions : {},
    pullsDiagnostics: textDocument?.diagnostic !== undefined,
    refreshesDiagnostics: workspace?.diagnostics?.refreshSupport === true,
    refreshesLenses: workspace?.codeLens?.refreshSupport === true,
    takesSnippets: textDocument?.completion?.completionItem?.snippetSupport === true,
    readsMarkdown: formats === undefined || formats.includes("markdown"),
  };
}

function isOptions(value: unknown): value is InitializationOptions {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
