import { quantity } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import type { Outcome } from "../rpc/outcome.ts";

/** Returns the result of an answered request. */
export function answerOf(outcome: Outcome | undefined): JsonValue | undefined {
  return outcome?.kind === "answered" ? outcome.result.value : undefined;
}

/** Reads a quantity of at most 16 hex digits. */
export function blockNumber(value: JsonValue | undefined): bigint | undefined {
  return typeof value === "string" && value.length > 18 ? undefined : quantity(value);
}
