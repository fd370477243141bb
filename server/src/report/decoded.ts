import type { AbiScope } from "../abi/abiScope.ts";
import { decodeParams } from "../abi/decode.ts";
import { decodedResult, decodedRevert } from "../abi/decodedResult.ts";
import type { AbiParam } from "../abi/type.ts";
import { isHex } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import type { Outcome } from "../rpc/outcome.ts";

/**
 * What `decoded` is in placeholders and expectations: events for results that hold logs, the values that a call
 * returned where its function is declared, the error for a revert.
 *
 * @returns `undefined` where there is nothing to decode.
 */
export function decodedValue(
  { method, returns }: { readonly method: string; readonly returns: readonly AbiParam[] | undefined },
  outcome: Outcome,
  scope?: AbiScope,
): JsonValue | undefined {
  if (outcome.kind === "answered") {
    return returns ? returned(returns, outcome.result.value) : decodedResult(method, outcome.result.value, scope);
  }
  const reverted = outcome.kind === "refused" && (outcome.reason === "revert" || outcome.revertData !== undefined);
  return reverted ? decodedRevert(outcome.revertData, scope) : undefined;
}

/** The values in order; `undefined` where they are not what the function was declared to return. */
function returned(returns: readonly AbiParam[], data: JsonValue): JsonValue | undefined {
  if (!isHex(data) || data === "0x") return undefined;
  const { values } = decodeParams(returns, data.toLowerCase(), 2);
  return values.map((value) => value ?? null);
}
