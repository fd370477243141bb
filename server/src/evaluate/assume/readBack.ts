import { quantity } from "../../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { type Outcome, resultOf } from "../../rpc/outcome.ts";
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

export interface AssumingRequest {
  readonly method: string;
  readonly params: JsonValue | undefined;
  readonly assumed?: readonly Assumption[] | undefined;
}

/**
 * Returns the questions that read back what a request assumes, in the block that it simulates, under the same overrides. In
 * another contract than the one that was looked at, or in a contract that reads another place in that block, an override
 * would silently change nothing; and a transaction may have changed the bits of a word that are not assumed.
 */
export function readBacks({ method, params, assumed = [] }: AssumingRequest): readonly ReadBack[] {
  const [, block = "latest"] = isArray(params) ? params : [];
  return assumed.flatMap((assumption): readonly ReadBack[] => {
    const { reading, override } = assumption;
    const backs: ReadBack[] = [];
    if (reading) {
      const { to, data, value } = reading;
      const question = readingQuestion(method, params, { to, data });
      const why = "The contract is not the same as before, or it reads something else in the block that is simulated.";
      backs.push({ assumption, ...question, expected: value, mask: -1n, why });
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
  const result = resultOf(outcome);
  const read = quantity(isArray(result) ? returnedIn(result) : result);
  return read === undefined || ((read ^ expected) & mask) !== 0n;
}

/** Says what was not simulated, and why. */
export function staleText({ assumption, why }: ReadBack): string {
  return `Not simulated as assumed: ${assumption.text}. ${why}`;
}

/** Makes a call in the block that a request simulates, before its calls. */
function readingQuestion(method: string, params: JsonValue | undefined, call: JsonObject): ChainQuestion {
  const [first, block = "latest", ...overrides] = isArray(params) ? params : [];
  if (method !== "eth_simulateV1") return { method: "eth_call", params: [call, block, ...overrides] };
  const [simulated = null] = isObject(first) && isArray(first.blockStateCalls) ? first.blockStateCalls : [];
  const blockStateCalls = [{ ...(isObject(simulated) && simulated), calls: [call] }];
  return { method, params: [{ blockStateCalls }, block] };
}

/** Returns what the only call of a simulation returned. Skipped numbers give blocks without calls. */
function returnedIn(blocks: readonly JsonValue[]): JsonValue | undefined {
  const [call] = blocks.flatMap((block) => (isObject(block) && isArray(block.calls) ? block.calls : []));
  return isObject(call) && call.status !== "0x0" ? call.returnData : undefined;
}
