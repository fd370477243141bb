import { takeOver } from "../analysis/order.ts";
import { declarations, dependencies } from "../analysis/references.ts";
import type { Scope } from "../analysis/scope.ts";
import type { Results } from "../execution/results.ts";
import type { Cell } from "../notebook/cell.ts";
import { headerValues } from "../notebook/header.ts";
import type { Document } from "../workspace/documents.ts";
import type { OpenrpcCatalogs } from "../workspace/openrpcCatalogs.ts";
import type { ProjectContracts } from "../workspace/projectContracts.ts";
import type { Routes } from "../workspace/routes.ts";

/** What is around the cells of a document. */
export interface AnalysisContext {
  readonly scope: Scope;
  /**
   * The same for as long as nothing changes but the insides of cells: the header, endpoints, results, the order of the
   * cells, their names and what they refer to stay. Then a cell can see a change only in the cells that it refers to.
   */
  readonly mark: ChangedCells;
}

/** Holds the cells that newer versions have replaced since. */
export type ChangedCells = WeakSet<Cell>;

export interface AnalysisContexts {
  of(document: Document): AnalysisContext;
  forget(uri: string): void;
}

export function openAnalysisContexts(
  routes: Routes,
  catalogs: OpenrpcCatalogs,
  contracts: ProjectContracts,
  results: Results,
): AnalysisContexts {
  interface Known extends AnalysisContext {
    readonly document: Document;
    readonly version: number;
  }
  const known = new Map<string, Known>();
  const scopeOf = (document: Document, last: Scope | undefined): Scope => {
    const { endpoint, endpoints, hostNames } = routes.of(document);
    const { catalog, openrpcProblems } = catalogs.of(document, endpoint);
    return {
      header: document.header,
      cells: document.cells,
      catalog,
      openrpcProblems,
      abis: contracts.of(document),
      variables: last?.header === document.header && last ? last.variables : headerValues(document.header).variables,
      endpoint,
      endpoints,
      hostNames,
      lastResult: (cell) => results.lastOf(document, cell, endpoint),
    };
  };
  return {
    of(document) {
      const last = known.get(document.uri);
      const version = results.version(document.uri);
      const scope = scopeOf(document, last?.scope);
      const still = last !== undefined && last.version === version && alike(last.scope, scope);
      if (still && last.document === document) return last;
      const versions =
        still && results.stay(last.document, document) ? newVersions(last.scope.cells, scope.cells) : undefined;
      if (last && versions) takeOver(last.scope.cells, scope.cells, versions);
      const mark: ChangedCells = last && versions ? last.mark : new WeakSet();
      for (const replaced of versions?.keys() ?? []) mark.add(replaced);
      const made = { document, version, scope, mark };
      known.set(document.uri, made);
      return made;
    },
    forget: (uri) => known.delete(uri),
  };
}

/** Equal but for cells, and for results, which have a version. */
function alike(one: Scope, other: Scope): boolean {
  const { cells: _cells, lastResult: _lastResult, ...rest } = one;
  return Object.entries(rest).every(([key, value]) => Reflect.get(other, key) === value);
}

/**
 * The cells of a list that others have taken the place of, with those.
 *
 * @returns `undefined` where more has happened: cells came, went or moved, or one has another kind, other names or other
 *   references, which the rest can see.
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
  return before.kind === after.kind && named(before, after, declarations) && named(before, after, dependencies);
}

function named(a: Cell, b: Cell, names: (cell: Cell) => readonly { readonly name: string }[]): boolean {
  const [before, after] = [names(a), names(b)];
  return before.length === after.length && after.every(({ name }, at) => name === before[at]?.name);
}
