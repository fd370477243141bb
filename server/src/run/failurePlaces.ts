import type { Span } from "../base/span.ts";
import type { Cell } from "../notebook/cell.ts";
import { type JsonNode, member, spanOf } from "../notebook/json.ts";
import type { CellRun, Verdict } from "./cellRun.ts";

/** The values of `expect` in a cell, that of a batch as a whole first; `undefined` for a request without one. */
function expectsOf(cell: Cell): readonly (JsonNode | undefined)[] {
  const ofBatch = cell.kind === "batch" ? member(cell.root, "expect") : undefined;
  return [ofBatch, ...cell.requests.map(({ members }) => members.get("expect")?.value)];
}

/** The values of `expect` that stand in a cell. */
export function expectNodes(cell: Cell): readonly JsonNode[] {
  return expectsOf(cell).filter((node) => node !== undefined);
}

/** For each miss of a cell, in order, the member of `expect` that was missed: its path and what is wanted. */
export function failurePlaces({ step: { cell }, batch, verdicts }: CellRun): readonly Span[] {
  const all: readonly (Verdict | undefined)[] = [batch, ...verdicts];
  return expectsOf(cell).flatMap((node, at) => {
    if (!node) return [];
    return (all[at]?.misses ?? []).map(({ path }) => {
      const property = node.children?.findLast(({ children }) => children?.[0]?.value === path);
      return spanOf(property ?? node);
    });
  });
}
