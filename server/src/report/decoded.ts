import type { AbiScope } from "../abi/abiScope.ts";
import { decodedResult, decodedRevert, type ReturnedValues, returnedValues } from "../abi/decodedResult.ts";
import type { AbiParam } from "../abi/type.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import type { Outcome } from "../rpc/outcome.ts";

/** A request as it was sent. */
interface AnsweredRequest {
  readonly method: string;
  readonly params: JsonValue | undefined;
  /** The declared return types of the function that it calls. */
  readonly returns: readonly AbiParam[] | undefined;
}

/**
 * Returns `decoded` for placeholders and expectations: events for results that hold logs, the values that a call
 * returned if its function is declared, the error for a revert.
 *
 * @returns `undefined` if there is nothing to decode.
 */
export function decodedValue(
  { method, params = null, returns }: AnsweredRequest,
  outcome: Outcome,
  scope?: AbiScope,
): JsonValue | undefined {
  if (outcome.kind === "answered") {
    const result = outcome.result.value;
    if (!returns) return decodedResult(method, result, scope, params);
    return returnedBy(params, returns, result, scope)?.values;
  }
  const reverted = outcome.kind === "refused" && (outcome.reason === "revert" || outcome.revertData !== undefined);
  return reverted ? decodedRevert(outcome.revertData, scope, callIn(params).to) : undefined;
}

/** Faults in the values that a call returned, a clause each; other decoded data lists its own under `faults`. */
export function returnedFaults(
  { params, returns }: AnsweredRequest,
  outcome: Outcome,
  scope?: AbiScope,
): readonly string[] {
  if (outcome.kind !== "answered" || !returns) return [];
  return returnedBy(params, returns, outcome.result.value, scope)?.faults ?? [];
}

function returnedBy(
  params: JsonValue | undefined,
  returns: readonly AbiParam[],
  result: JsonValue,
  scope: AbiScope | undefined,
): ReturnedValues | undefined {
  return returnedValues(callIn(params), result, scope, returns);
}

function callIn(params: JsonValue | undefined): JsonObject {
  const call = isArray(params) ? params[0] : undefined;
  return isObject(call) ? call : {};
}
