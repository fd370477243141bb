import { quantity, toQuantity } from "../base/hex.ts";
import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { grouped } from "../base/units.ts";
import { explain } from "../rpc/explain.ts";
import { type AskAll, type BlockQuestion, blockFacts, findBlock, questionOf } from "../rpc/head.ts";
import { isRefusedForGood, type Outcome, resultOf, seemsUnserved } from "../rpc/outcome.ts";
import type { EndpointMemory } from "../rpc/send.ts";
import { type AskedCalls, askedCalls, overrideMembers, overrideParams } from "./askedCalls.ts";
import { blockProbe, type ProbedBlock, readBlockProbe, whyUnprobed } from "./blockProbe.ts";
import {
  type Judged,
  judgeCall,
  judgeQuestions,
  judgeSimulation,
  readSimulation,
  type Simulation,
  servedContradiction,
  simulationQuestion,
} from "./judge.ts";
import { type KeptNeeds, rememberedNeeds, rememberNeeds } from "./rememberedKeys.ts";
import { unusableWhy } from "./servedFrames.ts";
import { addressesIn, listedState, StateReader } from "./stateReader.ts";
import {
  type BlockFacts,
  type Fork,
  type KnownState,
  type Needs,
  type OpenTracer,
  type Task,
  type Trace,
  type Tracer,
  usualLimits,
} from "./task.ts";

/** What a trace is read with. */
export interface TraceHost {
  /** Methods that the endpoint does not serve. */
  readonly refuses: readonly string[];
  readonly memory: EndpointMemory;
  /** Keeps for later commands what calls needed. */
  readonly kept?: KeptNeeds | undefined;
  /** Requests that it takes in one message, if its definition says so. */
  readonly batch: number | false | undefined;
  readonly openTracer: OpenTracer;
  /** Sends questions to the endpoint in one message. */
  readonly ask: AskAll;
  /** Called with how far it is, as a sentence. */
  readonly progress?: (text: string) => void;
  readonly signal: AbortSignal;
}

/** The calls inside a call, or why they are not known. */
export type TraceReading = Reading & {
  /** Why the trace that the endpoint serves is not used, as a clause. */
  readonly unusable?: string | undefined;
};

type Reading =
  /** The endpoint gave them. */
  | {
      readonly kind: "served";
      readonly calls: readonly JsonObject[];
      readonly block: bigint | undefined;
      /** Of the transaction, if it is one. */
      readonly receipt?: JsonValue | undefined;
    }
  | {
      readonly kind: "computed";
      readonly trace: Trace;
      readonly block: bigint;
      /** The state was that of `pending`, which may have changed while it was read. */
      readonly isPending: boolean;
      readonly fork: Fork;
      readonly judged: Judged;
      /** Times that the endpoint was waited for, and requests that were sent. */
      readonly rounds: number;
      readonly requests: number;
    }
  /** A transaction, computed in a replay of its block. */
  | {
      readonly kind: "replayed";
      readonly trace: Trace;
      /** Its place in the block, from 0. */
      readonly target: number;
      readonly block: bigint;
      readonly fork: Fork;
      /** Values that the block read or wrote, and that are equal at the endpoint after it. */
      readonly values: number;
      /** Whether what the end of the block does not show was read a second time, and is equal. */
      readonly isReadTwice: boolean;
      readonly rounds: number;
      readonly requests: number;
    }
  /** What was computed is not what the endpoint says. */
  | { readonly kind: "differs"; readonly what: string; readonly here: string; readonly there: string }
  /** `why` is a sentence. */
  | { readonly kind: "failed"; readonly why: string };

/** Rounds of reading what the run before needed. */
const maxRounds = 60;

/**
 * Reads the calls inside a call: from the endpoint if it serves `debug_traceCall`, else computed here over state that it
 * serves, and compared with what it says about the call. Never rejects.
 */
export async function readTrace(
  { method, params }: { readonly method: string; readonly params: JsonValue | undefined },
  host: TraceHost,
): Promise<TraceReading> {
  const asked = askedCalls(method, params);
  if (typeof asked === "string") return { kind: "failed", why: asked };
  return new TraceReader(asked, host).read();
}

/** Reads one trace. */
class TraceReader {
  readonly #asked: AskedCalls;
  readonly #host: TraceHost;
  #rounds = 0;
  #requests = 0;
  #unusable: string | undefined;

  constructor(asked: AskedCalls, host: TraceHost) {
    this.#asked = asked;
    this.#host = host;
  }

  async read(): Promise<TraceReading> {
    const { memory, openTracer, signal } = this.#host;
    // no endpoint traces a simulation
    const isServed = memory.servesTraceCall !== false && this.#maySend(served) && !this.#asked.isSimulation;
    // the thread starts with the first message, unless the endpoint is known to do without it
    const opening = isServed && memory.servesTraceCall === true ? undefined : openTracer(signal);
    try {
      const tracerOf = async (): Promise<Tracer> => (await opening) ?? openTracer(signal);
      let reading = await this.#readWith(isServed, tracerOf);
      for (let again = 0; again < maxRepeated && reading.kind === "differs" && this.#isPending; again++)
        reading = await this.#readWith(isServed, () => openTracer(signal));
      return { ...reading, ...(this.#unusable !== undefined && { unusable: this.#unusable }) };
    } finally {
      void opening?.then((tracer) => tracer.close());
    }
  }

  /** Whether an endpoint may serve a method that few serve: one that does not serve blocks does not. */
  #maySend(method: string): boolean {
    const { memory, refuses } = this.#host;
    return !refuses.includes(method) && (memory.headBy ?? "eth_getBlockByNumber") === "eth_getBlockByNumber";
  }

  get #isPending(): boolean {
    return this.#asked.block === "pending";
  }

  async #readWith(isServed: boolean, tracerOf: () => Promise<Tracer>): Promise<TraceReading> {
    const opened = await this.#openBlock();
    if (typeof opened === "string") return failed(opened);
    const { block } = opened;
    const reader = new StateReader({
      ask: (questions) => this.#ask(questions),
      block,
      hash: opened.hash,
      overrides: this.#asked.overrides,
      maxValues,
      isBulkBetter: () => takesFew(this.#host),
    });
    const probing = this.#asked.isSimulation ? simulationQuestion(this.#asked, block) : this.#probe(block);
    const earlier = await rememberedNeeds(this.#host, this.#asked.calls);
    const first = await reader.read(withCalled([opened.listed, earlier], this.#asked), [
      probing,
      // with the endpoint's own result of the call, which its trace has to fit
      ...(isServed ? [this.#served(block), ...judgeQuestions(this.#asked, block, []).slice(0, 1)] : []),
    ]);
    const [probe, traced, called] = first.others;
    const { memory } = this.#host;
    if (isRefusedForGood(traced)) memory.servesTraceCall = false;
    const call = resultOf(traced);
    const ownContradiction = isObject(call) ? servedContradiction(call, called) : undefined;
    this.#unusable = traced?.kind === "answered" ? (unusableWhy(call) ?? ownContradiction) : undefined;
    if (isObject(call) && this.#unusable === undefined) {
      memory.servesTraceCall = true;
      return { kind: "served", calls: [call], block: quantity(block) };
    }
    if (typeof first.state === "string") return failed(first.state);
    const simulation = this.#asked.isSimulation ? readSimulation(resultOf(probe), this.#asked) : undefined;
    const probed = this.#asked.isSimulation ? simulation?.probed : readBlockProbe(resultOf(probe));
    if (!probed) return failed(whyUnprobed(probe, probing.method));
    const { fork } = probed;
    if (!fork) return failed("The chain follows rules that are not known yet.");
    const tracer = await tracerOf();
    try {
      return await this.#compute({ opened, probed, fork, reader, tracer, state: first.state, simulation });
    } finally {
      tracer.close();
    }
  }

  /** Finds the number of the block, and what the call may need. */
  async #openBlock(): Promise<OpenedBlock | string> {
    const { block, requests } = this.#asked;
    const { memory } = this.#host;
    const isPlain = overrideParams(this.#asked).length === 0;
    const isListed = memory.refusesAccessList !== true && this.#maySend(listing) && isPlain;
    const others = await this.#ask([
      ...(this.#isPending ? [] : [questionOf(block, memory)]),
      ...(isListed ? requests.slice(0, maxListed).map((one) => ({ method: listing, params: [one, block] })) : []),
    ]);
    const [head, lists] = this.#isPending ? [undefined, others] : [others[0], others.slice(1)];
    if (lists.some(isRefusedForGood)) memory.refusesAccessList = true;
    const listed = listedState(lists.map(resultOf));
    if (this.#isPending) return { block, hash: undefined, listed };
    const found = seemsUnserved(head)
      ? await findBlock((questions) => this.#ask(questions), memory, block)
      : { facts: blockFacts(resultOf(head)), outcome: head };
    const { facts, outcome } = found;
    if (facts) return { block: toQuantity(facts.number), hash: facts.hash, listed };
    const isNumber = quantity(block) !== undefined;
    return outcome && outcome.kind !== "answered"
      ? explain(outcome, questionOf(block, memory).method).what
      : isNumber
        ? "There is no such block."
        : "The endpoint does not say which block it is.";
  }

  async #compute({ opened, probed, fork, reader, tracer, state, simulation }: Computing): Promise<TraceReading> {
    const { block: facts, chainId, gasPrice } = probed;
    const calls = this.#asked.calls.map((call) => ({ ...call, gasPrice: this.#asked.pays ? gasPrice : 0n }));
    const task = { calls, block: facts, chainId, fork, limits: usualLimits };
    const trace = await this.#run(tracer, task, reader, state);
    if (typeof trace === "string") return failed(trace);
    await rememberNeeds(this.#host, this.#asked.calls, trace.used);
    const { block } = opened;
    const again = opened.hash === undefined ? [] : [questionOf(block, this.#host.memory)];
    const { outcomes, others } = await this.#askJudge(simulation ? undefined : trace, block, again);
    const hash = blockFacts(resultOf(others[0]))?.hash;
    if (hash !== undefined && hash !== opened.hash) return failed("The block was replaced while its state was read.");
    const runIn = async (elsewhere: BlockFacts): Promise<Trace | undefined> => {
      const other = await this.#run(tracer, { ...task, block: elsewhere }, reader, nothingKnown);
      return typeof other === "string" ? undefined : other;
    };
    const judged = simulation
      ? judgeSimulation(trace, simulation)
      : await judgeCall(trace, facts, this.#asked, outcomes, runIn);
    if ("what" in judged) return { kind: "differs", ...judged };
    const counts = { rounds: this.#rounds, requests: this.#requests };
    const isPending = this.#isPending;
    return { kind: "computed", trace, block: quantity(block) ?? facts.number, isPending, fork, judged, ...counts };
  }

  /** Asks for the endpoint's own result of a call. If each request is a message of its own, asks first for the simulation, which may say everything. */
  async #askJudge(trace: Trace | undefined, block: string, beside: readonly BlockQuestion[]) {
    const questions = trace ? judgeQuestions(this.#asked, block, this.#host.refuses) : [];
    const isShort = takesFew(this.#host) && trace?.readsBlock === false;
    const [now, later] = isShort ? [questions.slice(1), questions.slice(0, 1)] : [questions, []];
    const all = await this.#ask([...now, ...beside]);
    const others = all.slice(now.length);
    const isSaid = isShort && readSimulation(resultOf(all[0]), this.#asked)?.probed !== undefined;
    const called = isSaid ? [undefined] : await this.#ask(later);
    return { outcomes: [...called, ...all.slice(0, now.length)], others };
  }

  /** Runs a call until nothing is missing. @returns Why it cannot be computed, as a sentence. */
  async #run(tracer: Tracer, task: Task, reader: StateReader, state: KnownState): Promise<Trace | string> {
    const running = (steps: number) => this.#host.progress?.(`Computing the calls: ${stepsText(steps)}.`);
    let more = state;
    for (let round = 0; round < maxRounds; round++) {
      const answer = await tracer.run(task, more, running);
      if (answer.kind === "traced") return answer.trace;
      if (answer.kind === "refused") return `The call is not computed: ${answer.why}.`;
      if (this.#host.signal.aborted) return cancelled;
      const read = await reader.read(answer.needs);
      if (typeof read.state === "string") return read.state;
      more = read.state;
    }
    return `The call needs state in more than ${maxRounds} rounds.`;
  }

  #probe(block: string): BlockQuestion {
    const [{ gasPrice, maxFeePerGas, maxPriorityFeePerGas, from } = {}] = this.#asked.requests;
    const priced = this.#asked.pays ? { from, gasPrice, maxFeePerGas, maxPriorityFeePerGas } : {};
    const given = Object.fromEntries(Object.entries(priced).filter(([, value]) => value !== undefined));
    const call = { ...(given as JsonObject), data: blockProbe }; // values of a request
    return { method: "eth_call", params: [call, block, ...overrideParams(this.#asked)] };
  }
  #served(block: string): BlockQuestion {
    const [request = {}] = this.#asked.requests;
    const options = { tracer: "callTracer", tracerConfig: { withLog: true }, ...overrideMembers(this.#asked) };
    return { method: served, params: [request, block, options] };
  }
  async #ask(questions: readonly BlockQuestion[]): Promise<readonly Outcome[]> {
    if (this.#host.signal.aborted || questions.length === 0) return [];
    this.#rounds++;
    this.#requests += questions.length;
    return this.#host.ask(questions);
  }
}

export function stepsText(steps: number): string {
  return `${grouped(BigInt(steps))} instructions so far`;
}

/** Values of state that one call may read. */
const maxValues = 5000;

/** Fewer requests in a message are few. */
const fewRequests = 20;

/** Whether an endpoint takes few requests in one message, so that one simulation is better. */
export function takesFew({ refuses, memory, batch = memory.batch }: TraceHost): boolean {
  return !refuses.includes("eth_simulateV1") && batch !== undefined && (batch === false || batch < fewRequests);
}

/** Times that the state of `pending` is read again because it did not fit together. */
const maxRepeated = 2;

/** Calls of a simulation that a list is asked for. */
const maxListed = 5;

const served = "debug_traceCall";
const listing = "eth_createAccessList";
const cancelled = "It was cancelled.";

interface OpenedBlock {
  /** Its number as a quantity, or `pending`. */
  readonly block: string;
  readonly hash: string | undefined;
  readonly listed: Needs;
}

interface Computing {
  readonly opened: OpenedBlock;
  readonly probed: ProbedBlock;
  readonly fork: Fork;
  readonly reader: StateReader;
  readonly tracer: Tracer;
  readonly state: KnownState;
  /** What the endpoint says, if the calls are those of a simulation. */
  readonly simulation: Simulation | undefined;
}

const nothingKnown: KnownState = { accounts: new Map(), slots: new Map(), hashes: new Map() };

/** Adds the accounts that the calls themselves name. */
function withCalled(needs: readonly Needs[], { calls, overrides }: AskedCalls): Needs {
  const accounts = needs.flatMap((one) => one.accounts);
  const slots = needs.flatMap((one) => one.slots);
  const named = calls.flatMap(({ from, to, data }) => [from, ...(to === undefined ? [] : [to, ...addressesIn(data)])]);
  const lists = calls.flatMap(({ accessList }) => accessList);
  const listed = lists.flatMap(({ address, slots: own }) => own.map((slot) => ({ address, slot })));
  const all = [...named, ...Object.keys(overrides), ...lists.map(({ address }) => address), ...accounts];
  return { accounts: [...new Set(all)], slots: [...slots, ...listed], hashes: [] };
}

function failed(why: string): TraceReading {
  return { kind: "failed", why };
}
