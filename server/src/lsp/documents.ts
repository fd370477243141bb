import type {
  Connection,
  DidChangeNotebookDocumentParams,
  NotebookCell,
  TextDocumentContentChangeEvent,
  TextDocumentItem,
} from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { NotebookCellText, Service } from "../service.ts";
import type { Guard } from "./guard.ts";

/** The texts that the editor has open, by URI, cells among them. */
export type Texts = ReadonlyMap<string, TextDocument>;

/** Told after the service knows. */
export interface DocumentEvents {
  /** A text was edited. */
  changed(uri: string): void;
  /** What is said of a text, or of the cells of a notebook, may have changed although they have not. */
  affected(uri: string): void;
  closed(uri: string): void;
}

const markup = 1; // NotebookCellKind.Markup of the protocol

/**
 * Keeps the open documents and tells the service about them. Notebooks are followed by their raw notifications, since
 * the library's events leave out a cell that only moved.
 *
 * @param texts - Filled and emptied here alone.
 * @returns The notebook of a cell, by URI.
 */
export function followDocuments(
  connection: Connection,
  service: Service,
  texts: Map<string, TextDocument>,
  guard: Guard,
  events: DocumentEvents,
): (cellUri: string) => string | undefined {
  const notebooks = new Map<string, NotebookCell[]>();
  const owners = new Map<string, string>();
  const heard = <Params>(name: string, handler: (params: Params) => void) =>
    guard(name, undefined as undefined, handler);

  const open = ({ uri, languageId, version, text }: TextDocumentItem): TextDocument => {
    const document = TextDocument.create(uri, languageId, version, text);
    texts.set(uri, document);
    return document;
  };
  const edit = (uri: string, version: number, changes: readonly TextDocumentContentChangeEvent[]): void => {
    const document = texts.get(uri);
    if (document) texts.set(uri, TextDocument.update(document, [...changes], version));
  };
  const cellsOf = (uri: string): readonly NotebookCellText[] =>
    (notebooks.get(uri) ?? []).map((cell) => cellText(cell, texts.get(cell.document)?.getText() ?? ""));
  const drop = (uris: readonly string[]): void => {
    for (const uri of uris) {
      texts.delete(uri);
      owners.delete(uri);
      events.closed(uri);
    }
  };

  connection.onDidOpenTextDocument(
    heard("open", ({ textDocument }) => {
      service.openText(textDocument.uri, open(textDocument).getText());
      events.affected(textDocument.uri);
    }),
  );
  connection.onDidChangeTextDocument(
    heard("change", ({ textDocument: { uri, version }, contentChanges }) => {
      edit(uri, version, contentChanges);
      service.changeText(uri, texts.get(uri)?.getText() ?? "");
      events.changed(uri);
    }),
  );
  connection.onDidCloseTextDocument(
    heard("close", ({ textDocument: { uri } }) => {
      service.close(uri);
      drop([uri]);
      // an editor that shows the text as a notebook instead opens that first, under the same URI
      if (notebooks.has(uri)) service.openNotebook(uri, cellsOf(uri));
    }),
  );

  const sync = connection.notebooks.synchronization;
  sync.onDidOpenNotebookDocument(
    heard("open notebook", ({ notebookDocument: { uri, cells }, cellTextDocuments }) => {
      notebooks.set(uri, [...cells]);
      for (const document of cellTextDocuments) open(document);
      for (const cell of cells) owners.set(cell.document, uri);
      service.openNotebook(uri, cellsOf(uri));
      events.affected(uri);
    }),
  );
  sync.onDidChangeNotebookDocument(
    heard("change notebook", ({ notebookDocument: { uri }, change }) => {
      const cells = notebooks.get(uri);
      if (!cells) return;
      const { structure, data = [], textContent = [] } = change.cells ?? {};
      for (const document of structure?.didOpen ?? []) open(document);
      if (structure) splice(cells, structure.array);
      for (const cell of structure?.array.cells ?? []) owners.set(cell.document, uri);
      for (const cell of data) replace(cells, cell);
      for (const { document, changes } of textContent) edit(document.uri, document.version, changes);
      drop((structure?.didClose ?? []).map((document) => document.uri));
      service.changeNotebook(uri, cellsOf(uri));
      for (const { document } of textContent) events.changed(document.uri);
      if (structure || data.length > 0) events.affected(uri);
    }),
  );
  sync.onDidCloseNotebookDocument(
    heard("close notebook", ({ notebookDocument: { uri }, cellTextDocuments }) => {
      notebooks.delete(uri);
      service.close(uri);
      drop(cellTextDocuments.map((document) => document.uri));
      const text = texts.get(uri); // shown as text instead
      if (text) service.openText(uri, text.getText());
    }),
  );
  return (cellUri) => owners.get(cellUri);
}

function splice(
  cells: NotebookCell[],
  {
    start,
    deleteCount,
    cells: added = [],
  }: NonNullable<NonNullable<DidChangeNotebookDocumentParams["change"]["cells"]>["structure"]>["array"],
): void {
  cells.splice(start, deleteCount, ...added);
}

function replace(cells: NotebookCell[], cell: NotebookCell): void {
  const at = cells.findIndex(({ document }) => document === cell.document);
  if (at >= 0) cells[at] = cell;
}

function cellText({ document, kind, metadata }: NotebookCell, text: string): NotebookCellText {
  const header: unknown = metadata && "header" in metadata ? metadata.header : undefined;
  const mark = typeof header === "boolean" ? { header } : {};
  return { uri: document, kind: kind === markup ? "markdown" : "code", text, ...mark };
}
