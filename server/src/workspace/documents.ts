import { type Span, shift, span } from "../base/span.ts";
import { type FileRange, lineColumn } from "../base/text.ts";
import type { CellEdit } from "../features/location.ts";
import type { Cell } from "../notebook/cell.ts";
import type { CellRef } from "../notebook/cellRef.ts";
import { headerIndex } from "../notebook/header.ts";
import { readCell } from "../notebook/readCell.ts";
import {
  type FileHeader,
  type FileText,
  fileToHeader,
  headerToFile,
  readFile,
  updateFile,
} from "../notebook/readFile.ts";
import type { FileFault } from "../notebook/scan.ts";

/** An open notebook, whether it is shown as cells or as one text. A new one replaces it at every change. */
export interface Document {
  readonly uri: string;
  readonly header: Cell | undefined;
  /** In order, the header left out. The same array for as long as nothing changes. */
  readonly cells: readonly Cell[];
  /** How the client knows each of `cells`. The same array for as long as no cell comes, goes or moves. */
  readonly refs: readonly CellRef[];
  /** Of the file as a whole; a notebook that is shown as cells has none. */
  readonly faults: readonly FileFault[];
  /** The text that the places count in, where all is one text. */
  readonly file: FileText | undefined;
  /** The client's documents that it consists of, in order: the cells' own, or the file's. */
  readonly uris: readonly string[];
  /** Of every cell, in order; the header of a file comes last. */
  places(): readonly CellPlace[];
  /** Of the cells that stand in one of the client's documents; with a range, at least of those that it touches. */
  placesIn(uri: string, range?: Span): readonly CellPlace[];
  /** The cell at an offset; where two touch, the one that begins there. */
  placeAt(uri: string, offset: number): CellPlace | undefined;
  /** `undefined` where the cell is not of this notebook. */
  placeOf(cell: Cell): CellPlace | undefined;
}

/** Where a cell stands in a document of the client. */
export interface CellPlace {
  readonly cell: Cell;
  /** The cell's own document, or the file's. */
  readonly uri: string;
  /** Ordinal in `cells`; `undefined` for the header. */
  readonly index: number | undefined;
  /** Offset of its text in the document; the header of a file has the cells amid its text. */
  readonly at: number | FileHeader;
}

/** A span of a cell as one of its document. */
export function toDocument({ at }: CellPlace, one: Span): Span {
  if (at === 0) return one;
  return typeof at === "number" ? shift(one, at) : headerToFile(at, one);
}

/** @returns `undefined` where the offset is not in this cell. */
export function toCell({ at, cell }: CellPlace, offset: number): number | undefined {
  if (typeof at !== "number") return fileToHeader(at, offset);
  return offset >= at && offset <= at + cell.text.length ? offset - at : undefined;
}

/** The part of a range that lies in a cell, in its offsets; `undefined` where they do not touch. */
export function partIn({ at, cell }: CellPlace, { start, end }: Span): Span | undefined {
  const length = cell.text.length;
  if (typeof at === "number") {
    return start > at + length || end < at ? undefined : span(Math.max(start - at, 0), Math.min(end - at, length));
  }
  const { span: root, cut } = at;
  if (start > root.end || end < root.start || (start > cut.start && end < cut.end)) return undefined;
  const joint = cut.start - root.start;
  const inHeader = (offset: number): number =>
    fileToHeader(at, Math.min(Math.max(offset, root.start), root.end)) ?? joint;
  return span(inHeader(start), inHeader(end));
}

/** A span of a document of the client. */
export interface DocumentSpan {
  readonly uri: string;
  readonly span: Span;
}

/** A span of a cell as one of the client's documents; none where the cell is not of this notebook. */
export function located(
  document: Document,
  { cell, span }: { readonly cell: Cell; readonly span: Span },
): readonly DocumentSpan[] {
  const place = document.placeOf(cell);
  return place ? [{ uri: place.uri, span: toDocument(place, span) }] : [];
}

/** A span of a cell as lines and columns of one of the client's documents; `undefined` if the cell is not of this notebook. */
export function fileRange(document: Document, cell: Cell, span: Span): FileRange | undefined {
  const place = document.placeOf(cell);
  if (!place) return undefined;
  const text = document.file?.text ?? cell.text;
  const { start, end } = toDocument(place, span);
  return { uri: place.uri, start: lineColumn(text, start), end: lineColumn(text, end) };
}

/** A replacement in a document of the client. */
export interface TextEdit extends DocumentSpan {
  readonly insert: string;
}

/**
 * Edits of cells as edits of the client's documents.
 *
 * @returns `undefined` where one of them cannot be made: its cell is not of this notebook, or it reaches over the place
 * in the header where the file has its cells.
 */
export function textEdits(document: Document, edits: readonly CellEdit[]): readonly TextEdit[] | undefined {
  const made = edits.flatMap(({ cell, span, insert }): readonly TextEdit[] => {
    const [place] = located(document, { cell, span });
    if (!place || place.span.end - place.span.start !== span.end - span.start) return [];
    return [{ ...place, insert: cell === document.header ? besideCells(document, insert) : insert }];
  });
  return made.length === edits.length ? made : undefined;
}

/** In a file that has nothing but cells, the first member of a header stands in front of them. */
function besideCells({ header, file }: Document, insert: string): string {
  const alone = header?.root?.type === "object" && (header.root.children?.length ?? 0) === 0;
  const cut = file?.header?.cut;
  return alone && cut && cut.end > cut.start ? `${insert.trimEnd()},` : insert;
}

/** @param last - What was open under this URI; nothing is taken from one that was shown as cells. */
export function textDocument(uri: string, text: string, last?: Document): Document {
  const file = last?.file ? updateFile(last.file, text) : readFile(text);
  const { cells, spans } = file;
  const header: readonly CellPlace[] = file.header
    ? [{ cell: file.header.cell, uri, index: undefined, at: file.header }]
    : [];
  const placesOf = (from: number, to: number): CellPlace[] => {
    const places: CellPlace[] = [];
    for (let index = from; index < to; index++) {
      const [cell, at] = [cells[index], spans.at(index)?.start];
      if (cell && at !== undefined) places.push({ cell, uri, index, at });
    }
    return places;
  };
  const places = once(() => placesOf(0, cells.length).concat(header));
  const indexOf = once(() => new Map(cells.map((cell, index) => [cell, index])));
  return {
    uri,
    header: file.header?.cell,
    cells,
    refs: last?.file && last.refs.length === cells.length ? last.refs : cells.map((_, index) => ({ index })),
    faults: file.faults,
    file,
    uris: last?.file ? last.uris : [uri],
    places,
    placesIn(one, range) {
      if (one !== uri) return [];
      return range ? placesOf(spans.endingBefore(range.start), spans.startingBy(range.end)).concat(header) : places();
    },
    placeAt(_, offset) {
      const behind = spans.startingBy(offset);
      return [...placesOf(behind - 1, behind), ...header].find((one) => toCell(one, offset) !== undefined);
    },
    placeOf(cell) {
      if (cell === file.header?.cell) return header[0];
      const index = indexOf().get(cell);
      return index === undefined ? undefined : placesOf(index, index + 1)[0];
    },
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A cell of an open notebook document. The header is a code cell like the others: first, and marked or recognised. */
export interface NotebookCellText {
  /** URI of the cell's own document. */
  readonly uri: string;
  readonly kind: "code" | "markdown";
  readonly text: string;
  /** Metadata says that it is the header; absent after copy and paste, when its shape decides. */
  readonly header?: boolean;
}

/**
 * @param texts - Those that are the same objects as before have not changed.
 * @param last - What was open under this URI; nothing is taken from one that was shown as text.
 */
export function notebookDocument(uri: string, texts: readonly NotebookCellText[], last?: Document): Document {
  const before = last && arrangements.get(last);
  const headerAt = headerIndex(texts, before && last.header?.text);
  const now = (before?.headerAt === headerAt ? retyped(before, texts) : undefined) ?? arranged(texts, headerAt, before);
  const { places, cells, refs, uris } = now;
  const placesIn = (uri: string): readonly CellPlace[] => {
    const place = places[now.position.get(uri) ?? -1];
    return place ? [place] : [];
  };
  const byCell = once(() => new Map(places.map((place) => [place.cell, place])));
  const document: Document = {
    uri,
    header: places[headerAt]?.cell,
    cells,
    refs,
    faults: [],
    file: undefined,
    uris,
    places: () => places,
    placesIn,
    placeAt: (uri, offset) => placesIn(uri).find((place) => toCell(place, offset) !== undefined),
    placeOf: (cell) => byCell().get(cell),
  };
  arrangements.set(document, now);
  return document;
}

/** The cells of a notebook as they stand. */
interface Arrangement extends Pick<Document, "cells" | "refs" | "uris"> {
  readonly texts: readonly NotebookCellText[];
  readonly places: readonly CellPlace[];
  /** -1 where there is none. */
  readonly headerAt: number;
  /** Of each URI in `places`. */
  readonly position: ReadonlyMap<string, number>;
}

const arrangements = new WeakMap<Document, Arrangement>();

/** The same cells in the same places, some with a new text; `undefined` where it is more than that. */
function retyped(before: Arrangement, texts: readonly NotebookCellText[]): Arrangement | undefined {
  if (texts.length !== before.texts.length) return undefined;
  const places = [...before.places];
  const cells = [...before.cells];
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at];
    const known = places[at];
    if (text === before.texts[at] || !text || !known) continue;
    if (text.uri !== known.uri) return undefined;
    const place = reread(text, known.index, known);
    places[at] = place;
    if (place.index !== undefined) cells[place.index] = place.cell;
  }
  return { ...before, texts, places, cells };
}

function arranged(texts: readonly NotebookCellText[], headerAt: number, before: Arrangement | undefined): Arrangement {
  const places = texts.map((text, at) => {
    const index = at === headerAt ? undefined : at - (headerAt >= 0 && at > headerAt ? 1 : 0);
    return reread(text, index, before?.places[before.position.get(text.uri) ?? -1]);
  });
  const inOrder = places.filter(({ index }) => index !== undefined);
  return {
    texts,
    places,
    cells: inOrder.map(({ cell }) => cell),
    refs: inOrder.map(({ uri }) => ({ uri })),
    uris: places.map(({ uri }) => uri),
    headerAt,
    position: new Map(places.map(({ uri }, at) => [uri, at])),
  };
}

/** @param index - `undefined` for the header. */
function reread(
  { uri, text, kind }: NotebookCellText,
  index: number | undefined,
  known: CellPlace | undefined,
): CellPlace {
  const given = kind === "markdown" ? "markdown" : index === undefined ? "header" : undefined;
  const same = known?.cell.text === text && kindGiven(known.cell) === given;
  return { uri, index, at: 0, cell: same ? known.cell : readCell(text, given) };
}

/** What was known of a cell's kind without its text; Markdown in its JSON form has a tree. */
function kindGiven({ kind, root }: Cell): "header" | "markdown" | undefined {
  if (kind === "header") return "header";
  return kind === "markdown" && root === undefined ? "markdown" : undefined;
}
