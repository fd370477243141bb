import { names, order } from "./analysis/order.ts";
import { dependencies } from "./analysis/references.ts";
import type { LastResult, ScopedEndpoint } from "./analysis/scope.ts";
import { hash64 } from "./base/hash.ts";
import type { Document } from "./documents.ts";
import type { Cell } from "./notebook/cell.ts";
import { member, tokens } from "./notebook/json.ts";
import { cellKeys, requestHash } from "./notebook/key.ts";
import { endpointDirective } from "./run/courier.ts";

/** The last results of cells, by document and cell key: they stay with what was asked, however its text moves. */
export interface Results {
  /** The keys of a document's cells, in order. */
  keysOf(document: Document): readonly string[];
  /**
   * The last result of a cell, marked as stale where something that it came from is not as it was: the request, the cells
   * and variables that it refers to, where it goes.
   *
   * @param endpoint - Where cells without an endpoint of their own go now.
   */
  lastOf(document: Document, cell: Cell, endpoint: ScopedEndpoint | undefined): LastResult | undefined;
  /** Takes in results from now on. Those of cells that are gone leave nothing behind. */
  record(
    document: Document,
    endpoint: ScopedEndpoint | undefined,
  ): (cell: Cell, key: string, result: LastResult) => void;
  /** Whether the cells that stand in both at the same place have the same last results, as stale as before. */
  stay(before: Document, after: Document): boolean;
  /** Another number after every new result. */
  version(uri: string): number;
}

export function openResults(): Results {
  const byUri = new Map<string, { version: number; readonly results: Map<string, Kept> }>();
  const keys = new WeakMap<Document, readonly string[]>();

  const keysOf = (document: Document): readonly string[] => {
    const known = keys.get(document) ?? cellKeys(document.cells);
    keys.set(document, known);
    return known;
  };
  return {
    keysOf,
    lastOf(document, cell, endpoint) {
      const known = byUri.get(document.uri)?.results;
      const index = known?.size ? document.placeOf(cell)?.index : undefined;
      const key = index === undefined ? undefined : keysOf(document)[index];
      const kept = key === undefined ? undefined : known?.get(key);
      if (!kept) return undefined;
      const isStale = kept.place !== placeOf(cell, endpoint) || kept.origin !== originOf(cell, document);
      return isStale ? staleForm(kept.result) : kept.result;
    },
    record(document, endpoint) {
      const known = byUri.get(document.uri) ?? { version: 0, results: new Map() };
      byUri.set(document.uri, known);
      const keys = new Set(keysOf(document));
      for (const key of known.results.keys()) if (!keys.has(key)) known.results.delete(key);
      return (cell, key, result) => {
        known.results.set(key, { result, origin: originOf(cell, document), place: placeOf(cell, endpoint) });
        known.version++;
      };
    },
    stay(before, after) {
      const known = byUri.get(after.uri)?.results;
      if (!known?.size) return true;
      const keys = keysOf(before);
      return keysOf(after).every((key, at) => {
        const [old, cell] = [before.cells[at], after.cells[at]];
        if (cell !== old || !cell) return true;
        // Its own text is the same, but a cell that it refers to by way of others may be another.
        return (
          key === keys[at] && (!known.has(key) || isAlone(cell) || originOf(cell, before) === originOf(cell, after))
        );
      });
    },
    version: (uri) => byUri.get(uri)?.version ?? 0,
  };
}

interface Kept {
  readonly result: LastResult;
  /** What was asked, and of what it was made. */
  readonly origin: string;
  /** Where it went. */
  readonly place: string;
}

function placeOf(cell: Cell, endpoint: ScopedEndpoint | undefined): string {
  return endpointDirective(cell) ?? `${endpoint?.name} ${endpoint?.host}`;
}

function isAlone(cell: Cell): boolean {
  return dependencies(cell).length === 0;
}

const origins = new WeakMap<Document, ReadonlyMap<Cell, string>>();

/** Tells apart what cells send and expect, whatever their layout; with it goes all that they refer to. */
function originOf(cell: Cell, document: Document): string {
  if (isAlone(cell)) return asksFor(cell);
  const known = origins.get(document) ?? originsIn(document);
  origins.set(document, known);
  return known.get(cell) ?? asksFor(cell); // cells in a ring are never sent
}

/** Of all that refer to something, each made of those that it refers to: chains may be as long as the notebook. */
function originsIn({ cells, header }: Document): ReadonlyMap<Cell, string> {
  const variables = member(header?.root, "variables");
  const byName = names(cells);
  const found = new Map<Cell, string>();
  for (const cell of order(cells).cells) {
    if (isAlone(cell)) continue;
    const parts = dependencies(cell).map(({ name }) => {
      const variable = header && member(variables, name);
      if (variable) return tokens(header.text, variable);
      const target = byName.get(name)?.cell;
      return target && (found.get(target) ?? asksFor(target));
    });
    found.set(cell, hash64([asksFor(cell), ...parts].join("\n")));
  }
  return found;
}

const asking = new WeakMap<Cell, string>();

function asksFor(cell: Cell): string {
  const known = asking.get(cell) ?? madeAsksFor(cell);
  asking.set(cell, known);
  return known;
}

function madeAsksFor(cell: Cell): string {
  if (!/"expect"|\\/.test(cell.text)) return requestHash(cell);
  const expected = [member(cell.root, "expect"), ...cell.requests.map(({ members }) => members.get("expect")?.value)];
  return [requestHash(cell), ...expected.map((node) => (node ? tokens(cell.text, node) : ""))].join(" ");
}

function staleForm(result: LastResult): LastResult {
  return {
    ok: result.ok,
    stale: true,
    ...(result.differs !== undefined && { differs: result.differs }),
    get summary() {
      return result.summary;
    },
    values: () => result.values(),
  };
}
