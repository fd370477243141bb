import { type InitializeResult, type ServerCapabilities, TextDocumentSyncKind } from "vscode-languageserver";
import type { Client } from "./client.ts";

/** The command of code lenses in editors that have none of their own for it. Arguments: URI, ordinal of the cell. */
export const runCommand = "rpcNotebook.run";

const notebookSync: NonNullable<ServerCapabilities["notebookDocumentSync"]> = {
  notebookSelector: [{ notebook: "rpc-notebook", cells: [{ language: "rpc-request" }] }],
  save: false,
};

export function initializeResult(client: Client): InitializeResult {
  return {
    serverInfo: { name: "rpc-notebook" },
    capabilities: {
      positionEncoding: "utf-16",
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
      notebookDocumentSync: notebookSync,
      completionProvider: { triggerCharacters: ['"', "{", ".", "$"] },
      hoverProvider: true,
      codeLensProvider: {},
      executeCommandProvider: { commands: [runCommand], workDoneProgress: true },
      ...(client.pullsDiagnostics && {
        diagnosticProvider: { identifier: "rpc-notebook", interFileDependencies: true, workspaceDiagnostics: false },
      }),
    },
  };
}
