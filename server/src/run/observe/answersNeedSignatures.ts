import { needsSignatures, revertNeedsSignatures } from "../../abi/needsSignatures.ts";
import { isArray } from "../../base/json.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Outcome } from "../../rpc/outcome.ts";

/** Whether requests or outcomes contain topics or selectors that only the table of signatures may have. */
export function answersNeedSignatures(requests: readonly EvaluatedRequest[], outcomes: readonly Outcome[]): boolean {
  for (const { params, flat } of requests) if (!flat && isArray(params) && needsSignatures(params)) return true;
  return outcomes.some((outcome) => {
    if (outcome.kind === "answered") {
      return typeof outcome.result.value === "object" && needsSignatures(outcome.result.value);
    }
    return outcome.kind === "refused" && outcome.revertData !== undefined && revertNeedsSignatures(outcome.revertData);
  });
}
