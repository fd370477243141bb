import { signedTransaction } from "../abi/transaction.ts";
import { isAddress } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { isArray, isObject } from "../base/json.ts";
import type { Question } from "../gate/backgroundClient.ts";
import type { Outcome } from "../rpc/outcome.ts";

/** A request to simulate, as it would be sent. */
export interface SimulationRequest {
  readonly method: string;
  readonly params: JsonValue | undefined;
}

/** Methods whose requests can be simulated. */
export const simulated: ReadonlySet<string> = new Set([
  "eth_call",
  "eth_estimateGas",
  "eth_simulateV1",
  "eth_sendTransaction",
  "eth_sendRawTransaction",
]);

/** The questions that show what a request would do. */
export interface Simulation {
  /** With `eth_simulateV1`: return data, gas, logs and movements of the native currency. */
  readonly full: Question;
  /**
   * For endpoints without that: whether it succeeds and what it returns, and an estimate of its gas if there is no
   * override. Absent for simulations of several calls.
   */
  readonly plain: readonly Question[] | undefined;
  /** The call has no `to`. */
  readonly creates: boolean;
  /** The contract that is called, which may be a token. */
  readonly called: string | undefined;
}

/**
 * Returns the simulation of a request, with the overrides and the block of an `eth_call`. A transaction is simulated at
 * `pending`, also a raw signed one.
 *
 * @returns `undefined` for requests of another shape or method.
 */
export async function simulationOf({ method, params }: SimulationRequest): Promise<Simulation | undefined> {
  const [first, block, state, time] = isArray(params) ? params : [];
  switch (method) {
    case "eth_simulateV1":
      if (!isObject(first)) return undefined;
      return {
        full: questionOf("eth_simulateV1", { ...first, traceTransfers: true }, blockOf(block)),
        plain: undefined,
        creates: false,
        called: undefined,
      };
    case "eth_call":
    case "eth_estimateGas":
      return isObject(first) ? simulationOfCall(first, blockOf(block), state, time) : undefined;
    case "eth_sendTransaction":
      return isObject(first) ? simulationOfCall(first, "pending") : undefined;
    case "eth_sendRawTransaction": {
      const transaction = await signedTransaction(first);
      return transaction && simulationOfCall(transaction, "pending");
    }
    default:
      return undefined;
  }
}

function blockOf(block: JsonValue | undefined): JsonValue {
  return block ?? "pending";
}

function simulationOfCall(call: JsonObject, block: JsonValue, state?: JsonValue, time?: JsonValue): Simulation {
  // without the nonce: the transactions before it may not be sealed yet
  const { nonce: _nonce, ...simulatedCall } = call;
  const overrides = {
    ...(isObject(state) && { stateOverrides: state }),
    ...(isObject(time) && { blockOverrides: time }),
  };
  const payload = {
    blockStateCalls: [{ ...overrides, calls: [simulatedCall] }],
    traceTransfers: true,
    validation: false,
  };
  const more = isObject(state) ? [state, ...(isObject(time) ? [time] : [])] : [];
  return {
    full: questionOf("eth_simulateV1", payload, block),
    plain: [
      questionOf("eth_call", simulatedCall, block, ...more),
      ...(more.length === 0 ? [questionOf("eth_estimateGas", simulatedCall, block)] : []),
    ],
    creates: simulatedCall.to === undefined || simulatedCall.to === null,
    called: isAddress(simulatedCall.to) && hasData(simulatedCall) ? simulatedCall.to : undefined,
  };
}

function hasData({ data, input }: JsonObject): boolean {
  return [data, input].some((bytes) => typeof bytes === "string" && bytes.length > 2);
}

function questionOf(method: string, ...params: readonly JsonValue[]): Question {
  return { method, params };
}

export const unsupported = "This endpoint has no `eth_simulateV1`";

/** Returns why the endpoint cannot simulate this, as the beginning of a sentence. */
export function whyUnsupported(outcome: Outcome, { creates }: Simulation): string | undefined {
  if (outcome.kind !== "refused") return undefined;
  if (unsupportedReasons.has(outcome.reason)) return unsupported;
  // some nodes require `to` in the calls of a simulation
  if (creates && outcome.reason === "bad-params" && /missing keys.*"to"|missing field `to`/.test(outcome.message))
    return "This endpoint cannot simulate the creation of a contract";
  return undefined;
}

/** Reasons of a refusal that mean that the endpoint does not serve the method. */
const unsupportedReasons: ReadonlySet<string> = new Set(["unknown-method", "not-allowed", "plan-limit"]);
