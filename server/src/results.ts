import type { LastResult } from "./analysis/scope.ts";
import type { Document } from "./documents.ts";
import type { Cell } from "./notebook/cell.ts";
import { cellKeys } from "./notebook/key.ts";

/** The last results of cells, by document and cell key: they stay with what was asked, however its text moves. */
export interface Results {
  /** The keys of a document's cells, in order. */
  keysOf(document: Document): readonly string[];
  lastOf(document: Document, cell: Cell): LastResult | undefined;
  /** Takes in results from now on. Those of cells that are gone leave nothing behind. */
  record(document: Document): (key: string, result: LastResult) => void;
  /** Whether the cells that stand in both at the same place have the same last results. */
  stay(before: Document, after: Document): boolean;
  /** Another number after every new result. */
  version(uri: string): number;
}

export function openResults(): Results {
  const byUri = new Map<string, { version: number; readonly results: Map<string, LastResult> }>();
  const keys = new WeakMap<Document, readonly string[]>();

  const keysOf = (document: Document): readonly string[] => {
    const known = keys.get(document) ?? cellKeys(document.cells);
    keys.set(document, known);
    return known;
  };
  return {
    keysOf,
    lastOf(document, cell) {
      const known = byUri.get(document.uri)?.results;
      const index = known?.size ? document.placeOf(cell)?.index : undefined;
      const key = index === undefined ? undefined : keysOf(document)[index];
      return key === undefined ? undefined : known?.get(key);
    },
    record(document) {
      const known = byUri.get(document.uri) ?? { version: 0, results: new Map() };
      byUri.set(document.uri, known);
      const keys = new Set(keysOf(document));
      for (const key of known.results.keys()) if (!keys.has(key)) known.results.delete(key);
      return (key, result) => {
        known.results.set(key, result);
        known.version++;
      };
    },
    stay(before, after) {
      if (!byUri.get(after.uri)?.results.size) return true;
      const keys = keysOf(before);
      return keysOf(after).every((key, at) => key === keys[at] || after.cells[at] !== before.cells[at]);
    },
    version: (uri) => byUri.get(uri)?.version ?? 0,
  };
}
