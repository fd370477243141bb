import { quantity, shortQuantity, toQuantity } from "../base/hex.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import type { Clock } from "../base/ports.ts";
import type { BackgroundClient, ProbeClients, Question } from "../gate/backgroundClient.ts";
import { headFrom } from "../gate/heads.ts";
import { explain } from "../rpc/explain.ts";
import { blockFacts } from "../rpc/head.ts";
import { type Outcome, type Refused, resultOf, seemsUnserved, type Unreachable } from "../rpc/outcome.ts";
import { probesLess } from "../workspace/endpointFacts.ts";
import { type AheadResult, measureAhead } from "./measureAhead.ts";
import { chainIdCode, observerCode, readObserved, unusedAddress } from "./observer.ts";
import type { PendingMethod, PendingSupport, Support } from "./pendingSupport.ts";
import { blockTime, compareHeads, type HeadConsistency } from "./probeHeads.ts";
import { measurePending, pendingLogs } from "./probePending.ts";
import { probeSocket, type SocketReach } from "./probeSocket.ts";
import { returnDataIn } from "./tagReadings.ts";

/** Measured abilities of an endpoint. Plain data. */
export interface Probe {
  /** Safe to show. */
  readonly endpoint: string;
  /** Host and port. */
  readonly host: string;
  /** The reason why the chain is unknown. */
  readonly failure: Refused | Unreachable | undefined;
  readonly chainId: bigint | undefined;
  /** Name that the node gives itself. Hostile text. */
  readonly client: string | undefined;
  readonly head: bigint | undefined;
  /** The most requests that were answered in one body; `false` if it does not accept batches. */
  readonly batch: number | false | undefined;
  readonly simulate: Support;
  readonly stateOverrides: Support;
  readonly blockOverrides: Support;
  readonly blockReceipts: Support;
  readonly logs: LogReach;
  readonly socket: SocketReach;
  /** Whether `pending` is ahead of `latest`, by method. */
  readonly pending: ReadonlyMap<PendingMethod, PendingSupport>;
  /** The block that code sees in an `eth_call` at `pending`, and the one that is pending. */
  readonly context: { readonly seen: bigint; readonly pending: bigint } | undefined;
  /** Milliseconds between two changes of the pending block, approximately. */
  readonly cadenceMs: number | undefined;
  readonly ahead: AheadResult | undefined;
  /** Milliseconds between two blocks. */
  readonly blockMs: number | undefined;
  readonly heads: HeadConsistency | undefined;
  /** Requests that were sent. */
  readonly requests: number;
}

/**
 * Measures what an endpoint can do, with about 200 requests in a few dozen bodies, and small answers. Takes two to four
 * seconds if the endpoint serves pre-confirmed state.
 */
export async function probe(
  { asker: client, socket }: ProbeClients,
  clock: Clock,
  signal: AbortSignal,
): Promise<Probe> {
  let requests = 0;
  const counting = (one: BackgroundClient): BackgroundClient => ({
    ...one,
    ask(questions, aborting) {
      requests += questions.length;
      return one.ask(questions, aborting);
    },
  });
  const counted = counting(client);
  const basics = await counted.ask(basicQuestions, signal);
  const [chain, version, block, call, overridden, shifted, simulated, receipts] = basics;
  const { name: endpoint, host, rate } = client.endpoint;
  const failure = chain && chain.kind !== "answered" ? chain : undefined;
  const isUnreachable = failure?.kind === "unreachable";
  const head = isUnreachable ? undefined : await headFrom(block, counted, signal);
  const measuresLess = probesLess(rate);
  const large = isUnreachable || measuresLess ? [] : await counted.ask(manyQuestions, signal);
  const basicFacts = {
    endpoint,
    host,
    failure,
    chainId: shortQuantity(resultOf(chain)) ?? (seemsUnserved(chain) ? await chainInCode(counted, signal) : undefined),
    client: textOf(resultOf(version), client.mask),
    head,
    batch: isUnreachable ? undefined : batchOf([...basics, ...large]),
    stateOverrides: overrides(overridden, (data) => readObserved(data) !== undefined),
    blockOverrides: overrides(shifted, (data) => readObserved(data)?.number === otherNumber),
    simulate: support(simulated, "eth_simulateV1", isSimulated),
    blockReceipts: support(receipts, "eth_getBlockReceipts", isArray),
  };
  if (isUnreachable) return { ...basicFacts, ...nothingMore, requests };
  const logs = head === undefined ? unknownReach : await logReach(counted, head, signal);
  const reach = socket ? await probeSocket(counting(socket), signal) : noSocket;
  const creates = readObserved(resultOf(call)) !== undefined;
  const { pending, context } = await measurePending(
    counted,
    { creates, overrides: basicFacts.stateOverrides.is === true, simulates: basicFacts.simulate },
    clock,
    signal,
  );
  const statuses = [...pending.values()].map(({ status }) => status);
  const cadenceMs = statuses.includes("ahead") && !measuresLess ? await cadence(counted, clock, signal) : undefined;
  const ahead = aheadOf(await measureAhead(counted, clock, signal, statuses.includes("ahead")), statuses);
  const blockMs = head === undefined ? undefined : await blockTime(counted, head, signal);
  const heads = measuresLess ? undefined : await compareHeads(counted, clock, signal);
  return { ...basicFacts, logs, socket: reach, pending, context, cadenceMs, ahead, blockMs, heads, requests };
}

/** Reads the chain id by code in a simulation, for an endpoint that does not serve `eth_chainId`. */
async function chainInCode(client: BackgroundClient, signal: AbortSignal): Promise<bigint | undefined> {
  const [outcome] = await client.ask([simulating(chainIdCode)], signal);
  const word = returnDataIn(resultOf(outcome));
  return typeof word === "string" && word.length === 66 ? quantity(word) : undefined;
}

function aheadOf(measured: Probe["ahead"], statuses: readonly PendingSupport["status"][]): Probe["ahead"] {
  if (measured) return measured;
  const isSame = statuses.includes("same") && !statuses.includes("ahead");
  return isSame ? { is: false, why: "`pending` shows no more than `latest`" } : undefined;
}

const unknownReach: LogReach = { limit: undefined, took: undefined, refusal: undefined };
const noSocket: SocketReach = { takes: undefined, why: "its host is not allowed" };
const nothingMore = {
  logs: unknownReach,
  socket: { takes: undefined, why: "" },
  pending: new Map(),
  context: undefined,
  cadenceMs: undefined,
  ahead: undefined,
  blockMs: undefined,
  heads: undefined,
} as const;

const otherNumber = 0x1234567n;

const observing = observerCode(unusedAddress);
const basicQuestions: readonly Question[] = [
  { method: "eth_chainId", params: [] },
  { method: "web3_clientVersion", params: [] },
  { method: "eth_getBlockByNumber", params: ["latest", false] },
  { method: "eth_call", params: [{ data: observing }, "latest"] },
  { method: "eth_call", params: [{ to: unusedAddress }, "latest", { [unusedAddress]: { code: observing } }] },
  {
    method: "eth_call",
    params: [
      { to: unusedAddress },
      "latest",
      { [unusedAddress]: { code: observing } },
      { number: toQuantity(otherNumber) },
    ],
  },
  simulating(observing),
  // the first block is empty or nearly so
  { method: "eth_getBlockReceipts", params: ["0x0"] },
];

function simulating(code: string): Question {
  const block = { stateOverrides: { [unusedAddress]: { code } }, calls: [{ to: unusedAddress }] };
  return { method: "eth_simulateV1", params: [{ blockStateCalls: [block] }, "latest"] };
}

/** A batch that is larger than most programs send. */
const manyQuestions: readonly Question[] = Array.from({ length: 100 }, () => ({ method: "eth_chainId", params: [] }));

function batchOf(outcomes: readonly Outcome[]): number | false | undefined {
  const sizes = outcomes.filter(({ kind }) => kind !== "unreachable").map(({ exchange }) => exchange.batch);
  if (sizes.length === 0) return undefined;
  const largest = Math.max(...sizes);
  return largest > 1 ? largest : false;
}

function support(outcome: Outcome | undefined, method: string, isRight: (value: JsonValue) => boolean): Support {
  if (outcome === undefined) return { is: undefined, why: "not asked" };
  if (outcome.kind === "answered")
    return isRight(outcome.result.value)
      ? { is: true, why: "" }
      : { is: false, why: "it returns something unexpected" };
  const { what } = explain(outcome, method);
  const { reason } = outcome;
  const isUnclear = outcome.kind === "unreachable" || reason === "rate-limit" || reason === "timeout";
  return { is: isUnclear ? undefined : false, why: what };
}

function overrides(outcome: Outcome | undefined, isRight: (value: JsonValue) => boolean): Support {
  const supported = support(outcome, "eth_call", isRight);
  return supported.is === false && outcome?.kind === "answered" ? { is: false, why: "they change nothing" } : supported;
}

function isSimulated(value: JsonValue): boolean {
  return isArray(value) && isObject(value[0]) && isArray(value[0].calls);
}

/** Milliseconds between two questions, and for which to ask. */
const sampleEveryMs = 60;
const sampleForMs = 1500;

/** Measures the mean milliseconds between two changes of the pending block. */
async function cadence(client: BackgroundClient, clock: Clock, signal: AbortSignal): Promise<number | undefined> {
  let question: Question = { method: "eth_getBlockTransactionCountByNumber", params: ["pending"] };
  const changes: number[] = [];
  let last: JsonValue | undefined;
  for (const end = clock.now() + sampleForMs; clock.now() < end && !signal.aborted; ) {
    const [outcome] = await client.ask([question], signal);
    if (seemsUnserved(outcome) && question !== pendingLogs) {
      question = pendingLogs;
      continue;
    }
    const answer = resultOf(outcome);
    const count = isArray(answer) ? `${answer.length} ${blockFacts(answer)?.number}` : answer;
    if (typeof count !== "string") return undefined;
    if (last !== undefined && count !== last) changes.push(clock.now());
    last = count;
    await clock.sleep(sampleEveryMs, signal);
  }
  const [first, final] = [changes[0], changes.at(-1)];
  if (first === undefined || final === undefined || changes.length < 3) return undefined;
  return (final - first) / (changes.length - 1);
}

/** Masked first: the mask does not find a part of a value. */
function textOf(value: JsonValue | undefined, mask: Mask): string | undefined {
  return typeof value === "string" ? mask.text(value).slice(0, 200) : undefined;
}

/** The widest range that `eth_getLogs` accepts. */
export interface LogReach {
  /** Greatest toBlock − fromBlock that it states, or that it accepted if it refused a wider one. */
  readonly limit: bigint | undefined;
  /** Greatest toBlock − fromBlock that it accepted. */
  readonly took: bigint | undefined;
  /** Its message about a wider range. */
  readonly refusal: string | undefined;
}

/** Values of toBlock − fromBlock, the greatest first. */
const spans = [100_000n, 10_000n, 1_999n];

/**
 * Asks for logs of an address that is not a contract, so that a node without a limit has nothing to send. Each range is a
 * request of its own: a gateway that refuses one range would refuse the batch.
 */
export async function logReach(client: BackgroundClient, head: bigint, signal: AbortSignal): Promise<LogReach> {
  const ranges = [...new Set(spans.map((span) => (span > head ? head : span)))];
  const outcomes = await Promise.all(
    ranges.map(async (span) => {
      const range = { fromBlock: toQuantity(head - span), toBlock: toQuantity(head), address: unusedAddress };
      const [outcome] = await client.ask([{ method: "eth_getLogs", params: [range] }], signal);
      return outcome;
    }),
  );
  const first = outcomes.findIndex((outcome) => resultOf(outcome) !== undefined);
  const took = ranges[first];
  const wider = outcomes.slice(0, first === -1 ? undefined : first);
  const refused = wider.findLast((outcome) => isAboutRange(outcome, took !== undefined));
  if (refused?.kind === "unreachable") return { limit: took, took, refusal: refused.message };
  if (refused?.kind !== "refused") return { limit: undefined, took, refusal: undefined };
  const stated = wider.find((outcome): outcome is Refused => outcome?.kind === "refused" && !!outcome.rangeLimit);
  return { limit: stated?.rangeLimit ?? took, took, refusal: (stated ?? refused).message };
}

/** @param isNarrowTaken - A narrower range was answered, so the width is refused, whatever the message says. */
function isAboutRange(outcome: Outcome | undefined, isNarrowTaken: boolean): boolean {
  if (outcome?.kind === "unreachable") return isNarrowTaken && outcome.reason === "timeout";
  if (outcome?.kind !== "refused" || outcome.reason === "rate-limit" || outcome.reason === "unknown-block")
    return false;
  return outcome.reason === "range-limit" || isNarrowTaken;
}
