import type { HostReference } from "../endpoints/hostValue.ts";
import type { Cell } from "../notebook/cell.ts";
import { declarations, dependencies, hostDependencies } from "./references.ts";

export interface Order {
  /** Every cell that is in no cycle, what it refers to before it, otherwise as they are in the notebook. */
  readonly cells: readonly Cell[];
  /** Cells that refer to each other in a ring, each ring in its own order; a cell that refers to itself is one. */
  readonly cycles: readonly (readonly Cell[])[];
}

/** A name that is declared in a notebook. */
interface Named {
  /** The first cell that declares it. */
  cell: Cell;
  /** How often it is declared. */
  count: number;
}

const namesOf = new WeakMap<readonly Cell[], ReadonlyMap<string, Named>>();
const orders = new WeakMap<readonly Cell[], Order>();

/** The names that cells declare. Remembered for as long as the same list is handed over. */
export function names(cells: readonly Cell[]): ReadonlyMap<string, Readonly<Named>> {
  const known = namesOf.get(cells);
  if (known) return known;
  const found = new Map<string, Named>();
  for (const cell of cells) {
    for (const { name } of declarations(cell)) {
      const named = found.get(name);
      if (named) named.count++;
      else found.set(name, { cell, count: 1 });
    }
  }
  namesOf.set(cells, found);
  return found;
}

/**
 * Takes what is known of a list over to one that has other versions of some cells, each with the names and the
 * references of the one in its place.
 *
 * @param versions - The old cells with the new.
 */
export function takeOver(before: readonly Cell[], after: readonly Cell[], versions: ReadonlyMap<Cell, Cell>): void {
  const declared = namesOf.get(before);
  if (declared) {
    for (const [old, cell] of versions) {
      for (const { name } of declarations(cell)) {
        const named = declared.get(name);
        if (named?.cell === old) named.cell = cell;
      }
    }
    namesOf.delete(before);
    namesOf.set(after, declared);
  }
  const known = orders.get(before);
  const now = (cell: Cell): Cell => versions.get(cell) ?? cell;
  if (known) orders.set(after, { cells: known.cells.map(now), cycles: known.cycles.map((ring) => ring.map(now)) });
}

/** The cells that a cell refers to, each once. */
export function referredTo(cell: Cell, cells: readonly Cell[]): readonly Cell[] {
  if (dependencies(cell).length === 0) return nothing;
  const byName = names(cells);
  return [...new Set(dependencies(cell).flatMap(({ name }) => byName.get(name)?.cell ?? []))];
}

const nothing: readonly Cell[] = [];

/** The order to run cells in. Remembered for as long as the same list is handed over. */
export function order(cells: readonly Cell[]): Order {
  const known = orders.get(cells);
  const found = known ?? sorted(cells);
  if (!known) orders.set(cells, found);
  return found;
}

interface Visit {
  readonly cell: Cell;
  readonly targets: readonly Cell[];
  next: number;
  readonly index: number;
  low: number;
}

/**
 * Tarjan's algorithm with a stack of its own, since a chain of references can be as long as the notebook: strongly
 * connected components come out with what they refer to before them.
 */
function sorted(cells: readonly Cell[]): Order {
  const visits = new Map<Cell, Visit>();
  const open: Cell[] = [];
  const isOpen = new Set<Cell>();
  const result: Cell[] = [];
  const cycles: (readonly Cell[])[] = [];

  const begin = (cell: Cell): Visit => {
    const visit = { cell, targets: referredTo(cell, cells), next: 0, index: visits.size, low: visits.size };
    visits.set(cell, visit);
    open.push(cell);
    isOpen.add(cell);
    return visit;
  };
  const end = (visit: Visit): void => {
    if (visit.low !== visit.index) return;
    const ring = open.splice(open.lastIndexOf(visit.cell));
    for (const cell of ring) isOpen.delete(cell);
    if (ring.length > 1 || visit.targets.includes(visit.cell)) cycles.push(ring);
    else result.push(visit.cell);
  };

  for (const start of cells) {
    if (visits.has(start)) continue;
    const path = [begin(start)];
    for (let visit = path.at(-1); visit; visit = path.at(-1)) {
      const target = visit.targets[visit.next++];
      if (target === undefined) {
        path.pop();
        end(visit);
        const parent = path.at(-1);
        if (parent) parent.low = Math.min(parent.low, visit.low);
        continue;
      }
      const seen = visits.get(target);
      if (!seen) path.push(begin(target));
      else if (isOpen.has(target)) visit.low = Math.min(visit.low, seen.index);
    }
  }
  return { cells: result, cycles };
}

/**
 * Finds the values of the host that go out with cells: their own, and those of cells whose results they take in, since
 * an endpoint may answer with what it was sent.
 *
 * @param all - The cells that they may refer to.
 */
export function sentAlong(cells: readonly Cell[], all: readonly Cell[]): readonly HostReference[] {
  const reached = new Set(cells);
  for (const cell of reached) for (const target of referredTo(cell, all)) reached.add(target); // the loop visits those too
  return [...reached].flatMap(hostDependencies);
}
