import { cursorContext } from "../analysis/cursorContext.ts";
import type { Scope } from "../analysis/scope.ts";
import { sentAlong } from "../analysis/sentAlong.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { Cell } from "../notebook/cell.ts";
import { requestsOf } from "./wireForm.ts";

/**
 * The request of which a hover at the cursor shows what it would do: on its opening bracket, its method and the key
 * `params`.
 */
export function requestAt(cell: Cell, offset: number, scope: Scope): EvaluatedRequest | undefined {
  return isHandle(cell, offset, scope) ? backgroundRequest(cell, scope) : undefined;
}

/** The request of a cell that may be asked without a run: one that sends no value of the host. */
export function backgroundRequest(cell: Cell, scope: Scope): EvaluatedRequest | undefined {
  if (cell.kind !== "request" || cell.requests.length !== 1) return undefined;
  if (sentAlong([cell], scope.cells).length > 0) return undefined;
  const requests = requestsOf(cell, scope);
  return "unsent" in requests ? undefined : requests[0];
}

function isHandle(cell: Cell, offset: number, scope: Scope): boolean {
  if (cell.root?.offset === offset) return true;
  const place = cursorContext(cell, offset, scope.catalog);
  return place?.role.kind === "method" || (place?.role.kind === "params" && place.kind === "key");
}
