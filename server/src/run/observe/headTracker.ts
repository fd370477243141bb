import { withinTime } from "../../base/deadline.ts";
import { toQuantity } from "../../base/hex.ts";
import { isArray, type JsonObject } from "../../base/json.ts";
import type { Moment } from "../../base/ports.ts";
import { plural } from "../../base/text.ts";
import { formatDuration, grouped } from "../../base/units.ts";
import { methodNamed } from "../../catalog/catalog.ts";
import type { Endpoint } from "../../endpoints/resolveEndpoint.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Cell } from "../../notebook/cell.ts";
import { requestedBlock, takesBlock } from "../../report/facts.ts";
import type { Fact, Report } from "../../report/report.ts";
import { type Cadence, cadenceOf, noteAhead, recordHead } from "../../rpc/cadence.ts";
import { type BlockQuestion, blockFacts, findBlock } from "../../rpc/head.ts";
import { type Outcome, resultOf } from "../../rpc/outcome.ts";
import { ownRequest } from "../../rpc/requestIds.ts";
import type { EndpointMemory } from "../../rpc/send.ts";
import { defaultBatch } from "../../rpc/wire.ts";
import { pollWindowOf } from "../prepare/expectations.ts";
import {
  type Addition,
  maxFactsMs,
  type Observation,
  type ObservationContext,
  type ShownAnswer,
} from "./observation.ts";
import { SeenHeads } from "./seenHeads.ts";

/** The state that answered a request with a block tag. */
export interface AnswerState {
  /** The blocks as requested: `pending`, `latest - 100 to latest`. */
  readonly asked: string;
  /** Number of the block that was `latest` then. */
  readonly head: bigint;
  /** Milliseconds since that block's time; `undefined` if it is unknown. */
  readonly ageMs: number | undefined;
  /** Number of the latest block when a slow answer arrived, if it was another one. */
  readonly after: bigint | undefined;
  /** The request used `pending`, which is ahead by measurement or by the endpoint's entry. */
  readonly preconfirmed: boolean;
  /** Number of the newest sealed block when an answer about `pending` came, if `pending` may be ahead of it. */
  readonly sealed: bigint | undefined;
  /** Blocks between heads that a single node cannot have shown: several nodes answer at the address. */
  readonly apart: bigint | undefined;
}

/** The lowest rate at which the head is read, in requests a second. */
const minRate = 10;
/** Milliseconds after which the head may be another one. */
const longMs = 1000;

/**
 * Tracks the states that answer the cells of a run. The head of an endpoint is read once, with the first requests,
 * and again after answers that come much later.
 */
export class HeadTracker implements Observation<AnswerState> {
  readonly #context: ObservationContext;
  /** The head is read in a message of its own. */
  readonly #apart: boolean;
  readonly #heads = new Map<Endpoint, Head>();
  /** Heads read after slow answers: the last one of each endpoint, and that of each cell. */
  readonly #later = new Map<Endpoint, Head>();
  readonly #afterwards = new Map<Cell, Head>();
  readonly #seen = new Map<Endpoint, SeenHeads>();
  /** Heads that are being read. */
  #open = 0;
  /** Until this time, the head that was read counts as current. */
  #freshUntil = Number.POSITIVE_INFINITY;

  constructor(context: ObservationContext) {
    this.#context = context;
    this.#apart = isSentApart(context.run.locator.cells);
  }

  concerns(_cell: Cell, requests: readonly EvaluatedRequest[]): boolean {
    return requests.some(({ method, spec = methodNamed(method) }) => takesBlock(spec) || SeenHeads.reads(method));
  }
  sent(cell: Cell, requests: readonly EvaluatedRequest[]): void {
    const endpoint = this.#context.endpointOf(cell);
    if (!endpoint || this.#heads.has(endpoint) || (endpoint.rate ?? minRate) < minRate) return;
    if (pollWindowOf(cell) || !asksByTag(requests)) return; // with `within` it is asked again, at one head after the other
    this.#heads.set(endpoint, this.#read(cell, this.#isInDoubt(endpoint, requests)));
  }
  /** Returns whether a report would call `pending` pre-confirmed because of measurements before this run. */
  #isInDoubt(endpoint: Endpoint, requests: readonly EvaluatedRequest[]): boolean {
    const asks = requests.some((request) => requestedTag(request)?.includes("pending"));
    return asks && endpoint.preconfirmed === undefined && isAhead(endpoint, this.#context);
  }
  /**
   * Returns the wait for the head if these answers came before it, or for a newer head if they came much later.
   * The answers may contain heads themselves.
   */
  answered(cell: Cell, requests: readonly EvaluatedRequest[], outcomes: readonly Outcome[]): Promise<void> | undefined {
    this.#note(cell, requests, outcomes);
    const shown = pendingBlock(requests, outcomes);
    if (shown !== undefined) return this.#confirm(cell, shown);
    if (this.#open === 0 && this.#context.clock.now() < this.#freshUntil) return undefined;
    if (pollWindowOf(cell) || !asksByTag(requests)) return undefined;
    const endpoint = this.#context.endpointOf(cell);
    const head = endpoint && this.#heads.get(endpoint);
    if (!head) return undefined;
    if (head.ended) return this.#again(cell, endpoint, head);
    return this.#inTime(head).then(() => this.#again(cell, endpoint, head));
  }
  /** Returns `undefined` if the request has no block tag, or the head did not arrive in time. */
  of(cell: Cell, request: AskedRequest): AnswerState | undefined {
    const asked = requestedTag(request);
    const endpoint = asked === undefined ? undefined : this.#context.endpointOf(cell);
    const block = endpoint && this.#heads.get(endpoint)?.block;
    if (asked === undefined || !endpoint || !block) return undefined;
    const { number, timeMs, readAt } = block;
    const ageMs = timeMs === undefined ? undefined : Math.max(0, readAt.date - timeMs);
    const preconfirmed = asked.includes("pending") && isAhead(endpoint, this.#context, request.method);
    const now = this.#afterwards.get(cell)?.block?.number;
    const newest = now !== undefined && now > number ? now : number;
    const { kind, pending } = cadenceAt(endpoint, this.#context);
    const isSealed = pending === "same" || (kind !== "pre-confirmed" && !showsTransactions.has(request.method));
    const sealed = asked.includes("pending") && !isSealed ? newest : undefined;
    const apart = this.#seen.get(endpoint)?.apart ?? this.#context.run.routes.memoryOf(endpoint).probed?.apart;
    return { asked, head: number, ageMs, preconfirmed, sealed, after: now !== number ? now : undefined, apart };
  }
  hidden(state: AnswerState): AnswerState {
    return state;
  }
  adds(state: AnswerState, { isRepeated }: ShownAnswer): Addition {
    if (isRepeated) return {}; // at one head after the other
    const { sealed, asked, preconfirmed } = state;
    return {
      given: { sealed, isGuess: asked.includes("pending") && !preconfirmed },
      report: (report) => withState(report, state),
      json: () => stateJson(state),
    };
  }
  /**
   * Learns whether an answer about `pending` was of a block that is not sealed: then `pending` is ahead. The head is read
   * again, since the block may have been sealed between the two answers.
   */
  async #confirm(cell: Cell, shown: bigint): Promise<void> {
    const endpoint = this.#context.endpointOf(cell);
    const head = endpoint && this.#heads.get(endpoint);
    if (!head) return;
    await this.#inTime(head);
    if (!head.block || shown <= head.block.number) return;
    const again = this.#read(cell);
    this.#later.set(endpoint, again);
    this.#afterwards.set(cell, again);
    void again.read.then(() => noteShown(this.#context.run.routes.memoryOf(endpoint), shown, again.block));
    await this.#inTime(again);
  }
  #note(cell: Cell, requests: readonly ObservedHead[], outcomes: readonly Outcome[]): void {
    const endpoint = requests.some(({ method }) => SeenHeads.reads(method))
      ? this.#context.endpointOf(cell)
      : undefined;
    if (!endpoint) return;
    const seen = this.#seen.get(endpoint) ?? new SeenHeads();
    this.#seen.set(endpoint, seen);
    const { blockMs } = this.#context.run.routes.memoryOf(endpoint);
    for (let at = 0; at < outcomes.length; at++) {
      const [request, outcome] = [requests[at], outcomes[at]];
      if (request && outcome) seen.note(request, outcome, blockMs);
    }
  }
  #read(cell: Cell, withPending = false): Head {
    const note = (request: ObservedHead, outcome: Outcome): void => this.#note(cell, [request], [outcome]);
    const head = readHead(cell, this.#context, this.#apart, withPending, note);
    this.#open++;
    void head.read.then(() => {
      this.#open--;
      const endpoint = this.#context.endpointOf(cell);
      if (head.block && endpoint) this.#context.run.routes.onHead(endpoint, head.block.number);
      if (head.block) this.#freshUntil = Math.min(this.#freshUntil, head.block.readAt.now + longMs);
    });
    return head;
  }
  #again(cell: Cell, endpoint: Endpoint, head: Head): Promise<void> | undefined {
    if (!head.block || this.#context.signal.aborted || this.#context.clock.now() - head.block.readAt.now < longMs)
      return undefined;
    const running = this.#later.get(endpoint);
    const again = running && !running.ended ? running : this.#read(cell);
    this.#later.set(endpoint, again);
    this.#afterwards.set(cell, again);
    return this.#inTime(again);
  }
  /** Returns one wait for all callers. */
  #inTime(head: Head): Promise<void> {
    head.wait ??= withinTime(head.read, maxFactsMs, this.#context.clock, this.#context.signal);
    return head.wait;
  }
}

function asksByTag(requests: readonly EvaluatedRequest[]): boolean {
  return requests.some((request) => requestedTag(request) !== undefined);
}

/** The newest block, before and after it was read. */
interface Head {
  readonly read: Promise<void>;
  /** Started by the first answer that came before it. */
  wait?: Promise<void>;
  ended: boolean;
  block: { readonly number: bigint; readonly timeMs: number | undefined; readonly readAt: Moment } | undefined;
}

/** A request whose answer may contain a head. */
type ObservedHead = Parameters<SeenHeads["note"]>[0];

/** @param withPending - Also checks whether `pending` is a later block. */
function readHead(
  cell: Cell,
  context: ObservationContext,
  apart: boolean,
  withPending: boolean,
  note: (request: ObservedHead, outcome: Outcome) => void,
): Head {
  const { clock, asker, run } = context;
  const endpoint = context.endpointOf(cell);
  const memory = endpoint ? run.routes.memoryOf(endpoint) : {};
  let readDate: number | undefined;
  const ask = async ({ method, params }: BlockQuestion): Promise<Outcome> => {
    const outcome = await asker.ask(cell, ownRequest(method, params), apart);
    readDate ??= outcome.exchange.endedAt;
    note({ method, params }, outcome);
    return outcome;
  };
  const blockAt = async (tag: string) =>
    (await findBlock((questions) => Promise.all(questions.map(ask)), memory, tag)).facts;
  const blocks = [blockAt("latest"), ...(withPending ? [blockAt("pending")] : [])];
  const head: Head = {
    ended: false,
    block: undefined,
    read: Promise.all(blocks).then(([latest, pending]) => {
      head.ended = true;
      const readAt = { date: readDate ?? clock.date(), now: clock.now() };
      head.block = latest && { number: latest.number, timeMs: latest.timeMs, readAt };
      if (endpoint) learn(memory, head.block, pending?.number);
    }),
  };
  return head;
}

/** Records the head. A pending block that is not later than it is not pre-confirmed state. */
function learn(memory: EndpointMemory, block: Head["block"], pending: bigint | undefined): void {
  if (!block) return;
  const { number, readAt } = block;
  recordHead(memory, number, readAt.now);
  if (pending === undefined || pending > number) return;
  const why = `\`pending\` was block ${pending} when \`latest\` was ${number}`;
  noteAhead(memory, { is: false, by: "observation", at: readAt.date, why });
}

/** Records that pre-confirmed transactions were shown, which have receipts and logs before their block is sealed. */
function noteShown(memory: EndpointMemory, shown: bigint, block: Head["block"]): void {
  if (!block || shown <= block.number) return;
  const why = `receipts or logs at \`pending\` were of block ${shown} when \`latest\` was ${block.number}`;
  noteAhead(memory, { is: true, by: "observation", at: block.readAt.date, why });
}

/** Returns the newest block of receipts or logs that were asked for at `pending`. */
function pendingBlock(requests: readonly AskedRequest[], outcomes: readonly Outcome[]): bigint | undefined {
  for (let at = 0; at < outcomes.length; at++) {
    const [request, result] = [requests[at], resultOf(outcomes[at])];
    if (!request || !showsTransactions.has(request.method) || !isArray(result)) continue;
    const newest = requestedTag(request)?.includes("pending") ? blockFacts(result.slice(-1)) : undefined;
    if (newest) return newest.number;
  }
  return undefined;
}

/** Methods that show transactions with their outcome. */
const showsTransactions: ReadonlySet<string> = new Set(["eth_getLogs", "eth_getBlockReceipts"]);

/** The parts of a request that show which block it is about. */
type AskedRequest = Pick<EvaluatedRequest, "method" | "spec" | "params">;

/** Returns the blocks that a request is about, if it names them by a tag. */
function requestedTag({ method, spec = methodNamed(method), params }: AskedRequest): string | undefined {
  const asked = requestedBlock(spec, params ?? []);
  return asked !== undefined && /\b(?:pending|latest|safe|finalized)\b/.test(asked) ? asked : undefined;
}

/** Returns whether `pending` is ahead by measurement or entry. Documentation of the chain alone does not count. */
function isAhead(endpoint: Endpoint, context: ObservationContext, method?: string): boolean {
  const { kind, source } = cadenceAt(endpoint, context);
  if (kind !== "pre-confirmed" || source === "catalogue") return false;
  return method === undefined || context.run.routes.memoryOf(endpoint).probed?.notAhead.includes(method) !== true;
}

function cadenceAt(endpoint: Endpoint, { run, clock }: ObservationContext): Cadence {
  const memory = run.routes.memoryOf(endpoint);
  const chainId = endpoint.chainId ?? memory.probed?.chainId;
  return cadenceOf({ ...endpoint, chainId }, memory, clock.date());
}

/** Adds the state that answered to a report, after the requested block. */
function withState(report: Report, state: AnswerState): Report {
  const { head, ageMs, preconfirmed, after, apart } = state;
  const moved = after === undefined ? "" : `, ${grouped(after)} when the answer had come`;
  const age = ageMs === undefined ? "" : `, ${formatDuration(ageMs)} old`;
  const added: readonly Fact[] = [
    ...(preconfirmed ? [{ name: "state", value: "pre-confirmed" }] : []),
    { name: "head", value: `${grouped(head)}${age}${moved}` },
    ...(apart === undefined
      ? []
      : [{ name: "nodes", value: `several, whose heads are ${plural(apart, "block")} apart` }]),
  ];
  const at = report.facts.findIndex(({ name }) => name === "block" || name === "blocks") + 1;
  return { ...report, facts: [...report.facts.slice(0, at), ...added, ...report.facts.slice(at)] };
}

/** Returns the same as JSON. */
function stateJson(state: AnswerState): JsonObject {
  const { asked, head, ageMs, preconfirmed, after, apart } = state;
  return {
    state: {
      asked,
      head: toQuantity(head),
      ...(ageMs !== undefined && { ageMs }),
      preconfirmed,
      ...(after !== undefined && { after: toQuantity(after) }),
      ...(apart !== undefined && { apart: toQuantity(apart) }),
    },
  };
}

/** Whether the head is asked for in a message of its own: a lone request, or a full batch, leaves as it is written. */
function isSentApart(cells: readonly Cell[]): boolean {
  const count = cells.reduce((sum, { requests }) => sum + requests.length, 0);
  return count === 1 || count >= defaultBatch.items;
}
