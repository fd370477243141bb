import { cellNumbers } from "../notebook/key.ts";
import type { CellTest } from "../protocol/runs.ts";
import { type Document, fileRange } from "../workspace/documents.ts";
import { keysOf } from "../workspace/openDocuments.ts";
import { titleOf } from "./cellRun.ts";
import { expectNodes } from "./judge/failurePlaces.ts";

/** Returns the cells of a notebook that have expectations, as tests of an editor. */
export function cellTests(document: Document): readonly CellTest[] {
  const keys = keysOf(document);
  const numbers = cellNumbers(document.cells);
  return document.cells.flatMap((cell, index): readonly CellTest[] => {
    const key = keys[index];
    const place = fileRange(document, cell, { start: cell.root?.offset ?? 0, end: cell.text.trimEnd().length });
    if (key === undefined || !place || expectNodes(cell).length === 0) return [];
    return [{ key, index, title: titleOf({ number: numbers[index] ?? 0, cell }), place }];
  });
}
