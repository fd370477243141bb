import { type Span, shift } from "./base/span.ts";
import type { Cell } from "./notebook/cell.ts";
import { headerIndex } from "./notebook/header.ts";
import { readCell } from "./notebook/readCell.ts";
import {
  type FileHeader,
  type FileText,
  fileToHeader,
  headerToFile,
  readFile,
  updateFile,
} from "./notebook/readFile.ts";
import type { FileFault } from "./notebook/scan.ts";
import type { CellRef } from "./protocol.ts";
import type { NotebookCellText } from "./service.ts";

/** An open notebook, whether it is shown as cells or as one text. A new one replaces it at every change. */
export interface Document {
  readonly uri: string;
  readonly header: Cell | undefined;
  /** In order, the header left out. The same array for as long as nothing changes. */
  readonly cells: readonly Cell[];
  /** How the client knows each of `cells`. */
  readonly refs: readonly CellRef[];
  /** Of the file as a whole; a notebook that is shown as cells has none. */
  readonly faults: readonly FileFault[];
  /** Every place where a cell stands: `uri` is the cell's own document, or the file's. */
  readonly places: readonly CellPlace[];
  /** The text that the places count in, where all is one text. */
  readonly file: FileText | undefined;
}

/** Where a cell stands in a document of the client. */
export interface CellPlace {
  readonly cell: Cell;
  readonly uri: string;
  /** Ordinal in `cells`; `undefined` for the header. */
  readonly index: number | undefined;
  /** A span of the cell as one of its document. */
  toDocument(at: Span): Span;
  /** `undefined` where the offset is not in this cell. */
  toCell(offset: number): number | undefined;
}

export function textDocument(uri: string, text: string, previous?: Document): Document {
  const file = previous?.file ? updateFile(previous.file, text) : readFile(text);
  const cells = file.cells.map(({ cell }) => cell);
  const header = file.header && headerPlace(uri, file.header);
  const places = file.cells.map(
    (one, index): CellPlace => ({
      cell: one.cell,
      uri,
      index,
      toDocument: (at) => shift(at, one.span.start),
      toCell: (offset) => (offset >= one.span.start && offset <= one.span.end ? offset - one.span.start : undefined),
    }),
  );
  return {
    uri,
    header: file.header?.cell,
    cells,
    refs: cells.map((_, index) => ({ index })),
    faults: file.faults,
    places: header ? [...places, header] : places,
    file,
  };
}

function headerPlace(uri: string, header: FileHeader): CellPlace {
  return {
    cell: header.cell,
    uri,
    index: undefined,
    toDocument: (at) => headerToFile(header, at),
    toCell: (offset) => fileToHeader(header, offset),
  };
}

export function notebookDocument(uri: string, texts: readonly NotebookCellText[], previous?: Document): Document {
  const known = new Map(previous?.places.map((place) => [place.uri, place.cell]));
  const headerAt = headerIndex(texts, previous?.header?.text);
  const all = texts.map((text, at) => ({ uri: text.uri, cell: reread(text, at === headerAt, known.get(text.uri)) }));
  const inOrder = all.filter((_, at) => at !== headerAt);
  return {
    uri,
    header: all[headerAt]?.cell,
    cells: inOrder.map(({ cell }) => cell),
    refs: inOrder.map((one) => ({ uri: one.uri })),
    faults: [],
    places: all.map((one, at) => ({
      ...one,
      index: at === headerAt ? undefined : at - (headerAt >= 0 && at > headerAt ? 1 : 0),
      toDocument: (span) => span,
      toCell: (offset) => (offset <= one.cell.text.length ? offset : undefined),
    })),
    file: undefined,
  };
}

function reread(text: NotebookCellText, isHeader: boolean, known: Cell | undefined): Cell {
  const kind = text.kind === "markdown" ? "markdown" : isHeader ? "header" : undefined;
  const same = known?.text === text.text && (known.kind === "header") === isHeader;
  return same && known ? known : readCell(text.text, kind);
}

/** The cell at an offset of a document; where two touch, the one that begins there. */
export function placeIn(document: Document, uri: string, offset: number): CellPlace | undefined {
  return (
    document.places.findLast(
      (place) => place.uri === uri && place.index !== undefined && place.toCell(offset) !== undefined,
    ) ?? document.places.find((place) => place.uri === uri && place.toCell(offset) !== undefined)
  );
}

/** A span of a document of the client. */
export interface DocumentSpan {
  readonly uri: string;
  readonly span: Span;
}

/** A span of a cell as one of the client's documents; empty where the cell is not of this notebook. */
export function located(
  { places }: Document,
  { cell, span }: { readonly cell: Cell; readonly span: Span },
): readonly DocumentSpan[] {
  const place = places.find((one) => one.cell === cell);
  return place ? [{ uri: place.uri, span: place.toDocument(span) }] : [];
}

/** The cells that a range of a document touches, with the part of the range that lies in each, in the cell's offsets. */
export function placesIn(
  { places }: Document,
  uri: string,
  range: Span,
): readonly { readonly place: CellPlace; readonly range: Span }[] {
  return places.flatMap((place) => {
    if (place.uri !== uri) return [];
    const whole = place.toDocument({ start: 0, end: place.cell.text.length });
    if (whole.start > range.end || whole.end < range.start) return [];
    const start = place.toCell(Math.max(range.start, whole.start));
    const end = place.toCell(Math.min(range.end, whole.end));
    return start === undefined || end === undefined ? [] : [{ place, range: { start, end } }];
  });
}
