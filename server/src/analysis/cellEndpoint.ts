import type { Cell } from "../notebook/cell.ts";
import { type JsonNode, member } from "../notebook/json.ts";
import type { Scope } from "./scope.ts";

/** Where a cell names the endpoint of its own. */
export function endpointsIn({ kind, root, requests }: Cell): readonly (JsonNode | undefined)[] {
  const own = requests.map(({ members }) => members.get("endpoint")?.value);
  return kind === "batch" ? [member(root, "endpoint"), ...own] : own;
}

/** Whether it names another endpoint than the one that the notebook uses now, of which alone something is known. */
export function goesElsewhere(cell: Cell, { endpoint }: Pick<Scope, "endpoint">): boolean {
  return endpointsIn(cell).some((node) => node && node.value !== endpoint?.name);
}
