import { signaturesWanted } from "../abi/abiScope.ts";
import { lookUpAll, lookUpRevert } from "../abi/unknown.ts";
import { isArray } from "../base/json.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { WithSignatures } from "../workspace/signatures.ts";

/**
 * Loads the table of signatures if requests or outcomes contain topics or selectors that only the table may know.
 *
 * @returns `undefined` if nothing has to be loaded.
 */
export function loadSignaturesFor(
  requests: readonly EvaluatedRequest[],
  outcomes: readonly Outcome[],
  withSignatures: WithSignatures,
): Promise<void> | undefined {
  lookUp(requests, outcomes);
  return signaturesWanted() ? withSignatures(() => lookUp(requests, outcomes)) : undefined;
}

/** Looks up everything in requests and outcomes that is decoded by a topic or a selector. */
function lookUp(requests: readonly EvaluatedRequest[], outcomes: readonly Outcome[]): void {
  for (const { params, flat } of requests) if (!flat && isArray(params)) lookUpAll(params);
  for (const outcome of outcomes) {
    if (outcome.kind === "answered" && typeof outcome.result.value === "object") lookUpAll(outcome.result.value);
    if (outcome.kind === "refused" && outcome.revertData !== undefined) lookUpRevert(outcome.revertData);
  }
}
