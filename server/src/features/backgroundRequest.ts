import { cursorContext } from "../analysis/cursorContext.ts";
import { sentAlong } from "../analysis/order.ts";
import type { Scope } from "../analysis/scope.ts";
import type { KnownState, StateQuestion } from "../evaluate/assume/stateQuestion.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { Cell } from "../notebook/cell.ts";
import { requestsOf } from "./wireForm.ts";

/** The facts that a request still needs. */
interface NeededFacts {
  readonly questions: readonly StateQuestion[];
}

/**
 * The request of a cell that may be asked without a run: one that sends no value of the host.
 *
 * @param known - Facts about the cell's endpoint that assumptions need; those that the scope has, if absent.
 */
export function backgroundRequest(
  cell: Cell,
  scope: Scope,
  known?: KnownState,
): EvaluatedRequest | NeededFacts | undefined {
  if (cell.kind !== "request" || cell.requests.length !== 1 || cell.directives.has("each")) return undefined;
  if (sentAlong([cell], scope.cells).length > 0) return undefined;
  const requests = requestsOf(cell, scope, known);
  if (!("unsent" in requests)) return requests[0];
  return requests.questions && { questions: requests.questions };
}

/** Whether the cursor is in call data, on the function that it is written as, or on the type of data to sign. */
export function isCallData(cell: Cell, offset: number, scope: Scope): boolean {
  const role = cursorContext(cell, offset, scope.catalog)?.role;
  return role?.kind === "typed" && fieldsInWords.has(role.field?.name ?? "");
}

/** Fields whose hovers say a call or data to sign in words. */
const fieldsInWords: ReadonlySet<string> = new Set(["data", "input", "function", "primaryType"]);

/** Whether a hover at the cursor shows what the request would do: on its opening bracket, its method and the key `params`. */
export function isHandle(cell: Cell, offset: number, scope: Scope): boolean {
  if (cell.root?.offset === offset) return true;
  const place = cursorContext(cell, offset, scope.catalog);
  return place?.role.kind === "method" || (place?.role.kind === "params" && place.kind === "key");
}
