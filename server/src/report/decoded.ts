import type { AbiScope } from "../abi/abiScope.ts";
import { decodedResult, decodedRevert, returnedValues } from "../abi/decodedResult.ts";
import type { AbiParam } from "../abi/type.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import type { Outcome } from "../rpc/outcome.ts";

/** A request as it was sent. */
interface Asked {
  readonly method: string;
  readonly params: JsonValue | undefined;
  /** What the function that it calls is declared to return. */
  readonly returns: readonly AbiParam[] | undefined;
}

/**
 * What `decoded` is in placeholders and expectations: events for results that hold logs, the values that a call
 * returned where its function is declared, the error for a revert.
 *
 * @returns `undefined` where there is nothing to decode.
 */
export function decodedValue(
  { method, params = null, returns }: Asked,
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
