import { requestedCalls, revertDataOf } from "../abi/decodedResult.ts";
import { type PaymentCall, paymentCall } from "../abi/paymentCall.ts";
import { type Hex, isAddress, quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import type { Outcome } from "../rpc/outcome.ts";

/** A call of a payment by signature that failed, and the state that it ran on. */
export interface FailedPayment extends CallFailure {
  readonly payment: PaymentCall;
  /** In lower case. */
  readonly token: Hex;
  readonly caller: Hex | undefined;
}

interface CallFailure {
  readonly revertData: string | undefined;
  readonly message: string;
  /** Seconds since 1970, of the block that it ran in; `undefined` if the answer does not tell. */
  readonly time: bigint | undefined;
  /** The call's place in the request: the entry of `blockStateCalls` and the call in it; `undefined` for other methods. */
  readonly place: CallPlace | undefined;
  readonly state: CallState;
  /** The block of a transaction; its state is that of the block before. */
  readonly block?: JsonValue;
}

interface CallPlace {
  readonly entry: number;
  readonly call: number;
}

/** Where further calls see what the failed one saw. */
export type CallState =
  /** The parameters after the call: block, state overrides, block overrides. */
  | { readonly kind: "call"; readonly rest: readonly JsonValue[] }
  /** The simulated blocks up to the failed call, without it. */
  | { readonly kind: "simulation"; readonly entries: readonly JsonObject[]; readonly block: JsonValue };

/** Calls of one request that are explained. */
const maxExplained = 3;

/** Returns the payments by signature that failed in a request; none for all other requests. */
export function failedPayments(
  method: string,
  params: JsonValue | undefined,
  outcome: Outcome | undefined,
): readonly FailedPayment[] {
  if (!isArray(params) || !outcome) return [];
  if (method === "eth_simulateV1") return outcome.kind === "answered" ? simulated(params, outcome.result.value) : [];
  if (method !== "eth_call" && method !== "eth_estimateGas") return [];
  if (outcome.kind !== "refused" || (outcome.reason !== "revert" && outcome.reason !== "vm-error")) return [];
  const [call, block = "latest", ...overrides] = params;
  const { revertData, message } = outcome;
  const state: CallState = { kind: "call", rest: [block, ...overrides] };
  return failedCall(call, { revertData, message, time: undefined, place: undefined, state });
}

/** Returns the failed payment that a call is; none if it is not one. */
export function failedCall(call: JsonValue | undefined, given: CallFailure): readonly FailedPayment[] {
  if (!isObject(call) || !isAddress(call.to)) return [];
  const payment = paymentCall(call.input ?? call.data);
  return payment ? [{ ...given, payment, token: lower(call.to), caller: callerOf(call) }] : [];
}

function callerOf({ from }: JsonObject): Hex | undefined {
  return isAddress(from) ? lower(from) : undefined;
}

function lower(address: Hex): Hex {
  return address.toLowerCase() as Hex; // the letters are all that changes
}

function simulated(params: readonly JsonValue[], result: JsonValue): readonly FailedPayment[] {
  const blocks = isArray(result) ? result.filter(isObject) : [];
  const asked = requestedCalls(params, blocks);
  const [payload, block = "latest"] = params;
  const entries = isObject(payload) && isArray(payload.blockStateCalls) ? payload.blockStateCalls.filter(isObject) : [];
  const found: FailedPayment[] = [];
  for (const [at, { calls, timestamp }] of blocks.entries()) {
    const entry = entries.findIndex((one) => one.calls === asked[at]);
    for (const [index, call] of (isArray(calls) ? calls : []).entries()) {
      if (found.length === maxExplained) return found;
      if (entry < 0 || !isObject(call) || call.status !== "0x0") continue;
      const message = isObject(call.error) ? call.error.message : call.error;
      found.push(
        ...failedCall(asked[at]?.[index], {
          revertData: revertDataOf(call),
          message: typeof message === "string" ? message : "",
          time: quantity(timestamp),
          place: { entry, call: index },
          state: { kind: "simulation", entries: before(entries, entry, index), block },
        }),
      );
    }
  }
  return found;
}

function before(entries: readonly JsonObject[], entry: number, call: number): readonly JsonObject[] {
  return entries.slice(0, entry + 1).map((one, at) => {
    return at < entry || !isArray(one.calls) ? one : { ...one, calls: one.calls.slice(0, call) };
  });
}
