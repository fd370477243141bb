import type { AbiScope } from "../abi/abiScope.ts";
import { decodedResult, decodedRevert, returnedValues } from "../abi/decodedResult.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import type { WireRequest } from "../evaluate/wire.ts";
import type { Outcome } from "../rpc/outcome.ts";

/**
 * What `decoded` is in placeholders and expectations: events for results that hold logs, the values that a call
 * returned where its function is declared, the error for a revert.
 *
 * @returns `undefined` where there is nothing to decode.
 */
export function decodedValue(
  { method, params = null, returns }: Pick<WireRequest, "method" | "params" | "returns">,
  outcome: Outcome,
  scope?: AbiScope,
): JsonValue | undefined {
  if (outcome.kind === "answered") {
    const result = outcome.result.value;
    if (!returns) return decodedResult(method, result, scope, params);
    const call = isArray(params) ? params[0] : undefined;
    return returnedValues(isObject(call) ? call : {}, result, scope, returns);
  }
  const reverted = outcome.kind === "refused" && (outcome.reason === "revert" || outcome.revertData !== undefined);
  return reverted ? decodedRevert(outcome.revertData, scope) : undefined;
}
