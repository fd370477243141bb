import type { FileShape } from "../features/completion.ts";
import { directives, wireMembers } from "../notebook/cell.ts";
import { headerKeys } from "../notebook/header.ts";
import { readCell } from "../notebook/readCell.ts";
import type { FileText } from "../notebook/readFile.ts";
import { type CellPlace, type Document, toCell } from "../workspace/documents.ts";

/** Where something can be written, and what kind of file it is in. */
interface WritablePlace {
  readonly place: CellPlace;
  /** `undefined` in a cell of its own document. */
  readonly shape: FileShape | undefined;
}

/**
 * The cell at an offset, as one that is being written: an empty one where a file has room for another, a header that
 * shows where `cells` stand, a first word of a file that is no notebook yet.
 */
export function writablePlace(document: Document, uri: string, offset: number): WritablePlace | undefined {
  const { file } = document;
  const found = document.placeAt(uri, offset);
  const known = found && toCell(found, offset) !== undefined ? found : undefined;
  if (!file) return known && { place: known, shape: undefined };
  if (!file.scan.list) {
    const place = beginning(file, uri, offset) ?? known;
    return place && { place, shape: "bare" };
  }
  const place = known?.index !== undefined ? known : (room(file, uri, offset) ?? headerPlace(file, uri, offset));
  return place && { place, shape: { text: file.text, cells: file.scan.list.cells, at: startOf(place) } };
}

function startOf({ at }: CellPlace): number {
  return typeof at === "number" ? at : at.span.start;
}

const emptyCell = readCell("");

function room({ scan: { list } }: FileText, uri: string, offset: number): CellPlace | undefined {
  if (!list || offset <= list.open || offset > list.close) return undefined;
  return { cell: emptyCell, uri, index: undefined, at: offset };
}

/** The header with `cells` emptied, so that what is written beside it gets its commas. */
function headerPlace({ text, scan: { list, root } }: FileText, uri: string, offset: number): CellPlace | undefined {
  if (!list || text[root.start] !== "{" || offset <= root.start || offset > root.end) return undefined;
  const cell = readCell(text.slice(root.start, list.open + 1) + text.slice(list.close, root.end), "header");
  const left = offset <= list.open ? 0 : list.close - list.open - 1;
  return { cell, uri, index: undefined, at: root.start + left };
}

/** What stands in a file without cells: nothing, a first word, or an object of which the keys say what it is to be. */
function beginning(
  { text, form, scan: { root, members } }: FileText,
  uri: string,
  offset: number,
): CellPlace | undefined {
  if (offset < text.search(/[^\ufeff]|$/)) return undefined;
  if (text.trim() === "") return { cell: emptyCell, uri, index: undefined, at: offset };
  if (form !== "none" || offset < root.start) return undefined;
  const isWord = /^"?[\w$]*"?\s*$/.test(text.slice(root.start, root.start + longestWord));
  const isRequest =
    text[root.start] === "{" && offset > root.start && offset <= root.end && members.some(({ key }) => ofRequests(key));
  if (!isWord && !isRequest) return undefined;
  return { cell: readCell(text.slice(root.start)), uri, index: undefined, at: root.start };
}

const longestWord = 100;

function ofRequests(key: string): boolean {
  return wireMembers.includes(key) || (directives.includes(key) && !headerKeys.includes(key));
}
