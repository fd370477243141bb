import { shortQuantity, toQuantity } from "../base/hex.ts";
import { isArray, isObject } from "../base/json.ts";
import type { Question } from "../gate/backgroundClient.ts";
import { explain } from "../rpc/explain.ts";
import { type Outcome, resultOf } from "../rpc/outcome.ts";
import { estimatesDiffer, unusedAddress } from "./observer.ts";
import type { PendingMethod, PendingSupport, Support } from "./pendingSupport.ts";
import type { TagComparison } from "./tagReadings.ts";

type Failure = Exclude<Outcome, { kind: "answered" }>;

/**
 * Compares a reading at `pending` with those at `latest` before and after it.
 *
 * @param isPending - The sample transaction was pending all the time.
 * @returns `undefined` if the answers show nothing.
 */
export function byReading(
  { method, what, sure, value }: TagComparison,
  [before, during, after]: readonly (Outcome | undefined)[],
  isPending: boolean,
): PendingSupport | undefined {
  if (during && during.kind !== "answered") return refusedAt(during, before, method);
  const [latest, pending, latestAfter] = [before, during, after].map((outcome) => {
    const result = resultOf(outcome);
    return result === undefined ? undefined : value(result);
  });
  if (pending === undefined || latest === undefined || latest !== latestAfter) return undefined;
  if (pending !== latest) return { status: "ahead", how: `by ${what}` };
  if (!isPending) return undefined;
  return sure ? { status: "same", how: `by ${what}` } : { status: "unknown", how: `nothing changed in ${what}` };
}

/** Compares estimates of gas that depends on a balance. */
export function byEstimate(pending: Outcome, latest: Outcome | undefined, isPending: boolean): PendingSupport {
  if (pending.kind !== "answered") return refusedAt(pending, latest, "eth_estimateGas");
  const how = "by gas that depends on the balance of a sender";
  if (estimatesDiffer(resultOf(pending), resultOf(latest))) return { status: "ahead", how };
  return isPending && latest?.kind === "answered"
    ? { status: "same", how }
    : { status: "unknown", how: "the block changed" };
}

/** Compares what a sender can pay: all of its balance, and one wei more. */
export function byPayment(pending: readonly Outcome[], latest: readonly Outcome[], isPending: boolean): PendingSupport {
  const how = "by what a sender can pay";
  const differs = paysDifferently(pending, latest);
  if (differs === true) return { status: "ahead", how };
  if (differs === false && isPending) return { status: "same", how };
  const [all] = pending;
  return all && all.kind !== "answered" && latest[0]?.kind === "answered" && differs === undefined
    ? refusedOrUnknown(all, "eth_call")
    : { status: "unknown", how: "its calls do not depend on the balance of a sender" };
}

/** Reads the blocks of the logs or receipts at `pending`. */
export function byBlocks(outcome: Outcome, method: PendingMethod, head: bigint): PendingSupport {
  if (outcome.kind !== "answered") return refusedOrUnknown(outcome, method);
  const { value } = outcome.result;
  const items = isArray(value) ? value.filter(isObject) : [];
  const blocks = items.flatMap((item) => shortQuantity(item.blockNumber) ?? []);
  const what = method === "eth_getLogs" ? "logs" : "receipts";
  if (blocks.some((block) => block > head)) return { status: "ahead", how: `by ${what} of block ${head + 1n}` };
  if (value === null) return { status: "unknown", how: "it answers null" };
  return blocks.length > 0
    ? { status: "same", how: `by ${what} of the latest block` }
    : { status: "unknown", how: `no ${what} were pending` };
}

/** Returns the support of `eth_simulateV1` by an endpoint that does not simulate. */
export function unsimulated({ is, why }: Support): PendingSupport {
  return { status: is === false ? "refused" : "unknown", how: why };
}

/** An error that `latest` gets as well is not about `pending`, unless the method is not served at all. */
function refusedAt(pending: Failure, latest: Outcome | undefined, method: PendingMethod): PendingSupport {
  const support = refusedOrUnknown(pending, method);
  if (latest?.kind !== "refused" || pending.reason === "unknown-method" || pending.reason === "not-allowed")
    return support;
  return { status: "unknown", how: `it refuses the same at \`latest\`: ${support.how}` };
}

function refusedOrUnknown(outcome: Failure, method: PendingMethod): PendingSupport {
  const { what } = explain(outcome, method);
  const isUnclear = outcome.kind === "unreachable" || outcome.reason === "rate-limit" || outcome.reason === "timeout";
  return { status: isUnclear ? "unknown" : "refused", how: what };
}

/**
 * Returns calls that succeed only if a sender can pay a value: the balance at `latest`, and one wei more. For nodes that
 * accept neither overrides nor a call without `to`.
 *
 * @param balance - Wei.
 */
export function paymentQuestions(sender: string, balance: bigint, tag: string): readonly Question[] {
  return [balance, balance + 1n].map((value) => ({
    method: "eth_call",
    params: [{ from: sender, to: unusedAddress, value: toQuantity(value) }, tag],
  }));
}

/**
 * Whether the sender can pay another amount at `pending` than at `latest`.
 *
 * @returns `undefined` if the node does not check the value against the balance, or answers something else.
 */
function paysDifferently(
  pending: readonly (Outcome | undefined)[],
  latest: readonly (Outcome | undefined)[],
): boolean | undefined {
  const [all, more] = latest.map(canPay);
  if (all !== true || more !== false) return undefined;
  const [allThen, moreThen] = pending.map(canPay);
  if (allThen === undefined || moreThen === undefined) return undefined;
  return !allThen || moreThen;
}

function canPay(outcome: Outcome | undefined): boolean | undefined {
  if (outcome?.kind === "answered") return true;
  return outcome?.kind === "refused" && outcome.reason === "tx-rejected" ? false : undefined;
}
