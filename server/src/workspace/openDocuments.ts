import { nameOf } from "../analysis/references.ts";
import { memoByObject } from "../base/memo.ts";
import type { Files } from "../base/ports.ts";
import { decodeFile } from "../notebook/bytes.ts";
import type { CellRef } from "../notebook/cell.ts";
import { cellKeys, cellNumbers } from "../notebook/key.ts";
import { type Document, type NotebookCellText, notebookDocument, textDocument } from "./documents.ts";

/** The part that clients use: changes of documents, and questions about their cells. */
export type DocumentCommands = ReturnType<OpenDocuments["commands"]>;

/** Called for each document. */
interface DocumentEvents {
  /** It was opened, or has changed. */
  changed(document: Document): void;
  closed(uri: string): void;
}

/** Characters of a text beyond which edits are parsed when a feature needs the document, and not at once. */
const maxEagerLength = 500_000;

/** The open notebooks, as cells or as text. URIs name text documents, notebooks and cell documents alike. */
export class OpenDocuments {
  readonly #files: Files;
  readonly #events: DocumentEvents;
  readonly #documents = new Map<string, Document>();
  /** The notebook of each cell document. */
  readonly #notebooks = new Map<string, string>();
  /** The newest text of long files that were edited and not needed since: many edits cost one parse. */
  readonly #unparsed = new Map<string, string>();
  #lastClosed: Document | undefined;
  #ofLastSession: Promise<Document | undefined> | undefined;

  constructor(files: Files, events: DocumentEvents) {
    this.#files = files;
    this.#events = events;
  }

  openText(uri: string, text: string): void {
    this.#unparsed.delete(uri);
    this.add(textDocument(uri, text));
  }
  changeText(uri: string, text: string): void {
    this.#unparsed.set(uri, text);
    if (text.length <= maxEagerLength) this.#parse(uri);
  }
  openNotebook(uri: string, cells: readonly NotebookCellText[]): void {
    this.add(notebookDocument(uri, cells));
  }
  changeNotebook(uri: string, cells: readonly NotebookCellText[]): void {
    this.add(notebookDocument(uri, cells, this.#documents.get(uri)));
  }
  /** Opens a document, or replaces it with a new version. */
  add(document: Document): void {
    const { uri, uris, file } = document;
    if (this.#documents.get(uri)?.uris !== uris) {
      this.#removeCells(uri);
      for (const cell of file ? [] : uris) this.#notebooks.set(cell, uri);
    }
    this.#documents.set(uri, document);
    this.#events.changed(document);
  }
  close(uri: string): void {
    this.#lastClosed = this.#documents.get(uri) ?? this.#lastClosed;
    this.#removeCells(uri);
    this.#unparsed.delete(uri);
    this.#documents.delete(uri);
    this.#events.closed(uri);
  }

  /** Returns the part that clients use, as an object that can be spread. */
  commands() {
    return {
      openText: this.openText.bind(this),
      changeText: this.changeText.bind(this),
      openNotebook: this.openNotebook.bind(this),
      changeNotebook: this.changeNotebook.bind(this),
      close: this.close.bind(this),
      siblings: this.siblings.bind(this),
      cellIndex: this.cellIndex.bind(this),
      cellNames: this.cellNames.bind(this),
      cellCount: this.cellCount.bind(this),
    };
  }

  /** @param uri - Of the document or of one of its cells. */
  of(uri: string): Document | undefined {
    const owner = this.ownerOf(uri);
    this.#parse(owner);
    return this.#documents.get(owner);
  }
  /** Returns the notebook of a cell; any other URI itself. */
  ownerOf(uri: string): string {
    return this.#notebooks.get(uri) ?? uri;
  }
  /** Returns an open document, or a file as a document that stays closed. */
  async read(uri: string): Promise<Document | undefined> {
    const open = this.of(uri);
    if (open) return open;
    const bytes = await this.#files.read(uri);
    const decoded = bytes && decodeFile(bytes);
    return decoded && "text" in decoded ? textDocument(uri, decoded.text) : undefined;
  }
  /** Whether this version of a document is open. */
  has(document: Document): boolean {
    return this.#documents.get(document.uri) === document;
  }
  all(): Iterable<Document> {
    return this.#documents.values();
  }
  lastOpened(): Document | undefined {
    return [...this.#documents.values()].at(-1);
  }
  /**
   * Returns the document that was open last, even if it is closed.
   *
   * @param before - URI of the one of the session before.
   */
  async lastNotebook(before: string | undefined): Promise<Document | undefined> {
    const inSession = this.lastOpened() ?? this.#lastClosed;
    if (inSession || before === undefined) return inSession;
    this.#ofLastSession ??= this.read(before);
    return this.#ofLastSession;
  }

  /** Returns the URIs of the notebook's cells for a notebook or one of its cells; else the URI alone. */
  siblings(uri: string): readonly string[] {
    return this.of(uri)?.uris ?? [uri];
  }
  /** @param key - A key, a name, or a number from 1, Markdown not counted. */
  cellIndex(uri: string, key: string): number | undefined {
    const document = this.of(uri);
    return document && indexOfText(document, key);
  }
  cellNames(uri: string): readonly string[] {
    return this.of(uri)?.cells.flatMap((cell) => nameOf(cell) ?? []) ?? [];
  }
  /** Counts the cells of a document, Markdown left out. */
  cellCount(uri: string): number {
    return Math.max(0, ...cellNumbers(this.of(uri)?.cells ?? []));
  }

  #parse(uri: string): void {
    const text = this.#unparsed.get(uri);
    if (text !== undefined && this.#unparsed.delete(uri)) this.add(textDocument(uri, text, this.#documents.get(uri)));
  }
  #removeCells(uri: string): void {
    for (const cell of this.#documents.get(uri)?.uris ?? [])
      if (this.#notebooks.get(cell) === uri) this.#notebooks.delete(cell);
  }
}

/**
 * Returns the keys of a document's cells, in order. Results, snapshots and streams belong to a key: it stays with a
 * request, however its text moves.
 */
export const keysOf = memoByObject(({ cells }: Document): readonly string[] => cellKeys(cells));

/** Returns the ordinal of the cell that the client refers to. */
export function indexOfRef(document: Document | undefined, ref: CellRef): number | undefined {
  return "index" in ref ? ref.index : document?.placesIn(ref.uri)[0]?.index;
}

/** @param text - A name, a key, or a number from 1, Markdown not counted. A name or a key wins. */
function indexOfText(document: Document, text: string): number | undefined {
  const keys = keysOf(document);
  const index = document.cells.findIndex((cell, at) => nameOf(cell) === text || keys[at] === text);
  if (index >= 0) return index;
  const byNumber = /^[1-9]\d*$/.test(text) ? cellNumbers(document.cells).indexOf(Number(text)) : -1;
  return byNumber < 0 ? undefined : byNumber;
}
