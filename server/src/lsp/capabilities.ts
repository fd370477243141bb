import { type InitializeResult, type ServerCapabilities, TextDocumentSyncKind } from "vscode-languageserver";
import { tokenModifiers, tokenTypes } from "../features/tokenLegend.ts";
import { sourceScheme } from "../workspace/sourceScheme.ts";
import type { Client } from "./client.ts";
import { codeActionKinds, commands } from "./commandNames.ts";

const notebookSync: NonNullable<ServerCapabilities["notebookDocumentSync"]> = {
  notebookSelector: [{ notebook: "rpc-notebook", cells: [{ language: "rpc-request" }] }],
  save: false,
};

/** Lists what the server can do. Editors with and without dynamic registration get the same list. */
export function initializeResult(client: Client): InitializeResult {
  return {
    serverInfo: { name: "rpc-notebook" },
    capabilities: {
      positionEncoding: client.encoding,
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
      notebookDocumentSync: notebookSync,
      completionProvider: {
        triggerCharacters: ['"', "{", "[", ".", "$", ..."0123456789"],
        ...(client.resolvesDocumentation && { resolveProvider: true }),
      },
      hoverProvider: true,
      signatureHelpProvider: { triggerCharacters: ["[", ","], retriggerCharacters: ["]"] },
      ...(client.takesActions && { codeActionProvider: { codeActionKinds: [...Object.values(codeActionKinds)] } }),
      codeLensProvider: { resolveProvider: true },
      inlayHintProvider: true,
      semanticTokensProvider: {
        legend: { tokenTypes: [...tokenTypes], tokenModifiers: [...tokenModifiers] },
        full: { delta: true },
        range: true,
      },
      documentSymbolProvider: true,
      foldingRangeProvider: true,
      selectionRangeProvider: true,
      documentLinkProvider: {},
      definitionProvider: true,
      referencesProvider: true,
      documentHighlightProvider: true,
      renameProvider: client.asksBeforeRename ? { prepareProvider: true } : true,
      documentFormattingProvider: true,
      documentRangeFormattingProvider: true,
      workspace: {
        textDocumentContent: { schemes: [sourceScheme] },
        ...(client.changesFolders && { workspaceFolders: { supported: true, changeNotifications: true } }),
      },
      // Our own client has commands of these names already.
      ...(!client.options.runsCells && {
        executeCommandProvider: { commands: Object.values(commands), workDoneProgress: true },
      }),
      ...(client.pullsDiagnostics && {
        diagnosticProvider: { identifier: "rpc-notebook", interFileDependencies: true, workspaceDiagnostics: false },
      }),
    },
  };
}
