import { balanceCall } from "../abi/token.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import type { Question } from "../gate/backgroundClient.ts";
import { observerCode, readObserved, unusedAddress } from "./observer.ts";
import type { PendingSample, SampleState } from "./pendingSample.ts";
import type { PendingMethod, Support } from "./pendingSupport.ts";

/** The capabilities of an endpoint that decide how to measure it. */
export interface MeasuringContext {
  /** `eth_call` runs the code of a creation, without `to`. */
  readonly creates: boolean;
  readonly overrides: boolean;
  readonly simulates: Support;
}

/** Something that is read at `latest` and at `pending`, to compare the two. */
export interface TagComparison {
  readonly method: PendingMethod;
  /** The quantity measured, in words. */
  readonly what: string;
  /** The sample transaction changes it. */
  readonly sure: boolean;
  question(tag: string): Question;
  value(result: JsonValue): JsonValue | bigint | undefined;
}

/** Returns the readings for a sample. The balance comes first, then the nonce, then the call if code can observe. */
export function tagComparisons(
  { sender, token }: PendingSample,
  { slots, created }: SampleState,
  context: MeasuringContext,
): readonly TagComparison[] {
  return [
    accountReading("eth_getBalance", "the balance of a sender", sender),
    accountReading("eth_getTransactionCount", "the nonce of a sender", sender),
    ...(context.overrides || context.creates ? [observingCall(sender, context)] : []),
    ...(token === undefined ? [] : [tokenCall(token, sender)]),
    ...(context.simulates.is === true ? [observingSimulation(sender)] : []),
    ...slots.map(({ address, slot }) => storageReading(address, slot)),
    ...(created === undefined ? [] : [accountReading("eth_getCode", "the code of a new contract", created)]),
  ];
}

function accountReading(method: PendingMethod, what: string, address: string): TagComparison {
  return { method, what, sure: true, question: (tag) => ({ method, params: [address, tag] }), value: asIs };
}

const balanceInCode = "the balance of a sender as code sees it";

function observingCall(sender: string, { overrides }: MeasuringContext): TagComparison {
  return {
    method: "eth_call",
    what: balanceInCode,
    sure: true,
    question: (tag) => ({
      method: "eth_call",
      params: overrides
        ? [{ to: unusedAddress }, tag, observerOverride(sender)]
        : [{ data: observerCode(sender) }, tag],
    }),
    value: observedBalance,
  };
}

function observingSimulation(sender: string): TagComparison {
  const block = { stateOverrides: observerOverride(sender), calls: [{ to: unusedAddress }] };
  return {
    method: "eth_simulateV1",
    what: balanceInCode,
    sure: true,
    question: (tag) => ({ method: "eth_simulateV1", params: [{ blockStateCalls: [block] }, tag] }),
    value: (result) => observedBalance(returnDataIn(result)),
  };
}

function tokenCall(token: string, sender: string): TagComparison {
  return {
    method: "eth_call",
    what: "the tokens of an account",
    sure: false,
    question: (tag) => ({ method: "eth_call", params: [{ to: token, data: balanceCall(sender) }, tag] }),
    value: asIs,
  };
}

function storageReading(address: string, slot: string): TagComparison {
  return {
    method: "eth_getStorageAt",
    what: "a slot that a pending transaction reads or writes",
    sure: false,
    question: (tag) => ({ method: "eth_getStorageAt", params: [address, slot, tag] }),
    value: asIs,
  };
}

function observerOverride(sender: string) {
  return { [unusedAddress]: { code: observerCode(sender) } };
}

function observedBalance(data: JsonValue | undefined): bigint | undefined {
  return readObserved(data)?.balance;
}

function asIs(result: JsonValue): JsonValue {
  return result;
}

/** Returns the return data of the first call of a simulation. */
export function returnDataIn(result: JsonValue | undefined): JsonValue | undefined {
  const block = isArray(result) ? result[0] : undefined;
  const call = isObject(block) && isArray(block.calls) ? block.calls[0] : undefined;
  return isObject(call) ? call.returnData : undefined;
}
