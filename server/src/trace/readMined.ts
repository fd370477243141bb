import { toQuantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue, printJson } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import { explain } from "../rpc/explain.ts";
import type { BlockQuestion } from "../rpc/head.ts";
import { isRefusedForGood, type Outcome, resultOf } from "../rpc/outcome.ts";
import { blockProbe, readBlockProbe, whyUnprobed } from "./blockProbe.ts";
import { type Difference, differenceTo } from "./difference.ts";
import {
  contradictionIn,
  isSystemContract,
  type MinedBlock,
  minedPlace,
  type ReceiptFacts,
  readMinedBlock,
  readReceipts,
  replaced,
} from "./minedBlock.ts";
import { stepsText, type TraceHost, type TraceReading, takesFew } from "./readTrace.ts";
import { readSecond, secondQuestion } from "./secondReading.ts";
import { unusableWhy } from "./servedFrames.ts";
import { compareAfter } from "./stateAfter.ts";
import { addressesIn, listedState, StateReader } from "./stateReader.ts";
import { blockLimits, type Fork, type Needs, reverted, type Task, type Trace, type Tracer } from "./task.ts";

/** A transaction in a block. */
export interface MinedAsked {
  readonly hash: string;
  /** Answers about it that are shown beside its calls. The first one names its block, if there is one already. */
  readonly known: readonly JsonValue[];
}

/** Values of state that one block may read. */
const maxValues = 20_000;
/** Rounds of reading what the run before needed. */
const maxRounds = 60;
/** More requests than this are worse than one simulation that reads their values. */
const manyRequests = 100;

/**
 * Reads the calls inside a transaction of a block: from the endpoint if it serves `debug_traceTransaction`, else the whole block
 * is replayed here over the state of its parent, and compared: all receipts and every value that it read or wrote. Never rejects.
 */
export async function readMined(asked: MinedAsked, host: TraceHost): Promise<TraceReading> {
  const reader = new MinedReader({ ...asked, hash: asked.hash.toLowerCase() }, host);
  const reading = await reader.read();
  const known: TraceReading = typeof reading === "string" ? { kind: "failed", why: reading } : reading;
  return { ...known, ...(reader.unusable !== undefined && { unusable: reader.unusable }) };
}

/** Sentences say why there are no calls. */
class MinedReader {
  /** Why the trace that the endpoint serves is not used. */
  unusable: string | undefined;
  readonly #asked: MinedAsked;
  readonly #host: TraceHost;
  #rounds = 0;
  #requests = 0;

  constructor(asked: MinedAsked, host: TraceHost) {
    this.#asked = asked;
    this.#host = host;
  }

  async read(): Promise<TraceReading | string> {
    const { hash, known } = this.#asked;
    const { memory, refuses } = this.#host;
    const isServed = memory.refusesTrace !== true && !refuses.includes(tracing);
    const place = minedPlace(known[0]);
    const own = known.find((one) => isObject(one) && one.status !== undefined);
    const needsReceipt = !place || (isServed && !own);
    const [first, second] = await this.#ask([
      ...(isServed
        ? [{ method: tracing, params: [hash, { tracer: "callTracer", tracerConfig: { withLog: true } }] }]
        : []),
      ...(needsReceipt ? [{ method: receiptOf, params: [hash] }] : []),
    ]);
    const [traced, receipt] = isServed ? [first, second] : [undefined, first];
    if (isRefusedForGood(traced)) memory.refusesTrace = true;
    const call = resultOf(traced);
    const found = place ?? minedPlace(resultOf(receipt));
    this.unusable = traced?.kind === "answered" ? unusableWhy(call) : undefined;
    if (isObject(call) && this.unusable === undefined)
      return { kind: "served", calls: [call], block: found?.number, receipt: own ?? resultOf(receipt) ?? null };
    if (!found) return receipt && receipt.kind !== "answered" ? whyOf(receipt, receiptOf) : "It is in no block.";
    if (found.number === 0n) return "The first block has no transactions.";
    const opening = this.#host.openTracer(this.#host.signal); // starts while the block is read
    try {
      return await this.#replay(found, opening);
    } finally {
      void opening.then((tracer) => tracer.close());
    }
  }

  async #replay(
    { number, blockHash }: { readonly number: bigint; readonly blockHash: string },
    opening: Promise<Tracer>,
  ): Promise<TraceReading | string> {
    const opened = await this.#open(toQuantity(number), blockHash);
    if (typeof opened === "string") return opened;
    const { block, receipts, fork, chainId, blobBaseFee } = opened;
    const { header, calls, target } = block;
    const contradiction = contradictionIn(this.#asked.known, block, receipts);
    if (contradiction) return contradiction;
    const task = { calls, target, block: { ...header.facts, blobBaseFee }, chainId, fork, limits: blockLimits };
    const [tracer, reader] = [await opening, this.#readerOf(block)];
    const listing = this.#listing(calls, target, toQuantity(number - 1n));
    const trace = await this.#run(tracer, task, block, reader, listing);
    if (typeof trace === "string") return trace;
    const difference = receiptDifference(trace, block, receipts);
    if (difference) return { kind: "differs", ...difference };
    const place = { parent: toQuantity(number - 1n), time: toQuantity(header.facts.time) };
    const secondReading = this.#host.refuses.includes("eth_simulateV1") ? [] : [secondQuestion(trace.touched, place)];
    const { verdict, others } = await compareAfter(withWithdrawals(trace, block), {
      ask: (questions) => this.#ask(questions),
      block: toQuantity(number),
      beside: [blockQuestion(toQuantity(number), false), ...secondReading],
      isBulkBetter: (requests) => this.#isBulkBetter(requests),
    });
    const again = resultOf(others[0]);
    if (!isObject(again) || again.hash !== blockHash) return replaced;
    if (typeof verdict === "object") return "why" in verdict ? verdict.why : { kind: "differs", ...verdict };
    const rules = readSecond(trace.touched, resultOf(others[1]));
    if (typeof rules === "object") return { kind: "differs", ...rules };
    if (rules !== undefined && rules !== fork) return { kind: "differs", what: "fork", here: fork, there: rules };
    const isReadTwice = rules !== undefined;
    const call = trace.calls[target]?.call ?? {};
    if (!isReadTwice && hasUsedUp(call)) {
      // a call may do anything else before it uses up its gas: no receipt has it
      const other = await this.#run(tracer, { ...task, fork: otherRules[fork] }, block, reader, []);
      const fits = typeof other === "object" && !receiptDifference(other, block, receipts);
      if (fits && printJson(call) !== printJson(other.calls[target]?.call ?? {})) return undecided;
    }
    const counts = { rounds: this.#rounds, requests: this.#requests };
    return { kind: "replayed", trace, target, values: verdict, isReadTwice, block: number, fork, ...counts };
  }

  /** Reads the block, its receipts and its rules. */
  async #open(number: string, blockHash: string): Promise<OpenedBlock | string> {
    const { refuses, memory } = this.#host;
    const isWhole = memory.refusesReceipts !== true && !refuses.includes(receiptsOf);
    const [answer, probe, listed] = await this.#ask([
      blockQuestion(number, true),
      { method: "eth_call", params: [{ data: blockProbe }, number] },
      ...(isWhole ? [{ method: receiptsOf, params: [number] }] : []),
    ]);
    if (isRefusedForGood(listed)) memory.refusesReceipts = true;
    if (answer?.kind !== "answered") return whyOf(answer, "eth_getBlockByNumber");
    const block = readMinedBlock(resultOf(answer), { hash: this.#asked.hash, blockHash });
    if (typeof block === "string") return block;
    const probed = readBlockProbe(resultOf(probe));
    if (!probed) return probe ? whyUnprobed(probe, "eth_call") : whyOf(probe, "eth_call");
    if (probed.block.number !== block.header.facts.number)
      return "Calls of its chain read another number of the block than that of its header.";
    const { fork } = probed;
    if (!fork) return "The chain follows rules that are not known yet.";
    if (fork === "cancun") return "Its block is from before Prague.";
    const all = resultOf(listed);
    const outcomes = isArray(all)
      ? []
      : await this.#ask(block.hashes.map((hash) => ({ method: receiptOf, params: [hash] })));
    const receipts = readReceipts(isArray(all) ? all : outcomes.map(resultOf), block);
    if (typeof receipts !== "string")
      return { block, receipts, fork, chainId: probed.chainId, blobBaseFee: probed.block.blobBaseFee };
    const failed = outcomes.find((outcome) => outcome.kind !== "answered");
    return failed ? whyOf(failed, receiptOf) : receipts;
  }

  #readerOf({ header, calls }: MinedBlock): StateReader {
    return new StateReader({
      ask: (questions) => this.#ask(questions),
      block: toQuantity(header.facts.number - 1n),
      hash: header.parentHash,
      overrides: {},
      maxValues,
      plain: new Set(calls.map(({ from }) => from)),
      isBulkBetter: (requests) => this.#isBulkBetter(requests),
    });
  }

  /**
   * Runs the block until nothing is missing.
   *
   * @param beside - Questions for what it may need, in the first message.
   */
  async #run(
    tracer: Tracer,
    task: Task,
    { header, calls }: MinedBlock,
    reader: StateReader,
    beside: readonly BlockQuestion[],
  ): Promise<Trace | string> {
    const { number } = header.facts;
    let needs: Needs = firstNeeds(calls, header.facts.coinbase);
    let listing = beside;
    const replaying = `Replaying ${plural(calls.length, "transaction")} of block ${grouped(number)}`;
    const running = (steps: number) => this.#host.progress?.(`${replaying}: ${stepsText(steps)}.`);
    for (let round = 0; round < maxRounds; round++) {
      const system = needs.slots.find(({ address }) => isSystemContract(address));
      if (system) return `Its block uses ${system.address}, which the chain itself changes. That is not replayed yet.`;
      this.#host.progress?.(`${replaying}: ${plural(this.#requests, "request")} so far.`);
      const read = await reader.read(needs, listing);
      if (typeof read.state === "string") return read.state;
      const listed = this.#listed(read.others);
      listing = [];
      const answer = await tracer.run(task, read.state, running);
      if (answer.kind === "traced") return answer.trace;
      if (answer.kind === "refused") return `Its block is not replayed: ${answer.why}.`;
      if (this.#host.signal.aborted) return "It was cancelled.";
      needs = withListed(answer.needs, listed);
    }
    return `Its block needs state in more than ${maxRounds} rounds.`;
  }

  /** Asks what calls of the block need, over the state before it: this saves rounds. */
  #listing(calls: MinedBlock["calls"], target: number, block: string): readonly BlockQuestion[] {
    const { memory, refuses } = this.#host;
    if (memory.refusesAccessList === true || refuses.includes(listingOf)) return [];
    const others = takesFew(this.#host) ? [] : calls.filter(({ data }, at) => at !== target && data !== "0x");
    return [...calls.slice(target, target + 1), ...others.slice(0, maxListed)].map(({ from, to, data, value, gas }) => {
      const call = { from, ...(to !== undefined && { to }), data, value: toQuantity(value), gas: toQuantity(gas) };
      return { method: listingOf, params: [call, block] };
    });
  }
  #listed(outcomes: readonly Outcome[]): Needs {
    if (outcomes.some(isRefusedForGood)) this.#host.memory.refusesAccessList = true;
    return listedState(outcomes.map(resultOf));
  }
  #isBulkBetter(requests: number): boolean {
    if (this.#host.refuses.includes("eth_simulateV1")) return false;
    return requests > manyRequests || takesFew(this.#host);
  }
  async #ask(questions: readonly BlockQuestion[]): Promise<readonly Outcome[]> {
    if (this.#host.signal.aborted || questions.length === 0) return [];
    this.#rounds++;
    this.#requests += questions.length;
    return this.#host.ask(questions);
  }
}

/** Rules that the header of a block does not tell apart. */
const otherRules = { cancun: "prague", prague: "osaka", osaka: "prague" } as const;
const undecided =
  "A call in it used up its gas, and rules of two forks fit what the endpoint reports, with other calls inside.";

/** Whether a call, or one inside it, failed otherwise than by a revert. */
function hasUsedUp(call: JsonObject): boolean {
  const open = [call];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.error !== undefined && next.error !== reverted) return true;
    if (isArray(next.calls)) open.push(...next.calls.filter(isObject));
  }
  return false;
}

/** Calls of a block, besides the one that is traced, that are asked about. */
const maxListed = 30;

const tracing = "debug_traceTransaction";
const listingOf = "eth_createAccessList";
const receiptOf = "eth_getTransactionReceipt";
const receiptsOf = "eth_getBlockReceipts";

interface OpenedBlock {
  readonly block: MinedBlock;
  readonly receipts: readonly ReceiptFacts[];
  readonly fork: Fork;
  readonly chainId: bigint;
  readonly blobBaseFee: bigint;
}

function blockQuestion(number: string, isWhole: boolean): BlockQuestion {
  return { method: "eth_getBlockByNumber", params: [number, isWhole] };
}

function whyOf(outcome: Outcome | undefined, method: string): string {
  if (!outcome) return "It was cancelled.";
  return outcome.kind === "answered"
    ? `The answer to \`${method}\` is not what it should be.`
    : explain(outcome, method).what;
}

function withListed({ accounts, slots, hashes }: Needs, listed: Needs): Needs {
  return { accounts: [...accounts, ...listed.accounts], slots: [...slots, ...listed.slots], hashes };
}

/** What the transactions themselves name. */
function firstNeeds(calls: MinedBlock["calls"], coinbase: string): Needs {
  const named = calls.flatMap(({ from, to, data }) => [from, ...(to === undefined ? [] : [to, ...addressesIn(data)])]);
  const lists = calls.flatMap(({ accessList }) => accessList);
  const slots = lists.flatMap(({ address, slots: own }) => own.map((slot) => ({ address, slot })));
  return { accounts: [...new Set([coinbase, ...named, ...lists.map(({ address }) => address)])], slots, hashes: [] };
}

function receiptDifference(
  { calls }: Trace,
  { header, calls: asked, target }: MinedBlock,
  receipts: readonly ReceiptFacts[],
): Difference | undefined {
  for (const [at, call] of calls.entries()) {
    const receipt = receipts[at];
    const price = asked[at]?.gasPrice ?? 0n;
    const difference =
      receipt &&
      (differenceTo(call, receipt) ??
        (receipt.price === undefined || receipt.price === price
          ? undefined
          : { what: "gas price", here: String(price), there: String(receipt.price) }));
    if (difference)
      return at === target
        ? difference
        : { ...difference, what: `${difference.what} of transaction ${at} of its block` };
  }
  const used = calls.reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
  return used === header.gasUsed
    ? undefined
    : { what: "gas used by its block", here: String(used), there: String(header.gasUsed) };
}

/** What the block gives at its end is in balances after it. */
function withWithdrawals({ touched }: Trace, { withdrawals }: MinedBlock): Trace["touched"] {
  const accounts = touched.accounts.map((one) => ({
    ...one,
    balance: one.balance + (withdrawals.get(one.address) ?? 0n),
  }));
  return { ...touched, accounts };
}
