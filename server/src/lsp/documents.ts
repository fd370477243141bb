import type {
  Connection,
  DidChangeNotebookDocumentParams,
  NotebookCell,
  TextDocumentContentChangeEvent,
  TextDocumentItem,
} from "vscode-languageserver";
import type { Service } from "../service/service.ts";
import type { NotebookCellText } from "../workspace/documents.ts";
import type { Guard } from "./guard.ts";
import { type Encoding, type OpenText, openText } from "./positions.ts";

/** The texts that the editor has open, by URI, cells among them. */
export type Texts = ReadonlyMap<string, OpenText>;

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
  texts: Map<string, OpenText>,
  encoding: Encoding,
  guard: Guard,
  events: DocumentEvents,
): (cellUri: string) => string | undefined {
  /** The cells of each notebook: what an edit leaves alone stays the same object, with the same string in it. */
  const notebooks = new Map<string, readonly NotebookCellText[]>();
  const owners = new Map<string, string>();
  /** Files of which the service knows the text. An editor may hold both, and tells of changes in what nobody sees. */
  const asText = new Set<string>();
  const heard = <Params>(name: string, handler: (params: Params) => void) =>
    guard(name, undefined as undefined, handler);

  const open = (item: TextDocumentItem): OpenText => {
    const text = openText(item, encoding);
    texts.set(item.uri, text);
    return text;
  };
  const edit = (uri: string, version: number, changes: readonly TextDocumentContentChangeEvent[]): void =>
    texts.get(uri)?.edit(changes, version);
  const contentOf = (uri: string): string => texts.get(uri)?.text() ?? "";
  const cellOf = (cell: NotebookCell): NotebookCellText => cellText(cell, contentOf(cell.document));
  const drop = (uris: readonly string[]): void => {
    for (const uri of uris) {
      texts.delete(uri);
      owners.delete(uri);
      events.closed(uri);
    }
  };

  connection.onDidOpenTextDocument(
    heard("open", ({ textDocument }) => {
      asText.add(textDocument.uri);
      service.openText(textDocument.uri, open(textDocument).text());
      events.affected(textDocument.uri);
    }),
  );
  connection.onDidChangeTextDocument(
    heard("change", ({ textDocument: { uri, version }, contentChanges }) => {
      edit(uri, version, contentChanges);
      if (!asText.has(uri)) return;
      service.changeText(uri, contentOf(uri));
      events.changed(uri);
    }),
  );
  connection.onDidCloseTextDocument(
    heard("close", ({ textDocument: { uri } }) => {
      const known = asText.delete(uri);
      if (known) service.close(uri);
      drop([uri]);
      const cells = notebooks.get(uri); // shown as a notebook instead
      if (known && cells) service.openNotebook(uri, cells);
    }),
  );

  const sync = connection.notebooks.synchronization;
  sync.onDidOpenNotebookDocument(
    heard("open notebook", ({ notebookDocument: { uri, cells }, cellTextDocuments }) => {
      for (const document of cellTextDocuments) open(document);
      for (const cell of cells) owners.set(cell.document, uri);
      const opened = cells.map(cellOf);
      notebooks.set(uri, opened);
      asText.delete(uri);
      service.openNotebook(uri, opened);
      events.affected(uri);
    }),
  );
  sync.onDidChangeNotebookDocument(
    heard("change notebook", ({ notebookDocument: { uri }, change }) => {
      const before = notebooks.get(uri);
      if (!before) return;
      const { structure, data = [], textContent = [] } = change.cells ?? {};
      for (const document of structure?.didOpen ?? []) open(document);
      for (const { document, changes } of textContent) edit(document.uri, document.version, changes);
      for (const cell of structure?.array.cells ?? []) owners.set(cell.document, uri);
      const cells = structure ? spliced(before, structure.array, cellOf) : [...before];
      for (const cell of data) replace(cells, cell.document, () => cellOf(cell));
      for (const { document } of textContent)
        replace(cells, document.uri, (cell) => ({ ...cell, text: contentOf(document.uri) }));
      drop((structure?.didClose ?? []).map((document) => document.uri));
      notebooks.set(uri, cells);
      if (asText.has(uri)) return;
      service.changeNotebook(uri, cells);
      for (const { document } of textContent) events.changed(document.uri);
      if (structure || data.length > 0) events.affected(uri);
    }),
  );
  sync.onDidCloseNotebookDocument(
    heard("close notebook", ({ notebookDocument: { uri }, cellTextDocuments }) => {
      notebooks.delete(uri);
      const known = !asText.has(uri);
      if (known) service.close(uri);
      drop(cellTextDocuments.map((document) => document.uri));
      const text = texts.get(uri); // shown as text instead
      if (!known || !text) return;
      asText.add(uri);
      service.openText(uri, text.text());
    }),
  );
  return (cellUri) => owners.get(cellUri);
}

type CellsChange = NonNullable<NonNullable<DidChangeNotebookDocumentParams["change"]["cells"]>["structure"]>["array"];

function spliced(
  before: readonly NotebookCellText[],
  { start, deleteCount, cells = [] }: CellsChange,
  cellOf: (cell: NotebookCell) => NotebookCellText,
): NotebookCellText[] {
  return [...before.slice(0, start), ...cells.map(cellOf), ...before.slice(start + deleteCount)];
}

function replace(cells: NotebookCellText[], uri: string, change: (cell: NotebookCellText) => NotebookCellText): void {
  const at = cells.findIndex((cell) => cell.uri === uri);
  const cell = cells[at];
  if (cell) cells[at] = change(cell);
}

function cellText({ document, kind, metadata }: NotebookCell, text: string): NotebookCellText {
  const header: unknown = metadata && "header" in metadata ? metadata.header : undefined;
  const mark = typeof header === "boolean" ? { header } : {};
  return { uri: document, kind: kind === markup ? "markdown" : "code", text, ...mark };
}
