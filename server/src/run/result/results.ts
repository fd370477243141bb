import { endpointDirective } from "../../analysis/cellEndpoint.ts";
import { names, order } from "../../analysis/order.ts";
import { dependencies } from "../../analysis/references.ts";
import type { LastResult, ScopedEndpoint, Staleness } from "../../analysis/scope.ts";
import { hash64 } from "../../base/hash.ts";
import { memoByObject } from "../../base/memo.ts";
import type { Cell } from "../../notebook/cell.ts";
import { member, tokens } from "../../notebook/json.ts";
import { requestHash } from "../../notebook/key.ts";
import type { AmountsBefore } from "../../report/additions.ts";
import type { Document } from "../../workspace/documents.ts";
import { keysOf } from "../../workspace/openDocuments.ts";

/** One run, and where its cells without an endpoint of their own go. */
export interface RecordedRun {
  /** Later runs have greater ones. */
  readonly number: number;
  readonly endpoint: ScopedEndpoint | undefined;
  /** The store of its results. */
  readonly stored: DocumentResults;
}

/** The last results of cells, by document and cell key. */
export class Results {
  readonly #byUri = new Map<string, DocumentResults>();
  #lastRun = 0;

  /**
   * Returns the last result of a cell. It is stale if something that it came from has changed: the request, the cells
   * and variables that it refers to, or where it goes; and if such a cell has run again.
   *
   * @param endpoint - Where cells without an endpoint of their own go now.
   */
  lastOf(document: Document, cell: Cell, endpoint: ScopedEndpoint | undefined): LastResult | undefined {
    const stored = this.#byUri.get(document.uri);
    const index = stored?.results.size ? document.placeOf(cell)?.index : undefined;
    const key = index === undefined ? undefined : keysOf(document)[index];
    const last = key === undefined ? undefined : stored?.results.get(key);
    if (!stored || !last) return undefined;
    const stale = stalenessOf(last, cell, document, endpoint, stored);
    return stale ? staleForm(last.result, stale) : last.result;
  }
  /** Marks the begin of a run, and removes results of cells that no longer exist. */
  begin(document: Document, endpoint: ScopedEndpoint | undefined): RecordedRun {
    const keys = keysOf(document);
    const stored = this.#byUri.get(document.uri) ?? { version: 0, results: new Map(), keys, sources: undefined };
    if (stored.keys !== keys) removeOthers(stored, keys);
    this.#byUri.set(document.uri, stored);
    return { number: ++this.#lastRun, endpoint, stored };
  }
  /** @param origin - Of the cell. */
  keep({ number, endpoint, stored }: RecordedRun, cell: Cell, key: string, origin: string, result: LastResult): void {
    const directive = endpointDirective(cell);
    stored.results.set(key, { result, origin, directive, endpoint, run: number });
    stored.version++;
  }
  /**
   * Identifies the origin of a cell's result: its requests and expectations, the names in it, and its endpoint. It is
   * the same in later sessions.
   *
   * @param endpoint - Where cells without an endpoint of their own go.
   */
  identify(document: Document, cell: Cell, endpoint: ScopedEndpoint | undefined): string {
    const goal = endpointDirective(cell) ?? [endpoint?.name, endpoint?.host];
    return hash64(JSON.stringify([originOf(cell, document), goal]));
  }
  /** Whether a cell that this cell refers to has run since the server was started. */
  isOutrun(document: Document, cell: Cell): boolean {
    const stored = this.#byUri.get(document.uri);
    return stored !== undefined && newestSourceRun(cell, document, stored) > 0;
  }
  /** Returns the last numbers of a cell that asked the same at the same place; `undefined` otherwise. */
  amountsBefore({ endpoint, stored }: RecordedRun, cell: Cell, key: string, origin: string): AmountsBefore | undefined {
    const last = stored.results.get(key);
    const isSame = last?.origin === origin && !goesElsewhere(last, cell, endpoint);
    return isSame ? last.result.amountsForLater?.() : undefined;
  }
  /** Whether cells that are at the same place in both versions have the same last results, and as stale. */
  areSame(before: Document, after: Document): boolean {
    const results = this.#byUri.get(after.uri)?.results;
    if (!results?.size) return true;
    const keys = keysOf(before);
    return keysOf(after).every((key, at) => {
      const [last, cell] = [before.cells[at], after.cells[at]];
      if (cell !== last || !cell) return true;
      if (key !== keys[at]) return false;
      // A cell with the same text may refer to others that have changed.
      return !results.has(key) || isIndependent(cell) || originOf(cell, before) === originOf(cell, after);
    });
  }
  /** Returns another number after every new result. */
  version(uri: string): number {
    return this.#byUri.get(uri)?.version ?? 0;
  }
}

interface StoredResult {
  readonly result: LastResult;
  /** Identifies what the cell sent and what that was made of. */
  readonly origin: string;
  /** The cell's own choice of endpoint; {@link endpoint} counts if there is none. */
  readonly directive: string | undefined;
  readonly endpoint: ScopedEndpoint | undefined;
  /** The number of its run. */
  readonly run: number;
}

interface DocumentResults {
  version: number;
  readonly results: Map<string, StoredResult>;
  /** Those that results may have, as of the last run. */
  keys: readonly string[];
  sources: SourceRuns | undefined;
}

function removeOthers(stored: DocumentResults, keys: readonly string[]): void {
  const current = new Set(keys);
  for (const key of stored.results.keys()) if (!current.has(key)) stored.results.delete(key);
  stored.keys = keys;
}

function stalenessOf(
  last: StoredResult,
  cell: Cell,
  document: Document,
  endpoint: ScopedEndpoint | undefined,
  stored: DocumentResults,
): Staleness | undefined {
  if (goesElsewhere(last, cell, endpoint)) return "elsewhere";
  if (last.origin !== originOf(cell, document)) return "changed";
  return !isIndependent(cell) && newestSourceRun(cell, document, stored) > last.run ? "outrun" : undefined;
}

function goesElsewhere(last: StoredResult, cell: Cell, endpoint: ScopedEndpoint | undefined): boolean {
  const directive = endpointDirective(cell);
  if (directive !== last.directive) return true;
  return directive === undefined && (endpoint?.name !== last.endpoint?.name || endpoint?.host !== last.endpoint?.host);
}

/** For a document and a version of its results: the newest run of the cells that a cell refers to, also indirectly. */
interface SourceRuns {
  readonly document: Document;
  readonly version: number;
  readonly runs: ReadonlyMap<Cell, number>;
}

/** @returns 0 if none of these cells has a result. */
function newestSourceRun(cell: Cell, document: Document, stored: DocumentResults): number {
  if (stored.sources?.document !== document || stored.sources.version !== stored.version)
    stored.sources = { document, version: stored.version, runs: newestSourceRuns(document, stored) };
  return stored.sources.runs.get(cell) ?? 0;
}

function newestSourceRuns(document: Document, { results }: DocumentResults): ReadonlyMap<Cell, number> {
  const { cells } = document;
  const keys = keysOf(document);
  const byName = names(cells);
  const index = new Map(cells.map((cell, at) => [cell, at]));
  const newest = new Map<Cell, number>();
  for (const cell of order(cells).cells) {
    const runs = dependencies(cell).map(({ name }) => {
      const target = byName.get(name)?.cell;
      const key = target && keys[index.get(target) ?? -1];
      return target ? Math.max(newest.get(target) ?? 0, results.get(key ?? "")?.run ?? 0) : 0;
    });
    if (runs.length > 0) newest.set(cell, Math.max(...runs));
  }
  return newest;
}

function staleForm(result: LastResult, stale: Staleness): LastResult {
  return {
    ok: result.ok,
    stale,
    ...(result.differs !== undefined && { differs: result.differs }),
    get summary() {
      return result.summary;
    },
    get calls() {
      return result.calls;
    },
    values: () => result.values(),
  };
}

/** Returns a text that identifies what a cell sends and expects, whatever its layout, and everything that it refers to. */
export function originOf(cell: Cell, document: Document): string {
  if (isIndependent(cell)) return contentHash(cell);
  return origins(document).get(cell) ?? contentHash(cell); // cells in a ring are never sent
}

/** Whether a cell refers to no other cell and no variable. */
function isIndependent(cell: Cell): boolean {
  return dependencies(cell).length === 0;
}

/** Returns the origins of all cells that refer to something. Each is made of others: chains may be as long as the notebook. */
function originsIn({ cells, header }: Document): ReadonlyMap<Cell, string> {
  const variables = member(header?.root, "variables");
  const byName = names(cells);
  const byCell = new Map<Cell, string>();
  for (const cell of order(cells).cells) {
    if (isIndependent(cell)) continue;
    const parts = dependencies(cell).map(({ name }) => {
      const variable = header && member(variables, name);
      if (variable) return tokens(header.text, variable);
      const target = byName.get(name)?.cell;
      return target && (byCell.get(target) ?? contentHash(target));
    });
    byCell.set(cell, hash64([contentHash(cell), ...parts].join("\n")));
  }
  return byCell;
}

const origins = memoByObject(originsIn);

/** Identifies the request of a cell and its expectations. */
function contentHash(cell: Cell): string {
  return cell.directives.has("expect") ? hashOf(cell) : requestHash(cell);
}

const hashOf = memoByObject(hashWithExpectations);

function hashWithExpectations(cell: Cell): string {
  const expected = [member(cell.root, "expect"), ...cell.requests.map(({ members }) => members.get("expect")?.value)];
  return [requestHash(cell), ...expected.map((node) => (node ? tokens(cell.text, node) : ""))].join(" ");
}
