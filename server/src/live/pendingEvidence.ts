import { isArray, isObject } from "../base/json.ts";
import { explain } from "../rpc/explain.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { answerOf, blockNumber } from "./answers.ts";
import { estimatesDiffer } from "./observer.ts";
import { paysDifferently } from "./payment.ts";
import type { PendingMethod, PendingSupport, Support } from "./pendingSupport.ts";
import type { TagReading } from "./tagReadings.ts";

type Failure = Exclude<Outcome, { kind: "answered" }>;

/**
 * Compares a reading at `pending` with those at `latest` before and after it.
 *
 * @param isPending - The sample transaction was pending all the time.
 * @returns `undefined` if the answers show nothing.
 */
export function byReading(
  { method, what, sure, value }: TagReading,
  [before, during, after]: readonly (Outcome | undefined)[],
  isPending: boolean,
): PendingSupport | undefined {
  if (during && during.kind !== "answered") return refusedAt(during, before, method);
  const [latest, pending, latestAfter] = [before, during, after].map((outcome) => {
    const result = answerOf(outcome);
    return result === undefined ? undefined : value(result);
  });
  if (pending === undefined || latest === undefined || latest !== latestAfter) return undefined;
  if (pending !== latest) return { standing: "ahead", how: `by ${what}` };
  if (!isPending) return undefined;
  return sure ? { standing: "same", how: `by ${what}` } : { standing: "unknown", how: `nothing changed in ${what}` };
}

/** Compares estimates of gas that depends on a balance. */
export function byEstimate(pending: Outcome, latest: Outcome | undefined, isPending: boolean): PendingSupport {
  if (pending.kind !== "answered") return refusedAt(pending, latest, "eth_estimateGas");
  const how = "by gas that depends on the balance of a sender";
  if (estimatesDiffer(answerOf(pending), answerOf(latest))) return { standing: "ahead", how };
  return isPending && latest?.kind === "answered"
    ? { standing: "same", how }
    : { standing: "unknown", how: "the block changed" };
}

/** Compares what a sender can pay: all of its balance, and one wei more. */
export function byPayment(pending: readonly Outcome[], latest: readonly Outcome[], isPending: boolean): PendingSupport {
  const how = "by what a sender can pay";
  const differs = paysDifferently(pending, latest);
  if (differs === true) return { standing: "ahead", how };
  if (differs === false && isPending) return { standing: "same", how };
  const [all] = pending;
  return all && all.kind !== "answered" && latest[0]?.kind === "answered" && differs === undefined
    ? refusedOrUnknown(all, "eth_call")
    : { standing: "unknown", how: "its calls do not depend on the balance of a sender" };
}

/** Reads the blocks of the logs or receipts at `pending`. */
export function byBlocks(outcome: Outcome, method: PendingMethod, head: bigint): PendingSupport {
  if (outcome.kind !== "answered") return refusedOrUnknown(outcome, method);
  const { value } = outcome.result;
  const items = isArray(value) ? value.filter(isObject) : [];
  const blocks = items.flatMap((item) => blockNumber(item.blockNumber) ?? []);
  const what = method === "eth_getLogs" ? "logs" : "receipts";
  if (blocks.some((block) => block > head)) return { standing: "ahead", how: `by ${what} of block ${head + 1n}` };
  if (value === null) return { standing: "unknown", how: "it answers null" };
  return blocks.length > 0
    ? { standing: "same", how: `by ${what} of the latest block` }
    : { standing: "unknown", how: `no ${what} were pending` };
}

/** Returns the support of `eth_simulateV1` by an endpoint that does not simulate. */
export function unsimulated({ is, why }: Support): PendingSupport {
  return { standing: is === false ? "refused" : "unknown", how: why };
}

/** An error that `latest` gets as well is not about `pending`, unless the method is not served at all. */
function refusedAt(pending: Failure, latest: Outcome | undefined, method: PendingMethod): PendingSupport {
  const support = refusedOrUnknown(pending, method);
  if (latest?.kind !== "refused" || pending.reason === "unknown-method" || pending.reason === "not-allowed")
    return support;
  return { standing: "unknown", how: `it refuses the same at \`latest\`: ${support.how}` };
}

function refusedOrUnknown(outcome: Failure, method: PendingMethod): PendingSupport {
  const { what } = explain(outcome, method);
  const isUnclear = outcome.kind === "unreachable" || outcome.reason === "rate-limit" || outcome.reason === "timeout";
  return { standing: isUnclear ? "unknown" : "refused", how: what };
}
