import type { FileShape } from "../features/completion.ts";
import { directives, wireMembers } from "../notebook/cell.ts";
import { headerKeys } from "../notebook/header.ts";
import { readCell } from "../notebook/readCell.ts";
import type { FileText } from "../notebook/readFile.ts";
import { type CellPlace, type Document, toCell } from "../workspace/documents.ts";

/** A place where a person can write, and the file around it. */
interface WritablePlace {
  readonly place: CellPlace;
  /** `undefined` in a cell of its own document. */
  readonly shape: FileShape | undefined;
}

/**
 * Returns the cell at an offset as one that is being written: an empty one if a file has room for another cell there, the
 * header around `cells`, or the first word of a file that is not a notebook yet.
 */
export function writablePlace(document: Document, uri: string, offset: number): WritablePlace | undefined {
  const { file } = document;
  const placeAt = document.placeAt(uri, offset);
  const existing = placeAt && toCell(placeAt, offset) !== undefined ? placeAt : undefined;
  if (!file) return existing && { place: existing, shape: undefined };
  if (!file.scan.list) {
    const place = firstCell(file, uri, offset) ?? existing;
    return place && { place, shape: "bare" };
  }
  const place =
    existing?.index !== undefined ? existing : (newCell(file, uri, offset) ?? headerPlace(file, uri, offset));
  return place && { place, shape: { text: file.text, cells: file.scan.list.cells, at: startOf(place) } };
}

function startOf({ at }: CellPlace): number {
  return typeof at === "number" ? at : at.span.start;
}

const emptyCell = readCell("");

/** Returns an empty cell, for an offset between cells. */
function newCell({ scan: { list } }: FileText, uri: string, offset: number): CellPlace | undefined {
  if (!list || offset <= list.open || offset > list.close) return undefined;
  return { cell: emptyCell, uri, index: undefined, at: offset };
}

/** Returns the header with `cells` emptied, so that a new member beside it gets its commas. */
function headerPlace({ text, scan: { list, root } }: FileText, uri: string, offset: number): CellPlace | undefined {
  if (!list || text[root.start] !== "{" || offset <= root.start || offset > root.end) return undefined;
  const cell = readCell(text.slice(root.start, list.open + 1) + text.slice(list.close, root.end), "header");
  const removed = offset <= list.open ? 0 : list.close - list.open - 1;
  return { cell, uri, index: undefined, at: root.start + removed };
}

/** Returns the content of a file without cells: nothing, a first word, or an object with the keys of a request. */
function firstCell(
  { text, form, scan: { root, members } }: FileText,
  uri: string,
  offset: number,
): CellPlace | undefined {
  if (offset < text.search(/[^\ufeff]|$/)) return undefined;
  if (text.trim() === "") return { cell: emptyCell, uri, index: undefined, at: offset };
  if (form !== "none" || offset < root.start) return undefined;
  const isWord = /^"?[\w$ -]*"?\s*$/.test(text.slice(root.start, root.start + maxWordCharacters));
  const isRequest =
    text[root.start] === "{" &&
    offset > root.start &&
    offset <= root.end &&
    members.some(({ key }) => isRequestKey(key));
  if (!isWord && !isRequest) return undefined;
  return { cell: readCell(text.slice(root.start)), uri, index: undefined, at: root.start };
}

const maxWordCharacters = 100;

function isRequestKey(key: string): boolean {
  return wireMembers.includes(key) || (directives.includes(key) && !headerKeys.includes(key));
}
