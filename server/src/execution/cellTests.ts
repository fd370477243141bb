import type { Span } from "../base/span.ts";
import type { FileRange } from "../base/text.ts";
import { lineColumn } from "../base/text.ts";
import type { Cell } from "../notebook/cell.ts";
import { cellNumbers } from "../notebook/number.ts";
import type { CellTest } from "../protocol/runs.ts";
import { titleOf } from "../run/cellRun.ts";
import { expectNodes } from "../run/failurePlaces.ts";
import { type Document, toDocument } from "../workspace/documents.ts";

/**
 * The cells of a notebook that say what must hold, as tests of an editor.
 *
 * @param keys - Of all its cells, in order.
 */
export function cellTests(document: Document, keys: readonly string[]): readonly CellTest[] {
  const numbers = cellNumbers(document.cells);
  return document.cells.flatMap((cell, index): readonly CellTest[] => {
    const key = keys[index];
    const place = rangeIn(document, cell, { start: cell.root?.offset ?? 0, end: cell.text.trimEnd().length });
    if (key === undefined || !place || expectNodes(cell).length === 0) return [];
    return [{ key, index, title: titleOf({ number: numbers[index] ?? 0, cell }), place }];
  });
}

/** A span of a cell as a place in one of the client's documents. */
export function rangeIn(document: Document, cell: Cell, span: Span): FileRange | undefined {
  const place = document.placeOf(cell);
  if (!place) return undefined;
  const text = document.file?.text ?? cell.text;
  const { start, end } = toDocument(place, span);
  return { uri: place.uri, start: lineColumn(text, start), end: lineColumn(text, end) };
}
