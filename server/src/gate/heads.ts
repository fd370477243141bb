import { untilAborted } from "../base/deadline.ts";
import { toQuantity } from "../base/hex.ts";
import type { Clock } from "../base/ports.ts";
import type { Cell } from "../notebook/cell.ts";
import { explain } from "../rpc/explain.ts";
import { type AskAll, blockFacts, findBlock, findHead } from "../rpc/head.ts";
import { type Outcome, resultOf, seemsUnserved } from "../rpc/outcome.ts";
import type { SubscriptionEvent } from "../rpc/subscriptionEvents.ts";
import { ownRequest } from "../rpc/wire.ts";
import type { BackgroundClient } from "./backgroundClient.ts";
import type { EndpointQueue } from "./endpointQueue.ts";
import type { UnsentReason } from "./unsentReason.ts";

/** Returns the number of the block that a tag names, read once in a run: all cells count from the same block. */
export function headOnce(queue: EndpointQueue, cell: Cell, tag: string): Promise<bigint | UnsentReason> {
  const head = queue.heads.get(tag) ?? headNow(queue, cell, tag);
  queue.heads.set(tag, head);
  return head;
}

/** Returns the number of the block that a tag names now. */
export async function headNow(queue: EndpointQueue, cell: Cell, tag: string): Promise<bigint | UnsentReason> {
  const { memory, routes } = queue;
  const { endpoint } = queue.resolved;
  const ask = askerOf(queue, cell);
  const { facts, outcome } = await (tag === "latest" ? findHead(ask, memory) : findBlock(ask, memory, tag));
  if (facts && tag === "latest") routes.onHead(endpoint, facts.number);
  if (facts) return facts.number;
  if (outcome && outcome.kind !== "answered" && !seemsUnserved(outcome))
    return { kind: "unknown-head", tag, because: explain(outcome, "eth_blockNumber") };
  const why = outcome?.kind === "answered" ? "sent no number" : "has no method that returns its number";
  return {
    kind: "unknown-head",
    tag,
    because: { what: `${endpoint.host} ${why}.`, todo: "Write the number of the block." },
  };
}

/** Returns `undefined` if the endpoint has no such block, or does not send its hash. */
export async function hashAt(queue: EndpointQueue, cell: Cell, block: bigint): Promise<string | undefined> {
  const { facts } = await findBlock(askerOf(queue, cell), queue.memory, toQuantity(block));
  return facts?.number === block ? facts.hash : undefined;
}

function askerOf(queue: EndpointQueue, cell: Cell): AskAll {
  return (questions) =>
    Promise.all(questions.map(({ method, params }) => queue.addOne(cell, ownRequest(method, params))));
}

/**
 * Returns the number of the newest block from the outcome of the question for it. If the endpoint does not serve that
 * method, asks others once, and remembers which one works.
 */
export async function headFrom(
  outcome: Outcome | undefined,
  client: BackgroundClient,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  const facts = blockFacts(resultOf(outcome));
  if (facts || !seemsUnserved(outcome)) return facts?.number;
  return (await findHead((questions) => client.ask(questions, signal), client.memory)).facts?.number;
}

/** Subscriptions for pre-confirmed state and for sealed blocks, the best first. */
const kinds = { preconfirmed: ["newFlashblocks", "newHeads"], sealed: ["newHeads"] } as const;
/** Milliseconds without a notification after which the head is asked for. */
const maxSilenceMs = 1000;
/** Milliseconds for which a subscription may stay silent after a new head was seen. */
const graceMs = 500;

/**
 * Tells when there may be something new at an endpoint, by a subscription instead of a timer, until a signal aborts.
 *
 * It subscribes to flashblocks, or to new heads if the endpoint does not serve those. If it serves neither, or cannot be
 * reached, no tick comes. It subscribes again when the endpoint turns out to be of another kind.
 */
export class HeadTicker {
  readonly #client: BackgroundClient;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  /** Aborts when the endpoint turns out to be of another kind. */
  #kindChange = new AbortController();
  #isPreconfirmed: boolean | undefined;
  /** The kind of subscription that the endpoint has accepted. */
  #subscribed: string | undefined;
  #isComplete = false;
  #silent: string | undefined;
  #notifiedAt: number | undefined;
  #lastHead: bigint | undefined;
  /** When a new head was seen by asking that no notification has followed yet. */
  #missedSince: number | undefined;
  /** A tick came while `next` was not waiting. */
  #hasTick = false;
  #wake: () => void = () => {};

  constructor(client: BackgroundClient, clock: Clock, signal: AbortSignal) {
    this.#client = client;
    this.#clock = clock;
    this.#signal = signal;
    this.#subscribeToKind();
  }

  /** The subscription reports everything that is new, so that silence means that nothing is. */
  get isComplete(): boolean {
    return this.#isComplete;
  }
  /** The kind of subscription that is no longer trusted: it stayed silent while blocks came. */
  get silent(): string | undefined {
    return this.#silent;
  }
  /** Milliseconds without a tick, after which to ask anyway. */
  get maxSilenceMs(): number {
    return this.#missedSince === undefined ? maxSilenceMs : graceMs;
  }
  /** Waits for a tick that came since the last call, and at most so many milliseconds. */
  async next(maxMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#hasTick && maxMs > 0 && !signal.aborted) {
      const ticked = new AbortController();
      this.#wake = () => ticked.abort();
      // not AbortSignal.any: in Node 20 the signal, which lasts as long as the watches, would keep a reference each time
      await untilAborted(this.#clock.sleep(maxMs, ticked.signal), signal);
      ticked.abort();
    }
    this.#hasTick = false;
  }
  /** Notes a head that was seen by asking. Silence of the subscription meanwhile counts against it. */
  onHead(head: bigint | undefined): void {
    this.#subscribeToKind();
    if (head === undefined) return;
    const isNew = this.#lastHead !== undefined && head > this.#lastHead;
    this.#lastHead = head;
    const [since, now] = [this.#missedSince, this.#clock.now()];
    if (since === undefined && isNew) this.#missedSince = now;
    if (this.#subscribed !== undefined && since !== undefined && now - since >= graceMs)
      [this.#isComplete, this.#silent] = [false, this.#subscribed];
  }

  /** Subscribes to what the endpoint serves by its kind, unless that is so already. */
  #subscribeToKind(): void {
    const isPreconfirmed = this.#client.cadence().kind === "pre-confirmed";
    if (isPreconfirmed === this.#isPreconfirmed || this.#signal.aborted) return;
    this.#kindChange.abort();
    this.#kindChange = new AbortController();
    [this.#isPreconfirmed, this.#isComplete, this.#silent] = [isPreconfirmed, false, undefined];
    void this.#followFirst(isPreconfirmed, AbortSignal.any([this.#signal, this.#kindChange.signal]));
  }
  /** Follows the first subscription that the endpoint does not refuse. */
  async #followFirst(isPreconfirmed: boolean, signal: AbortSignal): Promise<void> {
    for (const kind of kinds[isPreconfirmed ? "preconfirmed" : "sealed"])
      if (signal.aborted || !(await this.#follow(kind, !isPreconfirmed || kind === "newFlashblocks", signal))) return;
  }
  /**
   * @param reportsAll - It reports everything that is new. Of others, some servers send a head with every flashblock, and
   *   some with every block only.
   * @returns Whether the endpoint refused the subscription.
   */
  async #follow(kind: string, reportsAll: boolean, signal: AbortSignal): Promise<boolean> {
    const subscription = this.#client.subscribe?.([kind], signal);
    if (!subscription) return false;
    let isRefused = false;
    this.#notifiedAt = undefined;
    for (let events = await subscription.next(); events.length > 0; events = await subscription.next()) {
      if (signal.aborted) return false;
      for (const event of events) {
        this.#take(event, kind, reportsAll);
        isRefused ||= event.kind === "end" && event.outcome.kind === "refused";
      }
      this.#hasTick = true;
      this.#wake();
    }
    [this.#isComplete, this.#subscribed] = [false, undefined];
    return isRefused;
  }
  #take({ kind: what }: SubscriptionEvent, kind: string, reportsAll: boolean): void {
    if (what === "open" || what === "back") {
      [this.#isComplete, this.#subscribed, this.#missedSince] = [reportsAll, kind, undefined];
    } else if (what === "lost" || what === "end") {
      [this.#isComplete, this.#subscribed] = [false, undefined];
    } else if (what === "row") {
      const [now, before = Number.NEGATIVE_INFINITY] = [this.#clock.now(), this.#notifiedAt];
      this.#isComplete = reportsAll || now - before <= 2 * this.#client.cadence().periodMs;
      [this.#notifiedAt, this.#silent, this.#missedSince] = [now, undefined, undefined];
    }
  }
}
