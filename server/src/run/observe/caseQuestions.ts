import { quantity, toQuantity } from "../../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { caseMethods, type Replacement, type Reread } from "../../report/caseFacts.ts";
import type { BlockQuestion } from "../../rpc/head.ts";
import type { Outcome } from "../../rpc/outcome.ts";

/** @see https://geth.ethereum.org/docs/developers/evm-tracing/built-in-tracers#call-tracer */
export function traceQuestion(hash: string): BlockQuestion {
  return { method: caseMethods.trace, params: [hash, { tracer: "callTracer", tracerConfig: { withLog: true } }] };
}

/** Members of a transaction that its execution depends on. Fees are left out, so that the sender need not have them. */
const called = ["from", "to", "gas", "value", "input", "accessList", "authorizationList"] as const;

/** Asks for the same call at the block before; `undefined` if the endpoint serves neither of the methods. */
export function rereadQuestion(
  transaction: JsonObject,
  block: bigint,
  refuses: (method: string) => boolean,
): BlockQuestion | undefined {
  if (block === 0n) return undefined;
  const at = toQuantity(block - 1n);
  const call: Record<string, JsonValue> = {};
  for (const name of called) {
    const value = transaction[name];
    if (value !== undefined && value !== null) call[name] = value;
  }
  if (!refuses("eth_call")) return { method: "eth_call", params: [call, at] };
  return refuses("eth_simulateV1")
    ? undefined
    : { method: "eth_simulateV1", params: [{ blockStateCalls: [{ calls: [call] }] }, at] };
}

/** Reads how the call ended there; `undefined` if the endpoint did not run it. */
export function rereadFrom(method: string, block: bigint, outcome: Outcome | undefined): Reread | undefined {
  const none = { method, block, revertData: undefined, message: "" };
  if (outcome?.kind === "refused" && (outcome.reason === "revert" || outcome.reason === "vm-error"))
    return { ...none, succeeded: false, revertData: outcome.revertData, message: outcome.message };
  if (outcome?.kind !== "answered") return undefined;
  const failed = method === "eth_simulateV1" ? failedCall(outcome.result.value) : undefined;
  if (!failed) return { ...none, succeeded: true };
  const { error, returnData } = failed;
  const message = isObject(error) && typeof error.message === "string" ? error.message : "";
  const data = isObject(error) && typeof error.data === "string" ? error.data : returnData;
  return { ...none, succeeded: false, revertData: typeof data === "string" ? data : undefined, message };
}

function failedCall(result: JsonValue): JsonObject | undefined {
  const [block] = isArray(result) ? result : [];
  const [call] = isObject(block) && isArray(block.calls) ? block.calls : [];
  return isObject(call) && call.status === "0x0" ? call : undefined;
}

/** Blocks among which the transaction is looked for that took a nonce. */
const maxSearched = 16;

export function recentBlocks(latest: bigint | undefined): readonly BlockQuestion[] {
  if (latest === undefined) return [];
  const count = latest < maxSearched ? Number(latest) + 1 : maxSearched;
  return Array.from({ length: count }, (_, back) => ({
    method: "eth_getBlockByNumber",
    params: [toQuantity(latest - BigInt(back)), true],
  }));
}

/** Returns the transaction with the same sender and nonce. */
export function replacementIn(
  blocks: readonly (JsonValue | undefined)[],
  { from, nonce, hash }: JsonObject,
): Replacement["found"] {
  const sender = String(from).toLowerCase();
  for (const block of blocks) {
    if (!isObject(block) || !isArray(block.transactions)) continue;
    const number = quantity(block.number);
    const found = block.transactions.find(
      (one): one is JsonObject =>
        isObject(one) &&
        String(one.from).toLowerCase() === sender &&
        quantity(one.nonce) === quantity(nonce) &&
        one.hash !== hash,
    );
    if (found && number !== undefined && typeof found.hash === "string") return { hash: found.hash, block: number };
  }
  return undefined;
}
