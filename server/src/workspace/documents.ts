import { type Span, shift, span } from "../base/span.ts";
import { type FileRange, lineColumn } from "../base/text.ts";
import type { CellEdit } from "../features/location.ts";
import type { Cell, CellRef } from "../notebook/cell.ts";
import { headerIndex } from "../notebook/header.ts";
import { readCell } from "../notebook/readCell.ts";
import {
  type FileHeader,
  type FileText,
  fileToHeader,
  headerToFile,
  readFile,
  recordingDataOf,
  updateFile,
} from "../notebook/readFile.ts";
import type { FileFault } from "../notebook/scan.ts";

/** An open notebook, whether it is shown as cells or as one text. A new one replaces it at every change. */
export interface Document {
  readonly uri: string;
  readonly header: Cell | undefined;
  /** In order, without the header. The same array for as long as nothing changes. */
  readonly cells: readonly Cell[];
  /** The client's reference to each of `cells`. The same array until a cell is added, removed or moved. */
  readonly refs: readonly CellRef[];
  /** Faults of the file as a whole. A notebook that is shown as cells has none. */
  readonly faults: readonly FileFault[];
  /** The text of the file; `undefined` for a notebook that is shown as cells. */
  readonly file: FileText | undefined;
  /** A packed recording that the file contains. */
  readonly recordingData: string | undefined;
  /** The client's documents, in order: one for each cell, or one for the file. */
  readonly uris: readonly string[];
  /** Returns the places of all cells, in order. The header of a file comes last. */
  places(): readonly CellPlace[];
  /** Returns the places of cells in one of the client's documents; with a range, at least those that it touches. */
  placesIn(uri: string, range?: Span): readonly CellPlace[];
  /** Returns the cell at an offset; the one that begins there if two touch. */
  placeAt(uri: string, offset: number): CellPlace | undefined;
  /** @returns `undefined` if the cell is not of this notebook. */
  placeOf(cell: Cell): CellPlace | undefined;
}

/** The place of a cell in a document of the client. */
export interface CellPlace {
  readonly cell: Cell;
  /** The cell's own document, or the file's. */
  readonly uri: string;
  /** Ordinal in `cells`; `undefined` for the header. */
  readonly index: number | undefined;
  /** Offset of its text in the document. The header of a file is in two parts, around the cells. */
  readonly at: number | FileHeader;
}

/** Returns a span of a cell as one of its document. */
export function toDocument({ at }: { readonly at: CellPlace["at"] }, one: Span): Span {
  if (at === 0) return one;
  return typeof at === "number" ? shift(one, at) : headerToFile(at, one);
}

/** @returns `undefined` if the offset is not in this cell. */
export function toCell({ at, cell }: CellPlace, offset: number): number | undefined {
  if (typeof at !== "number") return fileToHeader(at, offset);
  return offset >= at && offset <= at + cell.text.length ? offset - at : undefined;
}

/** Returns the part of a range that is in a cell, in its offsets; `undefined` if they do not touch. */
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

/** Returns a span of a cell as one of the client's documents; empty if the cell is not of this notebook. */
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
 * Converts edits of cells to edits of the client's documents.
 *
 * @returns `undefined` if one of them cannot be made: its cell is not of this notebook, or it covers the place in the
 * header at which the file has its cells.
 */
export function textEdits(document: Document, edits: readonly CellEdit[]): readonly TextEdit[] | undefined {
  const made = edits.flatMap(({ cell, span, insert }): readonly TextEdit[] => {
    const [place] = located(document, { cell, span });
    if (!place || place.span.end - place.span.start !== span.end - span.start) return [];
    return [{ ...place, insert: cell === document.header ? withComma(document, insert) : insert }];
  });
  return made.length === edits.length ? made : undefined;
}

/** Adds a comma to the first member of the header of a file that has only cells: it is inserted before them. */
function withComma({ header, file }: Document, insert: string): string {
  const alone = header?.root?.type === "object" && (header.root.children?.length ?? 0) === 0;
  const cut = file?.header?.cut;
  return alone && cut && cut.end > cut.start ? `${insert.trimEnd()},` : insert;
}

/** @param last - The version before. Parts that have not changed are reused, unless it was shown as cells. */
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
    recordingData: recordingDataOf(file),
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

/** A cell of an open notebook document. The header is a code cell like the others: the first one, if it is marked or has its shape. */
export interface NotebookCellText {
  /** URI of the cell's own document. */
  readonly uri: string;
  readonly kind: "code" | "markdown";
  readonly text: string;
  /** Whether metadata says that it is the header; absent after copy and paste: then its shape decides. */
  readonly header?: boolean;
  /** The packed recording of the file, which the header's metadata holds. */
  readonly recordingData?: string;
}

/**
 * @param texts - The same objects as before for cells that have not changed.
 * @param last - The version before. Cells that have not changed are reused, unless it was shown as text.
 */
export function notebookDocument(uri: string, texts: readonly NotebookCellText[], last?: Document): Document {
  const before = last && arrangements.get(last);
  const headerAt = headerIndex(texts, before && last.header?.text);
  const arrangement =
    (before?.headerAt === headerAt ? retyped(before, texts) : undefined) ?? arrange(texts, headerAt, before);
  const { places, cells, refs, uris } = arrangement;
  const placesIn = (uri: string): readonly CellPlace[] => {
    const place = places[arrangement.position.get(uri) ?? -1];
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
    recordingData: texts[headerAt]?.recordingData,
    uris,
    places: () => places,
    placesIn,
    placeAt: (uri, offset) => placesIn(uri).find((place) => toCell(place, offset) !== undefined),
    placeOf: (cell) => byCell().get(cell),
  };
  arrangements.set(document, arrangement);
  return document;
}

/** The cells of a notebook and their order. */
interface Arrangement extends Pick<Document, "cells" | "refs" | "uris"> {
  readonly texts: readonly NotebookCellText[];
  readonly places: readonly CellPlace[];
  /** -1 if there is none. */
  readonly headerAt: number;
  /** Index in `places`, by URI. */
  readonly position: ReadonlyMap<string, number>;
}

const arrangements = new WeakMap<Document, Arrangement>();

/** Returns the same cells with some new texts; `undefined` if cells were added, removed or moved. */
function retyped(before: Arrangement, texts: readonly NotebookCellText[]): Arrangement | undefined {
  if (texts.length !== before.texts.length) return undefined;
  const places = [...before.places];
  const cells = [...before.cells];
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at];
    const last = places[at];
    if (text === before.texts[at] || !text || !last) continue;
    if (text.uri !== last.uri) return undefined;
    const place = reread(text, last.index, last);
    places[at] = place;
    if (place.index !== undefined) cells[place.index] = place.cell;
  }
  return { ...before, texts, places, cells };
}

function arrange(texts: readonly NotebookCellText[], headerAt: number, before: Arrangement | undefined): Arrangement {
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
  last: CellPlace | undefined,
): CellPlace {
  const givenKind = kind === "markdown" ? "markdown" : index === undefined ? "header" : undefined;
  const isSame = last?.cell.text === text && givenKindOf(last.cell) === givenKind;
  return { uri, index, at: 0, cell: isSame ? last.cell : readCell(text, givenKind) };
}

/** Returns the kind that a cell was given, and not read from its text. Markdown in its JSON form has a tree. */
function givenKindOf({ kind, root }: Cell): "header" | "markdown" | undefined {
  if (kind === "header") return "header";
  return kind === "markdown" && root === undefined ? "markdown" : undefined;
}
