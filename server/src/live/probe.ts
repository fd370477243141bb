import { quantity, toQuantity } from "../base/hex.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import type { Clock } from "../base/ports.ts";
import type { AheadMeasurement } from "../rpc/cadence.ts";
import { explain } from "../rpc/explain.ts";
import { blockFacts, seemsUnserved } from "../rpc/head.ts";
import type { Outcome, Refused, Unreachable } from "../rpc/outcome.ts";
import { answerOf, blockNumber } from "./answered.ts";
import type { BackgroundClient, Question } from "./backgroundClient.ts";
import { headFrom } from "./headFrom.ts";
import { measureAhead } from "./measureAhead.ts";
import { chainIdCode, nobody, observerCode, readObserved } from "./observer.ts";
import { blockTime, type Heads, lookAtHeads } from "./probeHeads.ts";
import { type LogReach, logReach, unknownReach } from "./probeLogs.ts";
import { measurePending, type PendingMethod, type PendingSupport, pendingLogs, returned } from "./probePending.ts";
import { probeSocket, type SocketReach } from "./probeSocket.ts";

/** What an endpoint turned out to do. Plain data. */
export interface Probe {
  /** Safe to show. */
  readonly endpoint: string;
  /** Host and port. */
  readonly host: string;
  /** Why nothing more is known: it did not even tell its chain. */
  readonly failure: Refused | Unreachable | undefined;
  readonly chainId: bigint | undefined;
  /** As the node calls itself. Hostile text. */
  readonly client: string | undefined;
  readonly head: bigint | undefined;
  /** The most requests that were answered in one body; `false` where it takes no batches. */
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
  /** Milliseconds between two changes of the pending block, about. */
  readonly cadenceMs: number | undefined;
  /** Whether `pending` is pre-confirmed state, and how that is known. */
  readonly ahead: Pick<AheadMeasurement, "is" | "why" | "guess"> | undefined;
  /** Milliseconds between two blocks. */
  readonly blockMs: number | undefined;
  readonly heads: Heads | undefined;
  /** Requests that it took. */
  readonly requests: number;
}

/** Whether an endpoint does something: `undefined` where that could not be told. */
export interface Support {
  readonly is: boolean | undefined;
  /** In what way, or why not; a clause. */
  readonly why: string;
}

export interface ProbeClients {
  readonly asker: BackgroundClient;
  /** At the endpoint's WebSocket, one request a message; `undefined` where requests may not go there. */
  readonly socket: BackgroundClient | undefined;
}

/**
 * Finds out what an endpoint does. It asks for little: small answers, and logs that nobody has emitted.
 * About a hundred requests in a dozen bodies; takes two to four seconds where the endpoint serves pre-confirmed state.
 */
export async function probe({ asker, socket }: ProbeClients, clock: Clock, signal: AbortSignal): Promise<Probe> {
  let requests = 0;
  const counted = (one: BackgroundClient): BackgroundClient => ({
    ...one,
    ask(questions, aborting) {
      requests += questions.length;
      return one.ask(questions, aborting);
    },
  });
  const counting = counted(asker);
  const basics = await counting.ask(basicQuestions, signal);
  const [chain, client, block, call, overridden, shifted, simulated, receipts] = basics;
  const { name: endpoint, host, rate } = asker.endpoint;
  const failure = chain && chain.kind !== "answered" ? chain : undefined;
  const dead = failure?.kind === "unreachable";
  const head = dead ? undefined : await headFrom(block, counting, signal);
  const shy = rate !== undefined && rate < 50;
  const large = dead || shy ? [] : await counting.ask(manyQuestions, signal);
  const found = {
    endpoint,
    host,
    failure,
    chainId: blockNumber(answerOf(chain)) ?? (seemsUnserved(chain) ? await chainInCode(counting, signal) : undefined),
    client: textOf(answerOf(client)),
    head,
    batch: dead ? undefined : batchOf([...basics, ...large]),
    stateOverrides: overrides(overridden, (data) => readObserved(data) !== undefined),
    blockOverrides: overrides(shifted, (data) => readObserved(data)?.number === otherNumber),
    simulate: support(simulated, "eth_simulateV1", isSimulated),
    blockReceipts: support(receipts, "eth_getBlockReceipts", isArray),
  };
  if (dead) return { ...found, ...nothingMore, requests };
  const logs = head === undefined ? unknownReach : await logReach(counting, head, signal);
  const reach = socket ? await probeSocket(counted(socket), signal) : noSocket;
  const creates = readObserved(answerOf(call)) !== undefined;
  const { pending, context } = await measurePending(
    counting,
    { creates, overrides: found.stateOverrides.is === true, simulates: found.simulate },
    clock,
    signal,
  );
  const standings = [...pending.values()].map(({ standing }) => standing);
  const cadenceMs = standings.includes("ahead") && !shy ? await cadence(counting, clock, signal) : undefined;
  const ahead = aheadOf(await measureAhead(counting, clock, signal), standings, cadenceMs);
  const blockMs = head === undefined ? undefined : await blockTime(counting, head, signal);
  const heads = shy ? undefined : await lookAtHeads(counting, clock, signal);
  return { ...found, logs, socket: reach, pending, context, cadenceMs, ahead, blockMs, heads, requests };
}

/** The chain as code sees it in a simulation, for an endpoint that does not tell it otherwise. */
async function chainInCode(asker: BackgroundClient, signal: AbortSignal): Promise<bigint | undefined> {
  const [outcome] = await asker.ask([simulating(chainIdCode)], signal);
  const word = returned(answerOf(outcome));
  return typeof word === "string" && word.length === 66 ? quantity(word) : undefined;
}

/** What is pending several times a second without a receipt is told by its pace. */
function aheadOf(
  measured: Probe["ahead"],
  standings: readonly PendingSupport["standing"][],
  cadenceMs: number | undefined,
): Probe["ahead"] {
  if (measured) return measured;
  if (cadenceMs !== undefined && cadenceMs < 1000) return { is: true, why: "`pending` changes several times a block" };
  const isSame = standings.includes("same") && !standings.includes("ahead");
  return isSame ? { is: false, why: "`pending` shows no more than `latest`" } : undefined;
}

const noSocket: SocketReach = { takes: undefined, why: "its host has not been allowed" };
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

const observing = observerCode(nobody);
const basicQuestions: readonly Question[] = [
  { method: "eth_chainId", params: [] },
  { method: "web3_clientVersion", params: [] },
  { method: "eth_getBlockByNumber", params: ["latest", false] },
  { method: "eth_call", params: [{ data: observing }, "latest"] },
  { method: "eth_call", params: [{ to: nobody }, "latest", { [nobody]: { code: observing } }] },
  {
    method: "eth_call",
    params: [{ to: nobody }, "latest", { [nobody]: { code: observing } }, { number: toQuantity(otherNumber) }],
  },
  simulating(observing),
  // the first block is empty or nearly so
  { method: "eth_getBlockReceipts", params: ["0x0"] },
];

function simulating(code: string): Question {
  const block = { stateOverrides: { [nobody]: { code } }, calls: [{ to: nobody }] };
  return { method: "eth_simulateV1", params: [{ blockStateCalls: [block] }, "latest"] };
}

/** What a batch holds that is larger than most programs send. */
const manyQuestions: readonly Question[] = Array.from({ length: 100 }, () => ({ method: "eth_chainId", params: [] }));

function batchOf(outcomes: readonly Outcome[]): number | false | undefined {
  const sizes = outcomes.filter(({ kind }) => kind !== "unreachable").map(({ exchange }) => exchange.batch);
  if (sizes.length === 0) return undefined;
  const most = Math.max(...sizes);
  return most > 1 ? most : false;
}

function support(outcome: Outcome | undefined, method: string, right: (value: JsonValue) => boolean): Support {
  if (outcome === undefined) return { is: undefined, why: "not asked" };
  if (outcome.kind === "answered")
    return right(outcome.result.value) ? { is: true, why: "" } : { is: false, why: "it answers with something else" };
  const { what } = explain(outcome, method);
  const { reason } = outcome;
  const unclear = outcome.kind === "unreachable" || reason === "rate-limit" || reason === "timeout";
  return { is: unclear ? undefined : false, why: what };
}

function overrides(outcome: Outcome | undefined, right: (value: JsonValue) => boolean): Support {
  const found = support(outcome, "eth_call", right);
  return found.is === false && outcome?.kind === "answered" ? { is: false, why: "they change nothing" } : found;
}

function isSimulated(value: JsonValue): boolean {
  return isArray(value) && isObject(value[0]) && isArray(value[0].calls);
}

/** Milliseconds between two looks, and for which is looked. */
const lookEveryMs = 60;
const lookForMs = 1500;

/** The mean time between two changes of the pending block. */
async function cadence(asker: BackgroundClient, clock: Clock, signal: AbortSignal): Promise<number | undefined> {
  let question: Question = { method: "eth_getBlockTransactionCountByNumber", params: ["pending"] };
  const changes: number[] = [];
  let last: JsonValue | undefined;
  for (const end = clock.now() + lookForMs; clock.now() < end && !signal.aborted; ) {
    const [outcome] = await asker.ask([question], signal);
    if (seemsUnserved(outcome) && question !== pendingLogs) {
      question = pendingLogs;
      continue;
    }
    const answer = answerOf(outcome);
    const count = isArray(answer) ? `${answer.length} ${blockFacts(answer)?.number}` : answer;
    if (typeof count !== "string") return undefined;
    if (last !== undefined && count !== last) changes.push(clock.now());
    last = count;
    await clock.sleep(lookEveryMs, signal);
  }
  const [first, final] = [changes[0], changes.at(-1)];
  if (first === undefined || final === undefined || changes.length < 3) return undefined;
  return (final - first) / (changes.length - 1);
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value.slice(0, 200) : undefined;
}
