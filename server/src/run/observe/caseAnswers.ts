import { quantity } from "../../base/hex.ts";
import { isObject, type JsonObject, type JsonValue, printJson } from "../../base/json.ts";
import { formatDuration } from "../../base/units.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import { caseMethods, type Gap } from "../../report/caseFacts.ts";
import { isUnsealed } from "../../report/shown.ts";
import { explain } from "../../rpc/explain.ts";
import type { BlockFacts, BlockQuestion } from "../../rpc/head.ts";
import { answerTime, type Outcome } from "../../rpc/outcome.ts";
import { ownRequest } from "../../rpc/wire.ts";

/** Milliseconds for the answers of one round. */
export const maxRoundMs = 5000;

/** A question about a transaction, and its answer. */
export interface Asked {
  readonly request: EvaluatedRequest;
  /** `undefined`: no answer came in time. */
  readonly outcome: Outcome | undefined;
  /** The limit for the answer, in milliseconds; `undefined`: the wait was cancelled before. */
  readonly maxMs: number | undefined;
}

export function askedOf({ method, params }: BlockQuestion, outcome: Outcome | undefined, givenMs = 0): Asked {
  const maxMs = Math.max(maxRoundMs, givenMs);
  return { request: { ...ownRequest(method, params), returns: undefined }, outcome, maxMs };
}

/** The answer that a request would have had, found in another one. */
export function answeredBy(asked: Asked, value: JsonObject): Asked {
  const exchange = asked.outcome?.exchange;
  return exchange
    ? { ...asked, outcome: { kind: "answered", result: { value, text: printJson(value) }, exchange } }
    : asked;
}

export function unservedTransaction(host: string): Gap {
  return { what: "the transaction", method: caseMethods.transaction, why: `${host} does not serve it.` };
}

/** A block whose own answer is missing. */
export function blockOf({ blockHash }: JsonObject, number: bigint | undefined): BlockFacts | undefined {
  if (number === undefined || isUnsealed({ number: undefined, hash: blockHash }, undefined)) return undefined;
  return { number, timeMs: undefined, hash: typeof blockHash === "string" ? blockHash : undefined };
}

/** The trace with the gas of the receipt. Anvil counts the earlier transactions of the block into that of the first call. */
export function withGasOf({ gasUsed }: JsonObject, trace: JsonObject): JsonObject {
  return quantity(gasUsed) === undefined || quantity(trace.gasUsed) === undefined
    ? trace
    : { ...trace, gasUsed: gasUsed ?? null };
}

/** Whether an answer says that it is of another transaction. */
export function isOfAnother(answer: JsonValue | undefined, hash: string): boolean {
  const own = isObject(answer) ? (answer.transactionHash ?? answer.hash) : undefined;
  return typeof own === "string" && own.toLowerCase() !== hash.toLowerCase();
}

/** Whether a block may be the one of a receipt. */
export function isBlockOf({ number, hash }: BlockFacts, receipt: JsonObject): boolean {
  return number === quantity(receipt.blockNumber) && (hash === undefined || hash === (receipt.blockHash ?? hash));
}

/** @param other - What the answer is of, if that is not what was asked for. */
export function gapOf(asked: Asked | undefined, what: string, other?: string): readonly Gap[] {
  if (!asked) return [];
  const { request, outcome, maxMs } = asked;
  if (outcome?.kind === "answered")
    return other === undefined ? [] : [{ what, method: request.method, why: `The answer is of ${other}.` }];
  const late = maxMs === undefined ? "It was cancelled." : `No answer within ${formatDuration(maxMs)}.`;
  const why = outcome ? explain(outcome, request.method).what : late;
  return [{ what, method: request.method, why }];
}

export function answeredAt(asked: readonly Asked[]): number | undefined {
  const times = asked.flatMap(({ outcome }) => (outcome ? [answerTime(outcome.exchange)] : []));
  return times.length === 0 ? undefined : Math.max(...times);
}
