import { takeOver } from "../analysis/order.ts";
import { declarations, dependencies } from "../analysis/references.ts";
import type { Scope } from "../analysis/scope.ts";
import { savedFiles } from "../evaluate/save.ts";
import type { Cell } from "../notebook/cell.ts";
import { headerValues } from "../notebook/header.ts";
import type { AssumedState } from "../run/prepare/statePlaces.ts";
import type { Results } from "../run/result/results.ts";
import type { Document } from "../workspace/documents.ts";
import { withContractNames } from "../workspace/labelFiles.ts";
import type { WorkspaceData } from "../workspace/workspaceData.ts";

/** The values that the features of a document's cells depend on. */
export interface AnalysisContext {
  readonly scope: Scope;
  /**
   * The cells that newer versions have replaced. The same set as before while only the insides of cells change: the
   * header, endpoints, results, the order of the cells, their names and their references stay. Then a cell depends on a
   * change only if it refers to the changed cell.
   */
  readonly replaced: ReplacedCells;
}

export type ReplacedCells = WeakSet<Cell>;

export type AnalysisContexts = ReturnType<typeof openAnalysisContexts>;

interface CachedContext extends AnalysisContext {
  readonly document: Document;
  readonly version: number;
}

export function openAnalysisContexts(
  { routes, catalogs, contracts, labelFiles, descriptors, keyAddresses }: WorkspaceData,
  results: Results,
  assumedState: AssumedState,
) {
  const cache = new Map<string, CachedContext>();
  const scopeOf = (document: Document, last: Scope | undefined): Scope => {
    const { endpoint, endpoints, hostNames, memory } = routes.of(document);
    const { catalog, openrpcProblems } = catalogs.of(document, endpoint);
    const abis = contracts.of(document);
    return {
      header: document.header,
      cells: document.cells,
      catalog,
      openrpcProblems,
      descriptorProblems: descriptors.problems(document),
      abis,
      variables: last?.header === document.header && last ? last.variables : headerValues(document.header).variables,
      labels: withContractNames(labelFiles.of(document.uri), abis),
      addressOfKey: keyAddresses.of(document.uri),
      endpoint,
      endpoints,
      hostNames,
      knownState: memory && assumedState.at({ endpoint: memory, host: endpoint?.host ?? "" }),
      lastResult: (cell) => results.lastOf(document, cell, endpoint),
    };
  };
  return {
    of(document: Document): AnalysisContext {
      const last = cache.get(document.uri);
      const version = results.version(document.uri);
      const scope = scopeOf(document, last?.scope);
      const isSameAround = last !== undefined && last.version === version && alike(last.scope, scope);
      if (isSameAround && last.document === document) return last;
      const versions =
        isSameAround && results.areSame(last.document, document)
          ? newVersions(last.scope.cells, scope.cells)
          : undefined;
      if (last && versions) takeOver(last.scope.cells, scope.cells, versions);
      const replaced: ReplacedCells = last && versions ? last.replaced : new WeakSet();
      for (const cell of versions?.keys() ?? []) replaced.add(cell);
      const context = { document, version, scope, replaced };
      cache.set(document.uri, context);
      return context;
    },
    forget: (uri: string): boolean => cache.delete(uri),
  };
}

/** Compares all but the cells, the results, which have a version, and the known state, with which the endpoint changes. */
function alike(one: Scope, other: Scope): boolean {
  const { cells: _cells, lastResult: _lastResult, knownState: _knownState, ...rest } = one;
  return Object.entries(rest).every(([key, value]) => Reflect.get(other, key) === value);
}

/**
 * Returns the new version of each cell that was edited.
 *
 * @returns `undefined` if more has changed: cells were added, removed or moved, or one has another kind, other names or
 *   other references, which other cells may depend on.
 */
function newVersions(before: readonly Cell[], after: readonly Cell[]): ReadonlyMap<Cell, Cell> | undefined {
  if (before.length !== after.length) return undefined;
  const versions = new Map<Cell, Cell>();
  for (let at = 0; at < after.length; at++) {
    const old = before[at];
    const cell = after[at];
    if (old === cell || !old || !cell) continue;
    if (!alikeFromOutside(old, cell)) return undefined;
    versions.set(old, cell);
  }
  for (const cell of versions.values()) if (versions.has(cell)) return undefined; // it only moved
  return versions;
}

function alikeFromOutside(before: Cell, after: Cell): boolean {
  const isSame = [declarations, dependencies, savedFiles].every((names) => sameNames(before, after, names));
  return before.kind === after.kind && isSame;
}

function sameNames(a: Cell, b: Cell, names: (cell: Cell) => readonly { readonly name: string }[]): boolean {
  const [before, after] = [names(a), names(b)];
  return before.length === after.length && after.every(({ name }, at) => name === before[at]?.name);
}
