import { quantity } from "../../base/hex.ts";
import { isArray, isObject, type JsonValue } from "../../base/json.ts";
import { type Outcome, resultOf } from "../../rpc/outcome.ts";
import type { EvaluatedRequest } from "../evaluateRequest.ts";
import type { Assumption } from "./assumption.ts";
import { isEndpointFailure } from "./findSlot.ts";

/** A call that reads what a request assumes, under the same overrides. */
export interface ReadBack {
  readonly assumption: Assumption;
  readonly method: "eth_call";
  readonly params: readonly JsonValue[];
  readonly expected: bigint;
}

type Reading = Pick<EvaluatedRequest, "method" | "params" | "assumed">;

/**
 * Returns the calls that read back what a request assumes. In another contract than the one that was looked at, an
 * override would silently change nothing.
 */
export function readBacks({ method, params, assumed = [] }: Reading): readonly ReadBack[] {
  const [block, overrides] = stateOf(method, params);
  return assumed.flatMap((assumption): readonly ReadBack[] => {
    if (!assumption.reading) return [];
    const { to, data, value } = assumption.reading;
    return [{ assumption, method: "eth_call", params: [{ to, data }, block, overrides], expected: value }];
  });
}

/** Whether the chain has read back something else than what was assumed. A call that failed says nothing. */
export function isStale({ expected }: ReadBack, outcome: Outcome | undefined): boolean {
  return outcome !== undefined && !isEndpointFailure(outcome) && quantity(resultOf(outcome)) !== expected;
}

/** Returns a sentence about an assumption that had no effect. */
export function staleText({ text }: Assumption): string {
  return `The contract has changed, so the simulation ignored an assumption: ${text}.`;
}

/** Returns the block of a request and its state overrides: of a simulation, those of its first block. */
function stateOf(method: string, params: JsonValue | undefined): readonly [block: JsonValue, overrides: JsonValue] {
  const [first, block = "latest", overrides = {}] = isArray(params) ? params : [];
  if (method !== "eth_simulateV1") return [block, overrides];
  const [simulated] = isObject(first) && isArray(first.blockStateCalls) ? first.blockStateCalls : [];
  return [block, isObject(simulated) ? (simulated.stateOverrides ?? {}) : {}];
}
