import type { Cell } from "../notebook/cell.ts";
import { nameOf } from "../notebook/header.ts";
import { exactValue, type JsonNode, member } from "../notebook/json.ts";
import type { Scope } from "./scope.ts";

/** Returns the `endpoint` of a cell: a request's, or a batch's own. */
export function endpointDirective(cell: Cell): string | undefined {
  if (!cell.directives.has("endpoint")) return undefined;
  const { kind, root, requests } = cell;
  const node = kind === "batch" ? member(root, "endpoint") : requests[0]?.members.get("endpoint")?.value;
  return node && nameOf(exactValue(cell.text, node));
}

/** Where a cell names the endpoint of its own. */
export function endpointsIn({ kind, root, requests }: Cell): readonly (JsonNode | undefined)[] {
  const own = requests.map(({ members }) => members.get("endpoint")?.value);
  return kind === "batch" ? [member(root, "endpoint"), ...own] : own;
}

/** Whether it names another endpoint than the one that the notebook uses now, of which alone something is known. */
export function goesElsewhere(cell: Cell, { endpoint }: Pick<Scope, "endpoint">): boolean {
  return endpointsIn(cell).some((node) => node && node.value !== endpoint?.name);
}
