import { withinTime } from "../../base/deadline.ts";
import { quantity } from "../../base/hex.ts";
import { isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { Clock } from "../../base/ports.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { EndpointClient } from "../../gate/backgroundClient.ts";
import {
  type CaseFacts,
  type CasePlace,
  caseMethods,
  type Gap,
  type HeadTag,
  hasSucceeded,
  isInBlock,
  type Replacement,
  type Reread,
} from "../../report/caseFacts.ts";
import { isUnsealed, placeOf } from "../../report/shown.ts";
import { isCallFrame } from "../../report/trace.ts";
import type { TracedCallFacts } from "../../report/tracedCall.ts";
import { type BlockFacts, type BlockQuestion, blockFacts, findBlock, questionOf } from "../../rpc/head.ts";
import { isRefusedForGood, type Outcome, resultOf, seemsUnserved } from "../../rpc/outcome.ts";
import { ownRequest } from "../../rpc/wire.ts";
import { unusableWhy } from "../../trace/servedFrames.ts";
import { findReceipt } from "../send/findReceipt.ts";
import { blockReceipts } from "../send/receiptsOneByOne.ts";
import {
  type Asked,
  answeredAt,
  answeredBy,
  askedOf,
  blockOf,
  gapOf,
  isBlockOf,
  isOfAnother,
  maxRoundMs,
  unservedTransaction,
  withGasOf,
} from "./caseAnswers.ts";
import { CaseLife, recentBlocks, replacementIn, rereadFrom, rereadQuestion, traceQuestion } from "./caseQuestions.ts";
import { contradictionWith } from "./servedTrace.ts";

/** How a case is read. */
export interface CaseHost {
  /** Sends questions in one message. */
  readonly client: EndpointClient;
  /** The endpoint, as far as it is known now. */
  readonly place: () => CasePlace;
  /** Computes the calls inside a transaction that is in a block; absent if nobody asked for them. */
  readonly replay?: ((hash: string, shown: readonly JsonObject[]) => Promise<TracedCallFacts>) | undefined;
  /** A limit for answers that a person chose: companions wait as long. */
  readonly givenMs?: number | undefined;
  readonly signal: AbortSignal;
}

/** Milliseconds for a trace. */
const maxTraceMs = 10_000;

const tags = ["latest", "safe", "finalized"] as const satisfies readonly HeadTag[];

/** The parts of a case that belong to the block that the transaction is in. */
interface Details {
  readonly block: BlockFacts | undefined;
  readonly trace: JsonObject | undefined;
  readonly traced: TracedCallFacts | undefined;
  readonly reread: Reread | undefined;
  readonly nonces: CaseFacts["nonces"];
  readonly replacement: Replacement | undefined;
  readonly gaps: readonly Gap[];
}

const noDetails: Details = {
  block: undefined,
  trace: undefined,
  traced: undefined,
  reread: undefined,
  nonces: undefined,
  replacement: undefined,
  gaps: [],
};

/**
 * Reads the case of one transaction in at most three rounds: the transaction, its receipt and the heads; then its block
 * and its calls, or the nonces of its sender; then what these leave open. It can be read again as the chain goes on.
 */
export class CaseReader {
  readonly #hash: string;
  readonly #clock: Clock;
  readonly #canReplay: boolean;
  readonly #life = new CaseLife();
  #host: CaseHost;
  #first: Promise<readonly Asked[]> | undefined;
  #transaction: JsonObject | undefined;
  #receipt: JsonObject | undefined;
  #receiptBy: string | undefined;
  #heads: CaseFacts["heads"] = { latest: undefined, safe: undefined, finalized: undefined };
  #headBy: string | undefined;
  #chainId: bigint | undefined;
  #details = noDetails;
  /** The block, or its absence, that the details are of. */
  #detailsOf: string | undefined;
  #firstGaps: readonly Gap[] = [];
  #answers: readonly Asked[] = [];

  /** @param canReplay - The calls inside could be computed. */
  constructor(hash: string, host: CaseHost, clock: Clock, canReplay: boolean) {
    this.#hash = hash;
    this.#host = host;
    this.#clock = clock;
    this.#canReplay = canReplay;
  }

  /** Sends the first questions, beside a request that asks for the transaction or the receipt. */
  begin(own: string): void {
    const other = own === caseMethods.transaction ? caseMethods.receipt : caseMethods.transaction;
    this.#first = this.#ask([{ method: other, params: [this.#hash] }, ...this.#headQuestions()]);
  }
  /** Reads the rest when that request is answered. Never rejects. */
  async complete(request: EvaluatedRequest, outcome: Outcome): Promise<void> {
    const first = (await this.#first) ?? [];
    await this.#take([{ request, outcome, maxMs: maxRoundMs }, ...first]);
  }
  /** Reads all of it again, in another way to send. Never rejects. */
  async again(host: CaseHost): Promise<void> {
    this.#host = host;
    const both = [caseMethods.transaction, caseMethods.receipt].map((method) => ({ method, params: [this.#hash] }));
    const asked = await this.#ask([...both, ...this.#headQuestions()]);
    if (asked.some(({ outcome }) => outcome?.kind === "answered")) await this.#take(asked);
  }
  get facts(): CaseFacts {
    const place = this.#host.place();
    return {
      hash: this.#hash,
      place: { ...place, chainId: place.chainId ?? this.#chainId },
      transaction: this.#transaction,
      receipt: this.#receipt,
      receiptBy: this.#receiptBy,
      heads: this.#heads,
      headBy: this.#headBy,
      ...this.#details,
      traced: this.#details.traced ?? this.#untraced(),
      gaps: [...this.#firstGaps, ...this.#details.gaps],
      life: this.#life.stages(),
    };
  }
  /** The answers whose amounts and selectors the report shows. */
  get answers(): readonly { readonly request: EvaluatedRequest; readonly outcome: Outcome }[] {
    return this.#answers.flatMap(({ request, outcome }) => (outcome ? [{ request, outcome }] : []));
  }
  /** It can change no more, as far as the endpoint shows. */
  get isOver(): boolean {
    return this.#life.isOver || this.#details.replacement !== undefined;
  }

  /** Says why there are no calls, if they were asked for. */
  #untraced(): TracedCallFacts | undefined {
    const [transaction, receipt, { replay, place }] = [this.#transaction, this.#receipt, this.#host];
    if (!replay || this.#details.trace || !(transaction || receipt)) return undefined;
    const unread = receipt ? "Its block is not sealed yet." : "Its receipt is not known.";
    return {
      kind: "failed",
      host: place().host,
      why: isInBlock({ transaction, receipt }) ? unread : "It is in no block.",
    };
  }
  /** The endpoint allows few requests: only receipt and block are asked for. */
  get #isSparing(): boolean {
    return this.#host.client.endpoint.rate !== undefined;
  }
  #headQuestions(): readonly BlockQuestion[] {
    const { memory } = this.#host.client;
    if (this.#isSparing) return [];
    const isKnown = (this.#chainId ?? this.#host.place().chainId) !== undefined;
    return [...tags.map((tag) => questionOf(tag, memory)), ...(isKnown ? [] : [chainQuestion])];
  }
  async #take(asked: readonly Asked[]): Promise<void> {
    if (this.#host.signal.aborted) return;
    const of = (method: string): Asked | undefined => asked.find(({ request }) => request.method === method);
    const isOther = (one: Asked | undefined): boolean => isOfAnother(resultOf(one?.outcome), this.#hash);
    const answerTo = (method: string): JsonValue | undefined =>
      isOther(of(method)) ? undefined : resultOf(of(method)?.outcome);
    const heads = await this.#served(asked.slice(2));
    const whole = answerTo(caseMethods.transaction);
    // an endpoint without transactions shows parts of them in receipts
    const isPart = isObject(whole) && whole.input === undefined;
    const transaction = isPart ? undefined : whole;
    const ofBlock = await this.#receiptOfBlock(of(caseMethods.receipt), whole);
    const receipt = ofBlock ?? answerTo(caseMethods.receipt);
    const isOfBlock = ofBlock !== undefined || of(caseMethods.receipt)?.outcome?.exchange.parts !== undefined;
    if (isObject(receipt)) this.#receiptBy = isOfBlock ? blockReceipts : undefined;
    this.#firstGaps = [of(caseMethods.transaction), of(caseMethods.receipt)].flatMap((one) =>
      one?.request.method === caseMethods.receipt && receipt
        ? []
        : gapOf(one, partNames[one?.request.method ?? ""] ?? "", isOther(one) ? "another transaction" : undefined),
    );
    if (isPart) this.#firstGaps = [...this.#firstGaps, unservedTransaction(this.#host.place().host)];
    if (isObject(transaction)) this.#transaction = transaction;
    // one that was replaced stays known
    else if (whole === null && this.#transaction) this.#transaction = { ...this.#transaction, ...noBlock };
    const [latest, safe, finalized] = tags.map(
      (tag, at) => blockFacts(resultOf(heads[at]?.outcome))?.number ?? this.#heads[tag],
    );
    this.#heads = { latest, safe, finalized };
    this.#headBy = heads[0]?.request.method;
    if (
      receipt !== undefined &&
      !(receipt === null && this.#isAheadOf(blockFacts(resultOf(heads[0]?.outcome))?.number))
    )
      this.#receipt = isObject(receipt) ? receipt : undefined;
    this.#chainId ??= quantity(resultOf(of(chainQuestion.method)?.outcome));
    const receiptAsked = of(caseMethods.receipt);
    const shown = ofBlock && receiptAsked ? answeredBy(receiptAsked, ofBlock) : receiptAsked;
    this.#answers = [of(caseMethods.transaction), shown].flatMap((one) => one ?? []);
    await this.#readDetails(transaction === null);
    this.#noteLife(asked, transaction === null);
  }
  /** Reads the heads in another way if the endpoint serves no blocks. */
  async #served(heads: readonly Asked[]): Promise<readonly Asked[]> {
    const { memory } = this.#host.client;
    if (memory.headBy !== undefined || !seemsUnserved(heads[0]?.outcome)) return heads;
    await findBlock((questions) => this.#outcomes(questions), memory, "latest");
    return memory.headBy === undefined ? heads : this.#ask(tags.map((tag) => questionOf(tag, memory)));
  }
  /** Looks for the receipt among those of its block if the endpoint serves no single ones. */
  async #receiptOfBlock(asked: Asked | undefined, transaction: JsonValue | undefined): Promise<JsonObject | undefined> {
    const block = isObject(transaction) ? transaction.blockNumber : undefined;
    if (block === undefined || block === null || !seemsUnserved(asked?.outcome)) return undefined;
    const found = await findReceipt(this.#hash, (questions) => this.#outcomes(questions), block);
    return isObject(found) ? found : undefined;
  }
  /** Whether a node with this head cannot have the block of the receipt yet: several nodes may answer. */
  #isAheadOf(head: bigint | undefined): boolean {
    const number = quantity(this.#receipt?.blockNumber);
    return head !== undefined && number !== undefined && number > head;
  }
  /** A block above the newest sealed one is pre-confirmed where there are such blocks, even if it has a hash. */
  #isSealed(receipt: JsonObject | undefined): receipt is JsonObject {
    const isAhead = this.#host.place().kind === "pre-confirmed" || this.#receiptBy !== undefined;
    const sealed = isAhead ? this.#heads.latest : undefined;
    return receipt !== undefined && !isUnsealed(placeOf(receipt), sealed);
  }
  /** Reads the details, unless they are of the same block. */
  async #readDetails(isGone: boolean): Promise<void> {
    const receipt = this.#receipt;
    const isSealed = this.#isSealed(receipt);
    const key = receipt ? `${receipt.blockHash} ${receipt.blockNumber} ${receipt.status}` : `none ${isGone}`;
    if (key === this.#detailsOf && receipt) return;
    this.#detailsOf = key;
    if (receipt) this.#details = await this.#readMined(receipt, isSealed);
    else if (this.#transaction && !this.#isSparing) this.#details = await this.#readWaiting(this.#transaction);
  }
  async #readMined(receipt: JsonObject, isSealed: boolean): Promise<Details> {
    const isSparing = this.#isSparing;
    const number = quantity(receipt.blockNumber);
    const { givenMs, client } = this.#host;
    const { memory } = client;
    const ask = (questions: readonly BlockQuestion[]) => this.#outcomes(questions);
    const named = number === undefined || !isSealed ? undefined : String(receipt.blockNumber);
    const traces = isSparing || !isSealed ? undefined : this.#readTrace();
    const [found, traced] = await Promise.all([
      named === undefined ? undefined : findBlock(ask, memory, named),
      traces,
    ]);
    const { facts } = found ?? {};
    const block = found && named !== undefined ? askedOf(questionOf(named, memory), found.outcome, givenMs) : undefined;
    const shown = [receipt, ...(this.#transaction ? [this.#transaction] : [])];
    const replayed = traced?.trace || !isSealed ? undefined : await this.#host.replay?.(this.#hash, shown);
    const trace = traced?.trace ? withGasOf(receipt, traced.trace) : this.#replayedTrace(replayed);
    const contradiction = traced?.trace && contradictionWith(receipt, traced.trace, this.#transaction);
    const { host } = this.#host.place();
    const contradicted =
      contradiction && ({ kind: "served", host, calls: [traced.trace], block: number, contradiction } as const);
    const own = facts && isBlockOf(facts, receipt) ? facts : undefined;
    const other = facts && !own ? "another block" : undefined;
    const gaps = [...gapOf(block, "the time of the block", other), ...(replayed ? [] : (traced?.gaps ?? []))];
    const known = {
      ...noDetails,
      block: own ?? blockOf(receipt, number),
      trace,
      traced: contradicted || replayed,
      gaps,
    };
    if (hasSucceeded({ receipt, trace }) !== false || known.trace || isSparing || number === undefined) return known;
    return { ...known, ...(await this.#readReason(number, gaps)) };
  }
  async #readTrace(): Promise<Pick<Details, "trace" | "gaps">> {
    const { endpoint, memory } = this.#host.client;
    const what = "the calls inside";
    const hint = this.#canReplay && { canReplay: true };
    if (memory.refusesTrace || endpoint.refuses.includes(caseMethods.trace)) {
      const why = `${this.#host.place().host} does not serve it.`;
      return { trace: undefined, gaps: [{ what, method: caseMethods.trace, why, ...hint }] };
    }
    const [asked] = await this.#ask([traceQuestion(this.#hash)], maxTraceMs);
    if (isRefusedForGood(asked?.outcome)) memory.refusesTrace = true;
    const trace = resultOf(asked?.outcome);
    if (asked && isObject(trace) && isCallFrame(trace)) {
      const unusable = unusableWhy(trace);
      if (unusable !== undefined) {
        const why = `What ${this.#host.place().host} serves is not used: ${unusable}.`;
        return { trace: undefined, gaps: [{ what, method: caseMethods.trace, why, ...hint }] };
      }
      this.#answers = [...this.#answers, asked];
      return { trace, gaps: [] };
    }
    const gaps = gapOf(asked, what, "another kind");
    return {
      trace: undefined,
      gaps: isRefusedForGood(asked?.outcome) ? gaps.map((gap) => ({ ...gap, ...hint })) : gaps,
    };
  }
  /** The calls that were computed, as an answer whose amounts and selectors are shown. */
  #replayedTrace(replayed: TracedCallFacts | undefined): JsonObject | undefined {
    const [trace] = replayed && "calls" in replayed ? replayed.calls : [];
    const [first] = this.#answers;
    if (!trace || !first) return trace;
    const asked = { ...first, request: { ...ownRequest(caseMethods.trace, [this.#hash]), returns: undefined } };
    this.#answers = [...this.#answers, answeredBy(asked, trace)];
    return trace;
  }
  /** Calls again at the block before, to read why it failed. */
  async #readReason(number: bigint, gaps: readonly Gap[]): Promise<Partial<Details>> {
    const transaction = this.#transaction;
    const question = transaction && rereadQuestion(transaction, number, this.#host.client.endpoint.refuses);
    if (!question) return {};
    const [asked] = await this.#ask([question]);
    const reread = rereadFrom(question.method, number - 1n, asked?.outcome);
    return reread ? { reread } : { gaps: [...gaps, ...gapOf(asked, "the reason of the failure")] };
  }
  /** Reads the nonces of the sender, and which transaction took this one's. */
  async #readWaiting(transaction: JsonObject): Promise<Details> {
    const { from = null, nonce } = transaction;
    const counts = await this.#ask(
      ["latest", "pending"].map((tag) => ({ method: "eth_getTransactionCount", params: [from, tag] })),
    );
    const [latest, pending] = counts.map(({ outcome }) => quantity(resultOf(outcome)));
    const own = quantity(nonce);
    const known = { ...noDetails, nonces: { latest, pending }, gaps: gapOf(counts[0], "the nonce of the sender") };
    if (latest === undefined || own === undefined || latest <= own || isInBlock({ transaction, receipt: undefined }))
      return known;
    // the nonce may have been taken after the heads were read
    const [head] = await this.#ask([questionOf("latest", this.#host.client.memory)]);
    const newest = blockFacts(resultOf(head?.outcome))?.number ?? this.#heads.latest;
    const blocks = await this.#ask(recentBlocks(newest));
    const found = replacementIn(
      blocks.map(({ outcome }) => resultOf(outcome)),
      transaction,
    );
    return { ...known, replacement: { found, searched: blocks.length } };
  }
  #noteLife(asked: readonly Asked[], isGone: boolean): void {
    const receipt = this.#receipt ?? (isInBlock(this.facts) ? this.#transaction : undefined);
    const isSealed = this.#isSealed(receipt);
    const isWaiting = this.#transaction !== undefined && !isGone;
    this.#life.note({
      state: isSealed ? "block" : receipt ? "pre-confirmed" : isWaiting ? "pending" : "unknown",
      blockHash: isSealed && typeof receipt.blockHash === "string" ? receipt.blockHash : undefined,
      number: isSealed ? quantity(receipt.blockNumber) : undefined,
      blockTimeMs: this.#details.block?.timeMs,
      heads: this.#heads,
      kind: this.#host.place().kind,
      at: answeredAt(asked) ?? this.#clock.date(),
    });
  }
  /** Sends questions in one message; an answer that does not come in time stays away. */
  async #ask(questions: readonly BlockQuestion[], maxMs = maxRoundMs): Promise<readonly Asked[]> {
    if (questions.length === 0) return [];
    const { client, givenMs = 0, signal } = this.#host;
    const requests = questions.map(({ method, params }) => ({ ...ownRequest(method, params), returns: undefined }));
    const limit = Math.max(maxMs, givenMs);
    const outcomes = await withinTime(client.ask(questions, signal), limit, this.#clock, signal);
    return requests.map((request, at) => ({
      request,
      outcome: outcomes?.[at],
      maxMs: signal.aborted ? undefined : limit,
    }));
  }
  /** Returns the outcomes alone; none if they do not come in time. */
  async #outcomes(questions: readonly BlockQuestion[]): Promise<readonly Outcome[]> {
    return (await this.#ask(questions)).flatMap(({ outcome }) => outcome ?? []);
  }
}

const noBlock = { blockNumber: null, blockHash: null };

const chainQuestion: BlockQuestion = { method: "eth_chainId", params: [] };

const partNames: Readonly<Record<string, string>> = {
  [caseMethods.transaction]: "the transaction",
  [caseMethods.receipt]: "the receipt",
};
