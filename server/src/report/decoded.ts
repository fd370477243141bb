import type { AbiScope } from "../abi/abiScope.ts";
import { decodedResult, decodedRevert } from "../abi/decodedResult.ts";
import type { JsonValue } from "../base/json.ts";
import type { Outcome } from "../rpc/outcome.ts";

/**
 * What `decoded` is in placeholders and expectations: events for results that hold logs, the error for a revert.
 *
 * @returns `undefined` where there is nothing to decode.
 */
export function decodedValue(method: string, outcome: Outcome, scope?: AbiScope): JsonValue | undefined {
  if (outcome.kind === "answered") return decodedResult(method, outcome.result.value, scope);
  const reverted = outcome.kind === "refused" && (outcome.reason === "revert" || outcome.revertData !== undefined);
  return reverted ? decodedRevert(outcome.revertData, scope) : undefined;
}
