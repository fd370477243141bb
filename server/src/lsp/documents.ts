import type {
  Connection,
  DidChangeNotebookDocumentParams,
  NotebookCell,
  NotebookDocument,
  TextDocumentContentChangeEvent,
  TextDocumentItem,
} from "vscode-languageserver";
import { dataKey } from "../notebook/readFile.ts";
import type { Service } from "../service/service.ts";
import type { NotebookCellText } from "../workspace/documents.ts";
import type { Guard } from "./guard.ts";
import { type Encoding, type OpenText, openText } from "./positions.ts";

/** The texts that the editor has open, by URI, cells among them. */
export type Texts = ReadonlyMap<string, OpenText>;

/** Called after the service has been told. */
export interface DocumentEvents {
  /** A text was edited. */
  changed(uri: string): void;
  /** Problems of a text, or of the cells of a notebook, may have changed although the text has not. */
  affected(uri: string): void;
  closed(uri: string): void;
}

/**
 * Keeps the open documents and tells the service about them.
 *
 * An editor may hold a file as text and as a notebook at once, and reports changes of both. The service gets the form
 * that was opened last; the changes of the other are kept for when that one is closed.
 */
export class OpenDocuments {
  readonly #service: Service;
  readonly #encoding: Encoding;
  readonly #events: DocumentEvents;
  readonly #texts = new Map<string, OpenText>();
  /** The cells of each notebook. A cell that an edit leaves alone stays the same object, with the same string in it. */
  readonly #notebooks = new Map<string, readonly NotebookCellText[]>();
  /** The notebook of each cell. */
  readonly #owners = new Map<string, string>();
  /** Files that the service knows as text. */
  readonly #asText = new Set<string>();

  constructor(service: Service, encoding: Encoding, events: DocumentEvents) {
    this.#service = service;
    this.#encoding = encoding;
    this.#events = events;
  }

  get texts(): Texts {
    return this.#texts;
  }

  /** Returns the notebook of a cell, by URI. */
  notebookOf(cellUri: string): string | undefined {
    return this.#owners.get(cellUri);
  }

  openText(item: TextDocumentItem): void {
    const { uri } = item;
    this.#asText.add(uri);
    this.#service.openText(uri, this.#open(item).text());
    this.#events.affected(uri);
  }

  changeText(uri: string, version: number, changes: readonly TextDocumentContentChangeEvent[]): void {
    this.#edit(uri, version, changes);
    if (!this.#asText.has(uri)) return;
    this.#service.changeText(uri, this.#contentOf(uri));
    this.#events.changed(uri);
  }

  closeText(uri: string): void {
    const wasText = this.#asText.delete(uri);
    if (wasText) this.#service.close(uri);
    this.#drop([uri]);
    const cells = this.#notebooks.get(uri);
    if (wasText && cells) this.#service.openNotebook(uri, cells);
  }

  openNotebook({ uri, cells }: NotebookDocument, cellTexts: readonly TextDocumentItem[]): void {
    for (const item of cellTexts) this.#open(item);
    for (const cell of cells) this.#owners.set(cell.document, uri);
    const opened = cells.map(this.#cellOf);
    this.#notebooks.set(uri, opened);
    this.#asText.delete(uri);
    this.#service.openNotebook(uri, opened);
    this.#events.affected(uri);
  }

  changeNotebook(uri: string, { structure, data = [], textContent = [] }: CellChanges): void {
    const before = this.#notebooks.get(uri);
    if (!before) return;
    for (const item of structure?.didOpen ?? []) this.#open(item);
    for (const { document, changes } of textContent) this.#edit(document.uri, document.version, changes);
    for (const cell of structure?.array.cells ?? []) this.#owners.set(cell.document, uri);
    const cells = structure ? spliced(before, structure.array, this.#cellOf) : [...before];
    for (const cell of data) replace(cells, cell.document, () => this.#cellOf(cell));
    for (const { document } of textContent)
      replace(cells, document.uri, (cell) => ({ ...cell, text: this.#contentOf(document.uri) }));
    this.#drop((structure?.didClose ?? []).map((document) => document.uri));
    this.#notebooks.set(uri, cells);
    if (this.#asText.has(uri)) return;
    this.#service.changeNotebook(uri, cells);
    for (const { document } of textContent) this.#events.changed(document.uri);
    if (structure || data.length > 0) this.#events.affected(uri);
  }

  closeNotebook(uri: string, cellUris: readonly string[]): void {
    this.#notebooks.delete(uri);
    const wasNotebook = !this.#asText.has(uri);
    if (wasNotebook) this.#service.close(uri);
    this.#drop(cellUris);
    const text = this.#texts.get(uri);
    if (!wasNotebook || !text) return;
    this.#asText.add(uri);
    this.#service.openText(uri, text.text());
  }

  #open(item: TextDocumentItem): OpenText {
    const text = openText(item, this.#encoding);
    this.#texts.set(item.uri, text);
    return text;
  }

  #edit(uri: string, version: number, changes: readonly TextDocumentContentChangeEvent[]): void {
    this.#texts.get(uri)?.edit(changes, version);
  }

  #contentOf(uri: string): string {
    return this.#texts.get(uri)?.text() ?? "";
  }

  readonly #cellOf = (cell: NotebookCell): NotebookCellText => cellText(cell, this.#contentOf(cell.document));

  #drop(uris: readonly string[]): void {
    for (const uri of uris) {
      this.#texts.delete(uri);
      this.#owners.delete(uri);
      this.#events.closed(uri);
    }
  }
}

/**
 * Follows the editor's notifications about documents. Those of notebooks are followed raw: the library's events leave
 * out a cell that only moved.
 */
export function followDocuments(connection: Connection, documents: OpenDocuments, guard: Guard): void {
  const guarded = <Params>(name: string, handler: (params: Params) => void) =>
    guard(name, undefined as undefined, handler);
  connection.onDidOpenTextDocument(guarded("open", ({ textDocument }) => documents.openText(textDocument)));
  connection.onDidChangeTextDocument(
    guarded("change", ({ textDocument: { uri, version }, contentChanges }) =>
      documents.changeText(uri, version, contentChanges),
    ),
  );
  connection.onDidCloseTextDocument(guarded("close", ({ textDocument: { uri } }) => documents.closeText(uri)));
  const { synchronization } = connection.notebooks;
  synchronization.onDidOpenNotebookDocument(
    guarded("open notebook", ({ notebookDocument, cellTextDocuments }) =>
      documents.openNotebook(notebookDocument, cellTextDocuments),
    ),
  );
  synchronization.onDidChangeNotebookDocument(
    guarded("change notebook", ({ notebookDocument: { uri }, change }) =>
      documents.changeNotebook(uri, change.cells ?? {}),
    ),
  );
  synchronization.onDidCloseNotebookDocument(
    guarded("close notebook", ({ notebookDocument: { uri }, cellTextDocuments }) =>
      documents.closeNotebook(
        uri,
        cellTextDocuments.map((document) => document.uri),
      ),
    ),
  );
}

type CellChanges = NonNullable<DidChangeNotebookDocumentParams["change"]["cells"]>;

function spliced(
  before: readonly NotebookCellText[],
  { start, deleteCount, cells = [] }: NonNullable<CellChanges["structure"]>["array"],
  cellOf: (cell: NotebookCell) => NotebookCellText,
): NotebookCellText[] {
  return [...before.slice(0, start), ...cells.map(cellOf), ...before.slice(start + deleteCount)];
}

function replace(cells: NotebookCellText[], uri: string, change: (cell: NotebookCellText) => NotebookCellText): void {
  const at = cells.findIndex((cell) => cell.uri === uri);
  const cell = cells[at];
  if (cell) cells[at] = change(cell);
}

const markup = 1; // NotebookCellKind.Markup of the protocol

function cellText({ document, kind, metadata }: NotebookCell, text: string): NotebookCellText {
  const header: unknown = metadata && "header" in metadata ? metadata.header : undefined;
  const isHeader = typeof header === "boolean" ? { header } : {};
  const data: unknown = metadata && dataKey in metadata ? metadata[dataKey] : undefined;
  const recording = typeof data === "string" ? { recordingData: data } : {};
  return { uri: document, kind: kind === markup ? "markdown" : "code", text, ...isHeader, ...recording };
}
