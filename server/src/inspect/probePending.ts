import { isHex, shortQuantity } from "../base/hex.ts";
import type { Clock } from "../base/ports.ts";
import type { BackgroundClient, Question } from "../gate/backgroundClient.ts";
import { blockFacts, headQuestion } from "../rpc/head.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { resultOf } from "../rpc/outcome.ts";
import { readObserved, spenderCode } from "./observer.ts";
import { byBlocks, byEstimate, byPayment, byReading, paymentQuestions, unsimulated } from "./pendingEvidence.ts";
import { type PendingSample, readSampleState, sampleIn, sampleInLogs } from "./pendingSample.ts";
import { type PendingMethod, type PendingSupport, pendingMethods } from "./pendingSupport.ts";
import { type MeasuringContext, type TagComparison, tagComparisons } from "./tagReadings.ts";

interface PendingMeasurement {
  readonly pending: ReadonlyMap<PendingMethod, PendingSupport>;
  /** The block that code sees in an `eth_call` at `pending`, and the pending one. */
  readonly context: { readonly seen: bigint; readonly pending: bigint } | undefined;
}

/** Comparisons, and milliseconds between two: a block of most chains with pre-confirmed state. */
const maxComparisons = 8;
const pauseMs = 250;

/**
 * Compares `pending` with `latest` while something is pending. Each comparison reads at `latest`, at `pending` and at
 * `latest` again. It counts only what was the same at `latest` before and after.
 */
export async function measurePending(
  client: BackgroundClient,
  means: MeasuringContext,
  clock: Clock,
  signal: AbortSignal,
): Promise<PendingMeasurement> {
  const best = new Map<PendingMethod, PendingSupport>();
  let context: PendingMeasurement["context"];
  let why = "no transaction was pending";
  let hadSample = false;
  for (let count = 0; count < maxComparisons && !signal.aborted; count++) {
    if (count > 0) await clock.sleep(pauseMs, signal);
    const [pending, latest, logs] = await client.ask(sampleQuestions, signal);
    const sample = sampleIn(resultOf(pending)) ?? sampleIn(resultOf(latest)) ?? sampleInLogs(resultOf(logs));
    if (pending?.kind === "unreachable") break;
    if (pending?.kind === "refused") why = "it serves no pending block, and no transfer of a token was pending";
    if (!sample) continue;
    const comparison = await compareTags(client, sample, means, signal);
    context ??= comparison.context;
    why = "nothing happened that would show it";
    hadSample = true;
    for (const [method, support] of comparison.support)
      if (!isBetter(best.get(method), support)) best.set(method, support);
    if (isEnough(best, count)) break;
  }
  const supportOf = (method: PendingMethod): PendingSupport =>
    best.get(method) ?? { status: "unknown", how: hadSample ? (missingEvidence[method] ?? why) : why };
  return { pending: new Map(pendingMethods.map((method) => [method, supportOf(method)])), context };
}

/** Says why methods that need a certain kind of transaction were not measured. */
const missingEvidence: { readonly [method in PendingMethod]?: string } = {
  eth_getStorageAt: "no pending transaction showed which slots it writes",
  eth_getCode: "no contract was being created",
};

export const pendingLogs: Question = { method: "eth_getLogs", params: [{ fromBlock: "pending", toBlock: "pending" }] };
const sampleQuestions: readonly Question[] = [
  ...["pending", "latest"].map((tag) => ({ method: "eth_getBlockByNumber", params: [tag, true] })),
  pendingLogs,
];

/** Methods whose answers any transaction changes, and those whose answers only some change. */
const quick = ["eth_getBalance", "eth_getTransactionCount", "eth_call", "eth_estimateGas", "eth_simulateV1"] as const;
const slow = ["eth_getLogs", "eth_getStorageAt", "eth_getBlockReceipts"] as const;

/** @param count - Comparisons before the last one. */
function isEnough(best: ReadonlyMap<PendingMethod, PendingSupport>, count: number): boolean {
  const isSettled = (method: PendingMethod): boolean => (best.get(method)?.status ?? "unknown") !== "unknown";
  return quick.every(isSettled) && (count >= 3 || slow.every(isSettled));
}

function isBetter(before: PendingSupport | undefined, now: PendingSupport): boolean {
  const rank = { ahead: 3, refused: 2, same: 1, unknown: 0 };
  return before !== undefined && rank[before.status] >= rank[now.status];
}

interface ComparisonResult {
  readonly support: readonly SupportEntry[];
  readonly context: PendingMeasurement["context"];
}

type SupportEntry = readonly [PendingMethod, PendingSupport];

/** The outcomes of one comparison. */
interface TagOutcomes {
  readonly sample: PendingSample;
  readonly readings: readonly TagComparison[];
  /** Wei of the sender at `latest`. */
  readonly balance: bigint | undefined;
  /** Payments were asked: the endpoint has no better way to show a balance to code. */
  readonly hasPayments: boolean;
  /** At `latest`: the head, then the readings. */
  readonly before: readonly Outcome[];
  /** At `pending`: estimate, logs, receipts, then the readings, then the payments. */
  readonly during: readonly Outcome[];
  /** At `latest` again: the head, the readings, the estimate, the payments. */
  readonly after: readonly Outcome[];
}

async function compareTags(
  client: BackgroundClient,
  sample: PendingSample,
  means: MeasuringContext,
  signal: AbortSignal,
): Promise<ComparisonResult> {
  const outcomes = await askAtTags(client, sample, means, signal);
  const { before, during, after, readings } = outcomes;
  const [head, nonce] = [blockFacts(resultOf(before[0]))?.number, shortQuantity(resultOf(before[2]))];
  const isSameHead = head !== undefined && head === blockFacts(resultOf(after[0]))?.number;
  const isUnsealed = sample.nonce !== undefined && nonce !== undefined && nonce <= sample.nonce;
  const isPending = isSameHead && isUnsealed && sample.block > head;
  const [, logs, receipts, , , call] = during; // the call is the third reading, if code can observe
  const observed = call && readObserved(resultOf(call));
  return {
    support: [
      ...readings.flatMap((reading, at): readonly SupportEntry[] => {
        const support = byReading(reading, [before[at + 1], during[at + 3], after[at + 1]], isPending);
        return support ? [[reading.method, support]] : [];
      }),
      ...balanceSupport(outcomes, isPending),
      ...(isSameHead && logs ? [["eth_getLogs", byBlocks(logs, "eth_getLogs", head)] as const] : []),
      ...(isSameHead && receipts
        ? [["eth_getBlockReceipts", byBlocks(receipts, "eth_getBlockReceipts", head)] as const]
        : []),
      ...(means.simulates.is === true ? [] : [["eth_simulateV1", unsimulated(means.simulates)] as const]),
    ],
    context:
      isSameHead && observed && sample.block > head ? { seen: observed.number, pending: sample.block } : undefined,
  };
}

async function askAtTags(
  client: BackgroundClient,
  sample: PendingSample,
  means: MeasuringContext,
  signal: AbortSignal,
): Promise<TagOutcomes> {
  const readings = tagComparisons(sample, await readSampleState(client, sample, signal), means);
  const at = (tag: string): readonly Question[] => readings.map(({ question }) => question(tag));
  const before = await client.ask([headQuestion(client.memory), ...at("latest")], signal);
  const balance = balanceOf(before[1]);
  const hasPayments = !means.overrides && !means.creates && balance !== undefined;
  const payments = (tag: string): readonly Question[] =>
    hasPayments ? paymentQuestions(sample.sender, balance, tag) : [];
  const spend = { data: spenderCode(sample.sender, balance ?? 0n) };
  const estimate = (tag: string): Question => ({ method: "eth_estimateGas", params: [spend, tag] });
  const address = sample.called.length > 0 ? { address: sample.called } : {};
  const during = await client.ask(
    [
      estimate("pending"),
      { method: "eth_getLogs", params: [{ fromBlock: "pending", toBlock: "pending", ...address }] },
      { method: "eth_getBlockReceipts", params: ["pending"] },
      ...at("pending"),
      ...payments("pending"),
    ],
    signal,
  );
  const after = await client.ask(
    [headQuestion(client.memory), ...at("latest"), estimate("latest"), ...payments("latest")],
    signal,
  );
  return { sample, readings, balance, hasPayments, before, during, after };
}

/** Compares the estimate and the payments, which depend on a balance that must not change meanwhile. */
function balanceSupport(
  { readings, balance, hasPayments, before, during, after }: TagOutcomes,
  isPending: boolean,
): readonly SupportEntry[] {
  if (balance === undefined || String(resultOf(before[1])) !== String(resultOf(after[1]))) return [];
  const [estimate] = during;
  const [estimateAfter, ...paymentsAfter] = after.slice(readings.length + 1);
  return [
    ...(estimate ? [["eth_estimateGas", byEstimate(estimate, estimateAfter, isPending)] as const] : []),
    ...(hasPayments
      ? [["eth_call", byPayment(during.slice(readings.length + 3), paymentsAfter, isPending)] as const]
      : []),
  ];
}

/** Returns wei. */
function balanceOf(outcome: Outcome | undefined): bigint | undefined {
  const value = resultOf(outcome);
  return isHex(value) && value.length > 2 && value.length <= 66 ? BigInt(value) : undefined;
}
