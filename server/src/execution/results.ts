import { names, order } from "../analysis/order.ts";
import { dependencies } from "../analysis/references.ts";
import type { LastResult, ScopedEndpoint, Staleness } from "../analysis/scope.ts";
import { hash64 } from "../base/hash.ts";
import { memoByObject } from "../base/memo.ts";
import type { Cell } from "../notebook/cell.ts";
import { member, tokens } from "../notebook/json.ts";
import { cellKeys, requestHash } from "../notebook/key.ts";
import { endpointDirective } from "../run/dispatcher.ts";
import type { Document } from "../workspace/documents.ts";

/** The last results of cells, by document and cell key: they stay with what was asked, however its text moves. */
export interface Results {
  /** The keys of a document's cells, in order. */
  keysOf(document: Document): readonly string[];
  /**
   * The last result of a cell, marked as stale where something that it came from is not as it was: the request, the cells
   * and variables that it refers to, where it goes; or where such a cell has run again.
   *
   * @param endpoint - Where cells without an endpoint of their own go now.
   */
  lastOf(document: Document, cell: Cell, endpoint: ScopedEndpoint | undefined): LastResult | undefined;
  /** A run begins. Results of cells that are gone leave nothing behind. */
  begin(document: Document, endpoint: ScopedEndpoint | undefined): RunMark;
  keep(document: Document, run: RunMark, cell: Cell, key: string, result: LastResult): void;
  /** Whether the cells that stand in both at the same place have the same last results, as stale as before. */
  stay(before: Document, after: Document): boolean;
  /** Another number after every new result. */
  version(uri: string): number;
}

/** One run, and where its cells without an endpoint of their own go. */
interface RunMark {
  /** Later runs have greater ones. */
  readonly number: number;
  readonly endpoint: ScopedEndpoint | undefined;
  /** Where its results are kept. */
  readonly known: DocumentResults;
}

export function openResults(): Results {
  const byUri = new Map<string, DocumentResults>();
  let runs = 0;

  const keysOf = memoByObject(({ cells }: Document): readonly string[] => cellKeys(cells));
  return {
    keysOf,
    lastOf(document, cell, endpoint) {
      const known = byUri.get(document.uri);
      const index = known?.results.size ? document.placeOf(cell)?.index : undefined;
      const key = index === undefined ? undefined : keysOf(document)[index];
      const kept = key === undefined ? undefined : known?.results.get(key);
      if (!known || !kept) return undefined;
      const stale = stalenessOf(kept, cell, document, endpoint, () => newestSource(cell, document, known, keysOf));
      return stale ? staleForm(kept.result, stale) : kept.result;
    },
    begin(document, endpoint) {
      const keys = keysOf(document);
      const known: DocumentResults = byUri.get(document.uri) ?? {
        version: 0,
        results: new Map(),
        keys,
        sources: undefined,
      };
      if (known.keys !== keys) forgetOthers(known, keys);
      byUri.set(document.uri, known);
      return { number: ++runs, endpoint, known };
    },
    keep(document, { number, endpoint, known }, cell, key, result) {
      const directive = endpointDirective(cell);
      known.results.set(key, { result, origin: originOf(cell, document), directive, endpoint, run: number });
      known.version++;
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

interface StoredResult {
  readonly result: LastResult;
  /** What was asked, and of what it was made. */
  readonly origin: string;
  /** Where it went: as the cell has it, else where the cells without an endpoint of their own went. */
  readonly directive: string | undefined;
  readonly endpoint: ScopedEndpoint | undefined;
  /** Of the run that gave it; a later run has a greater one. */
  readonly run: number;
}

interface DocumentResults {
  version: number;
  readonly results: Map<string, StoredResult>;
  /** Those that results may have, as the last run found them. */
  keys: readonly string[];
  sources: Sources | undefined;
}

function forgetOthers(known: DocumentResults, keys: readonly string[]): void {
  const here = new Set(keys);
  for (const key of known.results.keys()) if (!here.has(key)) known.results.delete(key);
  known.keys = keys;
}

/** For a document and a version of its results: the latest run of what a cell refers to, by way of others too. */
interface Sources {
  readonly document: Document;
  readonly version: number;
  readonly runs: ReadonlyMap<Cell, number>;
}

function goesElsewhere(kept: StoredResult, cell: Cell, endpoint: ScopedEndpoint | undefined): boolean {
  const directive = endpointDirective(cell);
  if (directive !== kept.directive) return true;
  return directive === undefined && (endpoint?.name !== kept.endpoint?.name || endpoint?.host !== kept.endpoint?.host);
}

function isAlone(cell: Cell): boolean {
  return dependencies(cell).length === 0;
}

/** Tells apart what cells send and expect, whatever their layout; with it goes all that they refer to. */
function originOf(cell: Cell, document: Document): string {
  if (isAlone(cell)) return asksFor(cell);
  return origins(document).get(cell) ?? asksFor(cell); // cells in a ring are never sent
}

const origins = memoByObject(originsIn);

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

function asksFor(cell: Cell): string {
  return cell.directives.has("expect") ? asksWithExpectations(cell) : requestHash(cell);
}

const asksWithExpectations = memoByObject(madeAsksFor);

function madeAsksFor(cell: Cell): string {
  const expected = [member(cell.root, "expect"), ...cell.requests.map(({ members }) => members.get("expect")?.value)];
  return [requestHash(cell), ...expected.map((node) => (node ? tokens(cell.text, node) : ""))].join(" ");
}

/** @param newestSource - The latest run of what the cell refers to. */
function stalenessOf(
  kept: StoredResult,
  cell: Cell,
  document: Document,
  endpoint: ScopedEndpoint | undefined,
  newestSource: () => number,
): Staleness | undefined {
  if (goesElsewhere(kept, cell, endpoint)) return "elsewhere";
  if (kept.origin !== originOf(cell, document)) return "changed";
  return !isAlone(cell) && newestSource() > kept.run ? "outrun" : undefined;
}

/** The latest run that gave a result to one of the cells that a cell comes from; 0 where there was none. */
function newestSource(cell: Cell, document: Document, known: DocumentResults, keysOf: Results["keysOf"]): number {
  if (known.sources?.document !== document || known.sources.version !== known.version)
    known.sources = { document, version: known.version, runs: newestSources(document, known, keysOf(document)) };
  return known.sources.runs.get(cell) ?? 0;
}

function newestSources(
  { cells }: Document,
  { results }: DocumentResults,
  keys: readonly string[],
): ReadonlyMap<Cell, number> {
  const byName = names(cells);
  const index = new Map(cells.map((cell, at) => [cell, at]));
  const found = new Map<Cell, number>();
  for (const cell of order(cells).cells) {
    const runs = dependencies(cell).map(({ name }) => {
      const target = byName.get(name)?.cell;
      const key = target && keys[index.get(target) ?? -1];
      return target ? Math.max(found.get(target) ?? 0, results.get(key ?? "")?.run ?? 0) : 0;
    });
    if (runs.length > 0) found.set(cell, Math.max(...runs));
  }
  return found;
}

function staleForm(result: LastResult, stale: Staleness): LastResult {
  return {
    ok: result.ok,
    stale,
    ...(result.differs !== undefined && { differs: result.differs }),
    get summary() {
      return result.summary;
    },
    values: () => result.values(),
  };
}
