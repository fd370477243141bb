import { spawn } from "node:child_process";
import path from "node:path";
import {
  createProtocolConnection,
  type Position,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { type BenchNotebook, placesIn } from "./notebook.ts";

const main = path.resolve("dist/server/main.mjs"); // scripts/bench.mjs starts this in the project's folder

/** An editor with the notebook open in one of its two views, at the other end of a server's pipes. */
export interface Editor {
  readonly connection: ProtocolConnection;
  /** The document that is edited: a cell, or the whole file. */
  readonly uri: string;
  /** Where an address is typed, and a name that another cell refers to. */
  readonly address: Position;
  readonly name: Position;
  /** Types a digit into the address, or deletes it, and notifies the server. */
  type(): void;
  close(): Promise<void>;
}

export async function openEditor(notebook: BenchNotebook, view: "cells" | "text"): Promise<Editor> {
  const server = spawn(process.execPath, [main, "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  for (const method of [
    "client/registerCapability",
    "workspace/diagnostic/refresh",
    "workspace/semanticTokens/refresh",
    "workspace/inlayHint/refresh",
    "workspace/codeLens/refresh",
  ])
    connection.onRequest(method, () => null);
  connection.onUnhandledNotification(() => {});
  connection.listen();
  await connection.sendRequest("initialize", { processId: process.pid, rootUri: null, capabilities });
  await connection.sendNotification("initialized", {});
  const edited = view === "text" ? await openFile(connection, notebook) : await openCells(connection, notebook);

  const { uri, text } = edited;
  const document = TextDocument.create(uri, "rpc-request", 1, text);
  const address = document.positionAt(placesIn(text).address);
  let version = 1;
  return {
    connection,
    uri,
    address,
    name: document.positionAt(placesIn(text).name),
    type() {
      const isTyped = version++ % 2 === 0;
      const end = { line: address.line, character: address.character + (isTyped ? 1 : 0) };
      edited.change(version, [{ range: { start: address, end }, text: isTyped ? "" : "a" }]);
    },
    async close() {
      await connection.sendRequest("shutdown");
      await connection.sendNotification("exit");
      await new Promise((resolve) => server.once("exit", resolve));
      connection.dispose();
    },
  };
}

interface Edited {
  readonly uri: string;
  readonly text: string;
  change(version: number, contentChanges: readonly object[]): void;
}

const file = "file:///bench/bench.rpc.json";

async function openFile(connection: ProtocolConnection, { text }: BenchNotebook): Promise<Edited> {
  const textDocument = { uri: file, languageId: "rpc-notebook", version: 1, text };
  await connection.sendNotification("textDocument/didOpen", { textDocument });
  return {
    uri: file,
    text,
    change(version, contentChanges) {
      void connection.sendNotification("textDocument/didChange", {
        textDocument: { uri: file, version },
        contentChanges,
      });
    },
  };
}

async function openCells(connection: ProtocolConnection, { cells, edited }: BenchNotebook): Promise<Edited> {
  const uriOf = (at: number): string => `vscode-notebook-cell:/bench/bench.rpc.json#${at}`;
  await connection.sendNotification("notebookDocument/didOpen", {
    notebookDocument: {
      uri: file,
      notebookType: "rpc-notebook",
      version: 1,
      cells: cells.map((_, at) => ({ kind: 2, document: uriOf(at), metadata: { header: at === 0 } })),
    },
    cellTextDocuments: cells.map((text, at) => ({ uri: uriOf(at), languageId: "rpc-request", version: 1, text })),
  });
  const uri = uriOf(edited);
  return {
    uri,
    text: cells[edited] ?? "",
    change(version, changes) {
      void connection.sendNotification("notebookDocument/didChange", {
        notebookDocument: { uri: file, version },
        change: { cells: { textContent: [{ document: { uri, version }, changes }] } },
      });
    },
  };
}

/** The capabilities of VS Code that decide how much is sent. */
const capabilities = {
  workspace: {
    codeLens: { refreshSupport: true },
    diagnostics: { refreshSupport: true },
    inlayHint: { refreshSupport: true },
    semanticTokens: { refreshSupport: true },
  },
  notebookDocument: { synchronization: { dynamicRegistration: true } },
  textDocument: {
    diagnostic: {},
    completion: {
      completionList: { itemDefaults: ["commitCharacters", "editRange", "insertTextFormat", "insertTextMode", "data"] },
      completionItem: {
        snippetSupport: true,
        documentationFormat: ["markdown"],
        resolveSupport: { properties: ["documentation", "detail", "additionalTextEdits"] },
      },
    },
    hover: { contentFormat: ["markdown"] },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    semanticTokens: {
      requests: { range: true, full: { delta: true } },
      tokenTypes: [],
      tokenModifiers: [],
      formats: ["relative"],
    },
    inlayHint: {},
    codeLens: {},
    rename: { prepareSupport: true },
  },
};
