import type { HostReference } from "../endpoints/hostValue.ts";
import type { Cell } from "../notebook/cell.ts";
import { referredTo } from "./order.ts";
import { hostDependencies } from "./references.ts";

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
