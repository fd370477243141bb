import type { Span } from "../../base/span.ts";
import type { Cell } from "../../notebook/cell.ts";
import { type JsonNode, member, spanOf } from "../../notebook/json.ts";
import type { CellRun, Verdict } from "../cellRun.ts";

/** Returns the `expect` of a batch, then those of its requests; `undefined` for a request without one. */
function expectsOf(cell: Cell): readonly (JsonNode | undefined)[] {
  const ofBatch = cell.kind === "batch" ? member(cell.root, "expect") : undefined;
  return [ofBatch, ...cell.requests.map(({ members }) => members.get("expect")?.value)];
}

/** Returns the `expect` values that a cell has. */
export function expectNodes(cell: Cell): readonly JsonNode[] {
  return expectsOf(cell).filter((node) => node !== undefined);
}

/** Returns, for each failed expectation of a cell, the span of its member: the path and the expected value. */
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
