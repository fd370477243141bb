import { balanceCall } from "../abi/token.ts";
import { isHex } from "../base/hex.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import type { Clock } from "../base/ports.ts";
import { explain } from "../rpc/explain.ts";
import { blockFacts, headQuestion } from "../rpc/head.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { answerOf, blockNumber } from "./answered.ts";
import type { BackgroundClient, Question } from "./backgroundClient.ts";
import { estimatesDiffer, nobody, observerCode, readObserved, spenderCode } from "./observer.ts";
import { paymentQuestions, paysDifferently } from "./payment.ts";
import { type PendingSample, type SamplePlaces, sampleIn, sampleInLogs, samplePlaces } from "./pendingSample.ts";
import type { Support } from "./probe.ts";

export const pendingMethods = [
  "eth_getBalance",
  "eth_getTransactionCount",
  "eth_call",
  "eth_estimateGas",
  "eth_simulateV1",
  "eth_getStorageAt",
  "eth_getCode",
  "eth_getLogs",
  "eth_getBlockReceipts",
] as const;
export type PendingMethod = (typeof pendingMethods)[number];

/** Where a method's `pending` stands. */
export interface PendingSupport {
  /**
   * - `ahead`: it showed what `latest` did not show, neither before nor after.
   * - `same`: a transaction was pending that it did not show.
   * - `refused`: it does not answer.
   * - `unknown`: nothing happened by which it could be told.
   */
  readonly standing: "ahead" | "same" | "refused" | "unknown";
  /** By what that was told, or why not; a clause. */
  readonly how: string;
}

interface PendingMeasurement {
  readonly pending: ReadonlyMap<PendingMethod, PendingSupport>;
  readonly context: { readonly seen: bigint; readonly pending: bigint } | undefined;
}

interface MeasuringContext {
  /** `eth_call` runs code of a creation, without `to`. */
  readonly creates: boolean;
  readonly overrides: boolean;
  readonly simulates: Support;
}

/** How often is looked, and milliseconds between two looks: a block of most chains with pre-confirmed state. */
const mostLooks = 8;
const pauseMs = 250;

/**
 * Compares `pending` with `latest` while something is pending. Each look asks at `latest`, at `pending` and at `latest`
 * again: only what was the same at `latest` before and after counts.
 */
export async function measurePending(
  asker: BackgroundClient,
  means: MeasuringContext,
  clock: Clock,
  signal: AbortSignal,
): Promise<PendingMeasurement> {
  const found = new Map<PendingMethod, PendingSupport>();
  let context: PendingMeasurement["context"];
  let why = "no transaction was pending";
  let seen = false;
  for (let looks = 0; looks < mostLooks && !signal.aborted; looks++) {
    if (looks > 0) await clock.sleep(pauseMs, signal);
    const [pending, latest, logs] = await asker.ask(whatIsPending, signal);
    const witness = sampleIn(answerOf(pending)) ?? sampleIn(answerOf(latest)) ?? sampleInLogs(answerOf(logs));
    if (pending?.kind === "unreachable") break;
    if (pending?.kind === "refused") why = "it serves no pending block, and no transfer of a token was pending";
    if (!witness) continue;
    const looked = await readAtTags(asker, witness, means, signal);
    context ??= looked.context;
    why = "nothing happened by which it could be told";
    seen = true;
    for (const [method, standing] of looked.standings)
      if (!isBetter(found.get(method), standing)) found.set(method, standing);
    if (
      quick.every((method) => isSettled(found.get(method))) &&
      (looks >= 3 || slow.every((method) => isSettled(found.get(method))))
    )
      break;
  }
  const standingOf = (method: PendingMethod): PendingSupport =>
    found.get(method) ?? { standing: "unknown", how: seen ? (untold[method] ?? why) : why };
  return { pending: new Map(pendingMethods.map((method) => [method, standingOf(method)])), context };
}

/** What had to happen for some. */
const untold: { readonly [method in PendingMethod]?: string } = {
  eth_getStorageAt: "no pending transaction told which slots it writes",
  eth_getCode: "no contract was being created",
};

export const pendingLogs: Question = { method: "eth_getLogs", params: [{ fromBlock: "pending", toBlock: "pending" }] };
const whatIsPending: readonly Question[] = [
  ...["pending", "latest"].map((tag) => ({ method: "eth_getBlockByNumber", params: [tag, true] })),
  pendingLogs,
];

/** What any transaction changes, and what only some do. */
const quick = ["eth_getBalance", "eth_getTransactionCount", "eth_call", "eth_estimateGas", "eth_simulateV1"] as const;
const slow = ["eth_getLogs", "eth_getStorageAt", "eth_getBlockReceipts"] as const;

function isSettled(standing: PendingSupport | undefined): boolean {
  return standing !== undefined && standing.standing !== "unknown";
}

function isBetter(before: PendingSupport | undefined, now: PendingSupport): boolean {
  const rank = { ahead: 3, refused: 2, same: 1, unknown: 0 };
  return before !== undefined && rank[before.standing] >= rank[now.standing];
}

interface PendingLook {
  readonly standings: readonly (readonly [PendingMethod, PendingSupport])[];
  readonly context: PendingMeasurement["context"];
}

async function readAtTags(
  asker: BackgroundClient,
  witness: PendingSample,
  means: MeasuringContext,
  signal: AbortSignal,
): Promise<PendingLook> {
  const { sender } = witness;
  const readings = readingsOf(witness, await samplePlaces(asker, witness, signal), means);
  const at = (tag: string): readonly Question[] => [
    headQuestion(asker.memory),
    ...readings.map(({ question }) => question(tag)),
  ];
  const before = await asker.ask(at("latest"), signal);
  const balance = bigBalance(before[1]);
  const spend = { data: spenderCode(sender, balance ?? 0n) };
  const estimate = (tag: string): Question => ({ method: "eth_estimateGas", params: [spend, tag] });
  const pays = !means.overrides && !means.creates && balance !== undefined;
  const payment = (tag: string): readonly Question[] => (pays ? paymentQuestions(sender, balance, tag) : []);
  const logs = {
    fromBlock: "pending",
    toBlock: "pending",
    ...(witness.called.length > 0 && { address: witness.called }),
  };
  const during = await asker.ask(
    [
      estimate("pending"),
      { method: "eth_getLogs", params: [logs] },
      { method: "eth_getBlockReceipts", params: ["pending"] },
      ...readings.map(({ question }) => question("pending")),
      ...payment("pending"),
    ],
    signal,
  );
  const after = await asker.ask([...at("latest"), estimate("latest"), ...payment("latest")], signal);
  const [head, nonce] = [blockFacts(answerOf(before[0]))?.number, blockNumber(answerOf(before[2]))];
  const still = head !== undefined && head === blockFacts(answerOf(after[0]))?.number;
  const isKnown = witness.nonce !== undefined && nonce !== undefined && nonce <= witness.nonce;
  const shows = still && isKnown && witness.block > head;
  const [estimated, logged, receipts, ...read] = during;
  const [estimatedThen, ...paidThen] = after.slice(readings.length + 1);
  const balances = [before[1], after[1]].map((outcome) => String(answerOf(outcome)));
  const context = read[2] && readObserved(answerOf(read[2])); // the call comes third, if it can observe
  return {
    standings: [
      ...readings.flatMap((reading, i): readonly (readonly [PendingMethod, PendingSupport])[] => {
        const found = compare(reading, [before[i + 1], read[i], after[i + 1]], shows);
        return found ? [[reading.method, found]] : [];
      }),
      ...(balance !== undefined && balances[0] === balances[1] && estimated
        ? [["eth_estimateGas", byEstimate(estimated, estimatedThen, shows)] as const]
        : []),
      ...(pays && balances[0] === balances[1]
        ? [["eth_call", byPayment(read.slice(readings.length), paidThen, shows)] as const]
        : []),
      ...(still && logged ? [["eth_getLogs", byBlocks(logged, "eth_getLogs", head)] as const] : []),
      ...(still && receipts
        ? [["eth_getBlockReceipts", byBlocks(receipts, "eth_getBlockReceipts", head)] as const]
        : []),
      ...(means.simulates.is === true ? [] : [["eth_simulateV1", unsimulated(means.simulates)] as const]),
    ],
    context: still && context && witness.block > head ? { seen: context.number, pending: witness.block } : undefined,
  };
}

/** Wei. */
function bigBalance(outcome: Outcome | undefined): bigint | undefined {
  const value = answerOf(outcome);
  return isHex(value) && value.length > 2 && value.length <= 66 ? BigInt(value) : undefined;
}

/** What is asked at `latest` and at `pending`. */
interface TagReading {
  readonly method: PendingMethod;
  /** By what is told, as people call it. */
  readonly what: string;
  /** The witness changes it. */
  readonly sure: boolean;
  question(tag: string): Question;
  value(result: JsonValue): JsonValue | bigint | undefined;
}

/** The balance comes first, then the nonce, then the call if code can observe. */
function readingsOf(
  { sender, token }: PendingSample,
  { slots, created }: SamplePlaces,
  means: MeasuringContext,
): readonly TagReading[] {
  const asIs = (result: JsonValue): JsonValue => result;
  const observing = { [nobody]: { code: observerCode(sender) } };
  const balanceIn = (data: JsonValue | undefined): bigint | undefined => readObserved(data)?.balance;
  const whole = "the balance of a sender";
  const inCode = `${whole} as code sees it`;
  const all: readonly TagReading[] = [
    { method: "eth_getBalance", what: whole, sure: true, question: account("eth_getBalance", sender), value: asIs },
    {
      method: "eth_getTransactionCount",
      what: "the nonce of a sender",
      sure: true,
      question: account("eth_getTransactionCount", sender),
      value: asIs,
    },
    ...(means.overrides || means.creates
      ? [
          {
            method: "eth_call",
            what: inCode,
            sure: true,
            question: (tag: string): Question => ({
              method: "eth_call",
              params: means.overrides ? [{ to: nobody }, tag, observing] : [{ data: observerCode(sender) }, tag],
            }),
            value: balanceIn,
          } as const,
        ]
      : []),
    ...(token === undefined
      ? []
      : [
          {
            method: "eth_call",
            what: "the tokens of an account",
            sure: false,
            question: (tag: string): Question => ({
              method: "eth_call",
              params: [{ to: token, data: balanceCall(sender) }, tag],
            }),
            value: asIs,
          } as const,
        ]),
    {
      method: "eth_simulateV1",
      what: inCode,
      sure: true,
      question: (tag) => ({
        method: "eth_simulateV1",
        params: [{ blockStateCalls: [{ stateOverrides: observing, calls: [{ to: nobody }] }] }, tag],
      }),
      value: (result) => balanceIn(returned(result)),
    },
    ...slots.map(
      ({ address, slot }): TagReading => ({
        method: "eth_getStorageAt",
        what: "a slot that a pending transaction reads or writes",
        sure: false,
        question: (tag) => ({ method: "eth_getStorageAt", params: [address, slot, tag] }),
        value: asIs,
      }),
    ),
  ];
  const code: readonly TagReading[] =
    created === undefined
      ? []
      : [
          {
            method: "eth_getCode",
            what: "the code of a new contract",
            sure: true,
            question: account("eth_getCode", created),
            value: asIs,
          },
        ];
  return [...all, ...code].filter(({ method }) => method !== "eth_simulateV1" || means.simulates.is === true);
}

function account(method: string, address: string): TagReading["question"] {
  return (tag) => ({ method, params: [address, tag] });
}

/** What the first call of a simulation gave back. */
export function returned(result: JsonValue | undefined): JsonValue | undefined {
  const block = isArray(result) ? result[0] : undefined;
  const call = isObject(block) && isArray(block.calls) ? block.calls[0] : undefined;
  return isObject(call) ? call.returnData : undefined;
}

/** @param shows - The witness was pending all the time. */
function compare(
  { method, what, sure, value }: TagReading,
  [before, during, after]: readonly (Outcome | undefined)[],
  shows: boolean,
): PendingSupport | undefined {
  if (during && during.kind !== "answered") return refusedAt(during, before, method);
  const [one, pending, other] = [before, during, after].map((outcome) => {
    const result = answerOf(outcome);
    return result === undefined ? undefined : value(result);
  });
  if (pending === undefined || one === undefined || one !== other) return undefined;
  if (pending !== one) return { standing: "ahead", how: `by ${what}` };
  if (!shows) return undefined;
  return sure ? { standing: "same", how: `by ${what}` } : { standing: "unknown", how: `nothing changed in ${what}` };
}

function byEstimate(pending: Outcome, latest: Outcome | undefined, shows: boolean): PendingSupport {
  if (pending.kind !== "answered") return refusedAt(pending, latest, "eth_estimateGas");
  const how = "by gas that depends on the balance of a sender";
  if (estimatesDiffer(answerOf(pending), answerOf(latest))) return { standing: "ahead", how };
  return shows && latest?.kind === "answered"
    ? { standing: "same", how }
    : { standing: "unknown", how: "the block changed" };
}

/** By what a sender can pay: with all of its balance, and with one wei more. */
function byPayment(pending: readonly Outcome[], latest: readonly Outcome[], shows: boolean): PendingSupport {
  const how = "by what a sender can pay";
  const differs = paysDifferently(pending, latest);
  if (differs === true) return { standing: "ahead", how };
  if (differs === false && shows) return { standing: "same", how };
  const [all] = pending;
  return all && all.kind !== "answered" && latest[0]?.kind === "answered" && differs === undefined
    ? refusedOr(all, "eth_call")
    : { standing: "unknown", how: "its calls do not depend on the balance of a sender" };
}

/** By the blocks of what is listed at `pending`. */
function byBlocks(outcome: Outcome, method: PendingMethod, head: bigint): PendingSupport {
  if (outcome.kind !== "answered") return refusedOr(outcome, method);
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

/** What `latest` refuses as well is not refused because of `pending`; a method that is not there is refused in any case. */
function refusedAt(
  pending: Exclude<Outcome, { kind: "answered" }>,
  latest: Outcome | undefined,
  method: PendingMethod,
): PendingSupport {
  const found = refusedOr(pending, method);
  if (latest?.kind !== "refused" || pending.reason === "unknown-method" || pending.reason === "not-allowed")
    return found;
  return { standing: "unknown", how: `it refuses the same at \`latest\`: ${found.how}` };
}

function refusedOr(outcome: Exclude<Outcome, { kind: "answered" }>, method: PendingMethod): PendingSupport {
  const { what } = explain(outcome, method);
  const unclear = outcome.kind === "unreachable" || outcome.reason === "rate-limit" || outcome.reason === "timeout";
  return { standing: unclear ? "unknown" : "refused", how: what };
}

function unsimulated({ is, why }: Support): PendingSupport {
  return { standing: is === false ? "refused" : "unknown", how: why };
}
