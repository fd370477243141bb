import { quantity } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import type { Outcome } from "../rpc/outcome.ts";

export function answerOf(outcome: Outcome | undefined): JsonValue | undefined {
  return outcome?.kind === "answered" ? outcome.result.value : undefined;
}

/** A number no longer than numbers of blocks are. */
export function blockNumber(value: JsonValue | undefined): bigint | undefined {
  return typeof value === "string" && value.length > 18 ? undefined : quantity(value);
}
