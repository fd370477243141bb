import { quantity } from "../../base/hex.ts";
import { isArray, isObject, type JsonValue } from "../../base/json.ts";
import { type Outcome, resultOf } from "../../rpc/outcome.ts";
import type { EvaluatedRequest } from "../evaluateRequest.ts";
import { type Assumption, maskOf } from "./assumption.ts";
import { type ChainQuestion, isEndpointFailure, wordQuestion } from "./findSlot.ts";

/** A question that shows whether something is assumed as it was meant. */
export interface ReadBack extends ChainQuestion {
  readonly assumption: Assumption;
  /** The bits that are expected, and which of them count. */
  readonly expected: bigint;
  readonly mask: bigint;
  /** A sentence that says what is wrong if the answer is another. */
  readonly why: string;
}

type Reading = Pick<EvaluatedRequest, "method" | "params" | "assumed">;

/**
 * Returns the questions that read back what a request assumes, under the same overrides. In another contract than the one
 * that was looked at, an override would silently change nothing; and a transaction may have changed the bits of a word
 * that are not assumed.
 */
export function readBacks({ method, params, assumed = [] }: Reading): readonly ReadBack[] {
  const state = stateOf(method, params);
  const [block = "latest"] = state;
  return assumed.flatMap((assumption): readonly ReadBack[] => {
    const { reading, override } = assumption;
    const backs: ReadBack[] = [];
    if (reading) {
      const { to, data, value } = reading;
      const why = "The contract is not the same as before.";
      backs.push({ assumption, method: "eth_call", params: [{ to, data }, ...state], expected: value, mask: -1n, why });
    }
    if (override.kind === "slot" && override.mask !== undefined) {
      const why = "The rest of its word of storage has changed.";
      const question = wordQuestion(override.address, override.slot, block);
      backs.push({ assumption, ...question, expected: BigInt(override.value), mask: ~maskOf(override), why });
    }
    return backs;
  });
}

/** Whether the chain has read back something else than what was assumed. A question that failed says nothing. */
export function isStale({ expected, mask }: ReadBack, outcome: Outcome | undefined): boolean {
  if (outcome === undefined || isEndpointFailure(outcome)) return false;
  const read = quantity(resultOf(outcome));
  return read === undefined || ((read ^ expected) & mask) !== 0n;
}

/** Says what was not simulated, and why. */
export function staleText({ assumption, why }: ReadBack): string {
  return `Not simulated as assumed: ${assumption.text}. ${why}`;
}

/** Returns the parameters after the call with which a call sees what a request sees: of a simulation, its first block. */
function stateOf(method: string, params: JsonValue | undefined): readonly JsonValue[] {
  const [first, block = "latest", ...overrides] = isArray(params) ? params : [];
  if (method === "eth_call") return [block, ...overrides];
  if (method !== "eth_simulateV1") return [block, ...overrides.slice(0, 1)];
  const [simulated] = isObject(first) && isArray(first.blockStateCalls) ? first.blockStateCalls : [];
  return [block, isObject(simulated) ? (simulated.stateOverrides ?? {}) : {}];
}
