import { isAddress } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { isArray, isObject } from "../base/json.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { Question } from "./backgroundClient.ts";

/** A request as it would be sent. */
export interface SimulationRequest {
  readonly method: string;
  readonly params: JsonValue | undefined;
}

/** Methods whose requests can be tried without a trace. */
export const simulated: ReadonlySet<string> = new Set([
  "eth_call",
  "eth_estimateGas",
  "eth_simulateV1",
  "eth_sendTransaction",
  "eth_sendRawTransaction",
]);

/** What to ask to see what a request would do. */
export interface Simulation {
  /** With `eth_simulateV1`: return data, gas, logs and movements of the native currency. */
  readonly full: Question;
  /**
   * For endpoints without that: whether it goes through, what it returns, and an estimate of its gas where no override
   * stands in the way; absent for simulations of several calls.
   */
  readonly plain: readonly Question[] | undefined;
  /** It is a call without an address to go to. */
  readonly creates: boolean;
  /** What may be a token: the contract that is called. */
  readonly called: string | undefined;
}

/**
 * The simulation of a request: state and block overrides of `eth_call` stand in it as they are, and its block is the
 * request's own; what would be sent is tried at `pending`.
 *
 * @param transaction - What a raw signed transaction holds.
 * @returns `undefined` for requests of another shape or method.
 */
export function simulationOf({ method, params }: SimulationRequest, transaction?: JsonObject): Simulation | undefined {
  const [first, block, state, time] = isArray(params) ? params : [];
  switch (method) {
    case "eth_simulateV1":
      if (!isObject(first)) return undefined;
      return {
        full: asking("eth_simulateV1", { ...first, traceTransfers: true }, blockOf(block)),
        plain: undefined,
        creates: false,
        called: undefined,
      };
    case "eth_call":
    case "eth_estimateGas":
      return isObject(first) ? simulationOfCall(first, blockOf(block), state, time) : undefined;
    case "eth_sendTransaction":
      return isObject(first) ? simulationOfCall(first, "pending") : undefined;
    case "eth_sendRawTransaction":
      return transaction && simulationOfCall(transaction, "pending");
    default:
      return undefined;
  }
}

function blockOf(block: JsonValue | undefined): JsonValue {
  return block ?? "pending";
}

function simulationOfCall(call: JsonObject, block: JsonValue, state?: JsonValue, time?: JsonValue): Simulation {
  // the nonce is the chain's to say: a simulation need not come in turn
  const { nonce: _nonce, ...tried } = call;
  const overrides = {
    ...(isObject(state) && { stateOverrides: state }),
    ...(isObject(time) && { blockOverrides: time }),
  };
  const payload = { blockStateCalls: [{ ...overrides, calls: [tried] }], traceTransfers: true, validation: false };
  const more = isObject(state) ? [state, ...(isObject(time) ? [time] : [])] : [];
  return {
    full: asking("eth_simulateV1", payload, block),
    plain: [
      asking("eth_call", tried, block, ...more),
      ...(more.length === 0 ? [asking("eth_estimateGas", tried, block)] : []),
    ],
    creates: tried.to === undefined || tried.to === null,
    called: isAddress(tried.to) && hasData(tried) ? tried.to : undefined,
  };
}

function hasData({ data, input }: JsonObject): boolean {
  return [data, input].some((bytes) => typeof bytes === "string" && bytes.length > 2);
}

function asking(method: string, ...params: readonly JsonValue[]): Question {
  return { method, params };
}

export const hasNone = "This endpoint has no `eth_simulateV1`";

/** Why something else is to be tried, as the beginning of a sentence. */
export function whyLacking(outcome: Outcome, { creates }: Simulation): string | undefined {
  if (outcome.kind !== "refused") return undefined;
  if (lacksIt.has(outcome.reason)) return hasNone;
  // some nodes read the calls of a simulation as transactions with an address to go to
  if (creates && outcome.reason === "bad-params" && /missing keys.*"to"|missing field `to`/.test(outcome.message))
    return "This endpoint simulates no creations";
  return undefined;
}

/** Refusals that say that the method is not served here. */
const lacksIt: ReadonlySet<string> = new Set(["unknown-method", "not-allowed", "plan-limit"]);
