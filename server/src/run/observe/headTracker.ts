import { withinTime } from "../../base/deadline.ts";
import type { JsonValue } from "../../base/json.ts";
import { isArray } from "../../base/json.ts";
import type { Moment } from "../../base/ports.ts";
import { methodNamed } from "../../catalog/catalog.ts";
import type { MethodSpec } from "../../catalog/spec.ts";
import type { Endpoint } from "../../endpoints/resolveEndpoint.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Cell } from "../../notebook/cell.ts";
import { type AnswerState, stateJson, withState } from "../../report/answerState.ts";
import { requestedBlock, takesBlock } from "../../report/facts.ts";
import { type Cadence, cadenceOf, noteAhead, recordHead } from "../../rpc/cadence.ts";
import { type AskAll, blockFacts, findBlock } from "../../rpc/head.ts";
import { type Outcome, resultOf } from "../../rpc/outcome.ts";
import type { EndpointMemory } from "../../rpc/send.ts";
import { defaultBatch, ownRequest } from "../../rpc/wire.ts";
import { pollWindowOf } from "../prepare/expectations.ts";
import {
  type Addition,
  maxFactsMs,
  type Observation,
  type ObservationContext,
  type ShownAnswer,
} from "./observation.ts";
import { SeenHeads } from "./seenHeads.ts";

/** The lowest rate at which the head is read, in requests a second. */
const minRate = 10;
/** Milliseconds after which the head may be another one. */
const longMs = 1000;

/** The newest block, before and after it was read. */
interface Head {
  readonly read: Promise<void>;
  /** Started by the first answer that came before it. */
  wait?: Promise<void>;
  ended: boolean;
  block?: { readonly number: bigint; readonly timeMs: number | undefined; readonly readAt: Moment } | undefined;
}

/** The heads of one endpoint in a run. */
interface EndpointHeads {
  readonly endpoint: Endpoint;
  readonly memory: EndpointMemory;
  /** Those in answers. */
  readonly seen: SeenHeads;
  /** Read with the first requests. */
  first?: Head;
  /** Read last, after a slow answer. */
  later?: Head;
}

/**
 * Tracks the states that answer the cells of a run. The head of an endpoint is read once, with the first requests,
 * and again after answers that come much later.
 */
export class HeadTracker implements Observation<AnswerState> {
  readonly #context: ObservationContext;
  /** The head is read in a message of its own. */
  readonly #apart: boolean;
  readonly #heads = new Map<Endpoint, EndpointHeads>();
  /** Those of all cells without directives. */
  #plainHeads: EndpointHeads | undefined;
  /** Heads read after the answers of a cell. */
  readonly #afterwards = new Map<Cell, Head>();
  /** The last method: most cells of a large run have the same. */
  #last = { method: "", tells: true };
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
    const heads = this.#headsOf(cell);
    if (!heads || heads.first || (heads.endpoint.rate ?? minRate) < minRate) return;
    if (pollWindowOf(cell) || !asksByTag(requests)) return; // with `within` it is asked again, at one head after the other
    // in doubt if a report would call `pending` pre-confirmed because of measurements before this run
    const asksPending = requests.some((request) => requestedTag(request)?.includes("pending"));
    const isInDoubt = asksPending && heads.endpoint.preconfirmed === undefined && this.#isAhead(heads);
    heads.first = this.#read(cell, heads, isInDoubt);
  }
  /**
   * Returns the wait for the head if these answers came before it, or for a newer head if they came much later.
   * The answers may contain heads themselves.
   */
  answered(cell: Cell, requests: readonly EvaluatedRequest[], outcomes: readonly Outcome[]): Promise<void> | undefined {
    const isTold = requests.length !== 1 || this.#tells(requests[0]);
    if (isTold) this.#note(this.#headsOf(cell), requests, outcomes);
    const shown = isTold ? pendingBlock(requests, outcomes) : undefined;
    if (shown === undefined && this.#open === 0 && this.#context.clock.now() < this.#freshUntil) return undefined;
    const heads = this.#headsOf(cell);
    const head = heads?.first;
    if (!heads || !head) return undefined;
    if (shown !== undefined) return this.#confirm(cell, heads, head, shown);
    if (pollWindowOf(cell) || !asksByTag(requests)) return undefined;
    if (head.ended) return this.#again(cell, heads, head);
    return this.#inTime(head); // one wait for all cells of an endpoint
  }
  /** Returns `undefined` if the request has no block tag, or the head did not arrive in time. */
  of(cell: Cell, request: AskedRequest): AnswerState | undefined {
    const asked = requestedTag(request);
    const heads = asked === undefined ? undefined : this.#headsOf(cell);
    if (asked === undefined || !heads?.first?.block) return undefined;
    const { number, timeMs, readAt } = heads.first.block;
    const ageMs = timeMs === undefined ? undefined : Math.max(0, readAt.date - timeMs);
    const preconfirmed = asked.includes("pending") && this.#isAhead(heads, request.method);
    const now = this.#afterwards.get(cell)?.block?.number;
    const newest = now !== undefined && now > number ? now : number;
    const { kind, pending } = this.#cadenceOf(heads);
    const isSealed = pending === "same" || (kind !== "pre-confirmed" && !showsTransactions.has(request.method));
    const sealed = asked.includes("pending") && !isSealed ? newest : undefined;
    const apart = heads.seen.apart ?? heads.memory.probed?.apart;
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

  /** Whether the answer to a request can show a head, or its block can be moved by it. */
  #tells(request: EvaluatedRequest | undefined): boolean {
    const method = request?.method ?? "";
    if (method !== this.#last.method)
      this.#last = { method, tells: SeenHeads.reads(method) || showsTransactions.has(method) };
    return this.#last.tells;
  }
  #headsOf(cell: Cell): EndpointHeads | undefined {
    const isPlain = cell.directives.size === 0;
    if (isPlain && this.#plainHeads) return this.#plainHeads;
    const endpoint = this.#context.endpointOf(cell);
    if (!endpoint) return undefined;
    const known = this.#heads.get(endpoint);
    const heads = known ?? { endpoint, memory: this.#context.run.routes.memoryOf(endpoint), seen: new SeenHeads() };
    this.#heads.set(endpoint, heads);
    if (isPlain) this.#plainHeads = heads;
    return heads;
  }
  /**
   * Learns whether an answer about `pending` was of a block that is not sealed: then `pending` is ahead. The head is read
   * again, since the block may have been sealed between the two answers.
   */
  async #confirm(cell: Cell, heads: EndpointHeads, head: Head, shown: bigint): Promise<void> {
    await this.#inTime(head);
    if (!head.block || shown <= head.block.number) return;
    const again = this.#readAgain(cell, heads);
    void again.read.then(() => noteShown(heads.memory, shown, again.block));
    await this.#inTime(again);
  }
  #note(heads: EndpointHeads | undefined, requests: readonly AskedRequest[], outcomes: readonly Outcome[]): void {
    for (const [at, outcome] of outcomes.entries()) {
      const request = requests[at];
      if (request) heads?.seen.note(request.method, request.params, outcome, heads.memory.blockMs);
    }
  }
  /** @param withPending - Also checks whether `pending` is a later block. */
  #read(cell: Cell, heads: EndpointHeads, withPending = false): Head {
    const { clock, asker, run } = this.#context;
    const { endpoint, memory } = heads;
    let readDate: number | undefined;
    const ask: AskAll = (questions) =>
      Promise.all(
        questions.map(async ({ method, params }) => {
          const outcome = await asker.ask(cell, ownRequest(method, params), this.#apart);
          readDate ??= outcome.exchange.endedAt;
          this.#note(heads, [{ method, params }], [outcome]);
          return outcome;
        }),
      );
    const read = async (): Promise<void> => {
      const tags = withPending ? ["latest", "pending"] : ["latest"];
      const [latest, pending] = await Promise.all(tags.map((tag) => findBlock(ask, memory, tag)));
      this.#open--;
      head.ended = true;
      if (!latest?.facts) return;
      const { number, timeMs } = latest.facts;
      const readAt = { date: readDate ?? clock.date(), now: clock.now() };
      head.block = { number, timeMs, readAt };
      recordHead(memory, number, readAt.now);
      run.routes.onHead(endpoint, number);
      this.#freshUntil = Math.min(this.#freshUntil, readAt.now + longMs);
      if (pending?.facts) noteSealed(memory, pending.facts.number, head.block);
    };
    this.#open++;
    const head: Head = { ended: false, read: read() };
    return head;
  }
  #readAgain(cell: Cell, heads: EndpointHeads): Head {
    const head = this.#read(cell, heads);
    heads.later = head;
    this.#afterwards.set(cell, head);
    return head;
  }
  #again(cell: Cell, heads: EndpointHeads, { block }: Head): Promise<void> | undefined {
    const { signal, clock } = this.#context;
    if (!block || signal.aborted || clock.now() - block.readAt.now < longMs) return undefined;
    const running = heads.later?.ended === false ? heads.later : undefined;
    if (running) this.#afterwards.set(cell, running);
    return this.#inTime(running ?? this.#readAgain(cell, heads));
  }
  /** Returns one wait for all callers. */
  #inTime(head: Head): Promise<void> {
    head.wait ??= withinTime(head.read, maxFactsMs, this.#context.clock, this.#context.signal);
    return head.wait;
  }
  /** Returns whether `pending` is ahead by measurement or entry. Documentation of the chain alone does not count. */
  #isAhead(heads: EndpointHeads, method?: string): boolean {
    const { kind, source } = this.#cadenceOf(heads);
    if (kind !== "pre-confirmed" || source === "catalogue") return false;
    return method === undefined || heads.memory.probed?.notAhead.includes(method) !== true;
  }
  #cadenceOf({ endpoint, memory }: EndpointHeads): Cadence {
    return cadenceOf(endpoint, memory, this.#context.clock.date());
  }
}

function asksByTag(requests: readonly EvaluatedRequest[]): boolean {
  return requests.some((request) => requestedTag(request) !== undefined);
}

/** Records that `pending` was no later block, if it was none: it is not pre-confirmed state. */
function noteSealed(memory: EndpointMemory, pending: bigint, { number, readAt }: NonNullable<Head["block"]>): void {
  if (pending > number) return;
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
  for (const [at, outcome] of outcomes.entries()) {
    const [request, result] = [requests[at], resultOf(outcome)];
    if (!request || !showsTransactions.has(request.method) || !isArray(result)) continue;
    const newest = requestedTag(request)?.includes("pending") ? blockFacts(result.slice(-1)) : undefined;
    if (newest) return newest.number;
  }
  return undefined;
}

/** Methods that show transactions with their outcome. */
const showsTransactions: ReadonlySet<string> = new Set(["eth_getLogs", "eth_getBlockReceipts"]);

/** The parts of a request that show which block it is about. */
interface AskedRequest {
  readonly method: string;
  readonly spec?: MethodSpec | undefined;
  readonly params: JsonValue | undefined;
}

/** Returns the blocks that a request is about, if it names them by a tag. */
function requestedTag({ method, spec = methodNamed(method), params }: AskedRequest): string | undefined {
  const asked = requestedBlock(spec, params ?? []);
  return asked !== undefined && /\b(?:pending|latest|safe|finalized)\b/.test(asked) ? asked : undefined;
}

/** Whether the head is asked for in a message of its own: a lone request, or a full batch, leaves as it is written. */
function isSentApart(cells: readonly Cell[]): boolean {
  const count = cells.reduce((sum, { requests }) => sum + requests.length, 0);
  return count === 1 || count >= defaultBatch.items;
}
