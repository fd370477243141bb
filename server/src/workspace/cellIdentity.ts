import { nameOf } from "../analysis/references.ts";
import { memoByObject } from "../base/memo.ts";
import type { CellRef } from "../notebook/cell.ts";
import { cellKeys, cellNumbers } from "../notebook/key.ts";
import type { Document } from "./documents.ts";

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
export function indexOfText(document: Document, text: string): number | undefined {
  const keys = keysOf(document);
  const index = document.cells.findIndex((cell, at) => nameOf(cell) === text || keys[at] === text);
  if (index >= 0) return index;
  const byNumber = /^[1-9]\d*$/.test(text) ? cellNumbers(document.cells).indexOf(Number(text)) : -1;
  return byNumber < 0 ? undefined : byNumber;
}
