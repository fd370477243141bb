import type { Clock, HttpResponse, Transport, TransportFault } from "../base/ports.ts";
import { plural } from "../base/text.ts";
import { allowed, batchFallbackFor, isUnderstood, smallerThan } from "./batchFallback.ts";
import type { CadenceMemory } from "./cadence.ts";
import type { HeadMemory } from "./head.ts";
import type { Limiter } from "./limiter.ts";
import { openLimiter } from "./limiter.ts";
import type { LogMemory } from "./logMemory.ts";
import type { Exchange, Outcome } from "./outcome.ts";
import type { ParsedResponse } from "./parseResponse.ts";
import { parseResponse } from "./parseResponse.ts";
import { noticeable, type RateDelay, type RateLimiter, reserveSlot, waitForRate } from "./rateLimiter.ts";
import type { Retry, RetryPolicy } from "./retry.ts";
import { defaultRetry, isTemporary, waitBefore } from "./retry.ts";
import type { BatchLimits, RawRequest } from "./wire.ts";
import { bodyOf, defaultBatch, messages } from "./wire.ts";

/** Where requests go. */
export interface Target {
  readonly name: string;
  readonly url: string;
  /** Host and port. */
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What was learned of an endpoint by sending to it. The caller keeps one an endpoint; who sends writes into it. */
export interface EndpointMemory extends CadenceMemory, HeadMemory {
  /** How many requests a batch may hold, where it turned out to be fewer than asked for; `false` where it takes none. */
  batch?: number | false;
  logs?: LogMemory;
  pace?: RateLimiter;
  /** Bounds how many messages are under way, of all runs together. */
  lane?: Limiter;
  /** It refused `eth_getBlockReceipts`. */
  refusesReceipts?: boolean;
  /** Number of the newest block that was read. */
  head?: bigint;
  probed?: Probed;
}

/** What a probe measured of an endpoint; `undefined` where that could not be told. */
export interface Probed {
  readonly chainId: bigint | undefined;
  /** Methods whose `pending` is ahead of their `latest`. */
  readonly ahead: readonly string[];
  /** Methods whose `pending` is not, or is refused. */
  readonly notAhead: readonly string[];
  /** Greatest toBlock − fromBlock that it takes in `eth_getLogs`. */
  readonly logRange: bigint | undefined;
  /** Methods that it refuses. */
  readonly refuses: readonly string[];
  /** Blocks between heads that it showed; `undefined` where it showed one. */
  readonly apart?: bigint | undefined;
  /** It takes subscriptions, by its WebSocket or at its own address by that scheme. */
  readonly subscribes: boolean | undefined;
}

export interface SendOptions {
  /** Milliseconds for one exchange. */
  readonly timeoutMs: number;
  /** Bytes of one body. */
  readonly maxBytes: number;
  /**
   * Whether the requests may be sent twice: they only read or simulate. Else nothing is ever repeated, and they
   * travel one after the other.
   */
  readonly idempotent: boolean;
  /** Requests in one body, as the endpoint is configured; default {@link defaultBatch}. */
  readonly batch?: number | false | undefined;
  /** Requests a second at most. */
  readonly rate?: number | undefined;
  /** Bounds how many bodies are under way at once; by default 8 of this call. */
  readonly lane?: Limiter;
  readonly retry?: RetryPolicy;
  readonly clock: Clock;
  readonly memory: EndpointMemory;
  /** Before each wait. */
  readonly onRetry?: (retry: Retry) => void;
  /** A message waits for its turn: why, in a sentence; how long, where that is known; and the requests in it. */
  readonly onHoldup?: (what: string, waitMs: number | undefined, indices: readonly number[]) => void;
  /** As soon as an outcome is final, in whatever order they come. */
  readonly onOutcome?: ((index: number, outcome: Outcome) => void) | undefined;
}

/**
 * Sends requests and says what became of each. Never rejects. Requests travel as batches where the endpoint takes
 * them; a batch that is refused as a batch is sent again in smaller ones or singly, and the endpoint's memory keeps
 * that. What failed for a moment is sent again after a wait.
 *
 * @returns One outcome a request, in order.
 */
export async function send(
  transport: Transport,
  target: Target,
  requests: readonly RawRequest[],
  options: SendOptions,
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  // Two transactions sent at once may arrive in either order.
  const lane = options.idempotent ? (options.lane ?? openLimiter(defaultWidth)) : openLimiter(1);
  options.memory.pace ??= { heldUntil: 0, usedUntil: 0 };
  const { pace } = options.memory;
  const trip: SendContext = { transport, target, requests, options, signal, lane, pace, outcomes: [], attempts: [] };
  await deliver(
    trip,
    requests.map((_, index) => index),
  );
  return trip.outcomes;
}

const defaultWidth = 8;

/** One call of {@link send}. Requests go by their index in it. */
interface SendContext {
  readonly transport: Transport;
  readonly target: Target;
  readonly requests: readonly RawRequest[];
  readonly options: SendOptions;
  readonly signal: AbortSignal;
  readonly lane: Limiter;
  readonly pace: RateLimiter;
  readonly outcomes: Outcome[];
  /** How often each request was sent. */
  readonly attempts: number[];
}

async function deliver(trip: SendContext, indices: readonly number[]): Promise<void> {
  const dealt = messages(requestsAt(trip, indices), limitsOf(trip.options));
  await Promise.all(dealt.map((message) => deliverMessage(trip, pick(indices, message))));
}

/** Sends one message until the outcome of every request in it is final. */
async function deliverMessage(trip: SendContext, message: readonly number[]): Promise<void> {
  const { idempotent, clock, rate, retry = defaultRetry, onRetry, onHoldup } = trip.options;
  let pending = message;
  for (let attempt = 1; ; attempt++) {
    const sent = pending;
    const placed = tellIfNoPlace(trip, sent);
    const reading = await trip.lane.run(async () => {
      placed?.();
      await reserveSlot(trip.pace, sent.length, rate, clock, trip.signal, (holdup, waitMs) =>
        onHoldup?.(holdupText(holdup, trip), waitMs, sent),
      );
      return isTooLong(sent, trip.options) ? undefined : exchange(trip, sent);
    }, trip.signal);
    if (!reading) return deliver(trip, sent); // the endpoint turned out to take fewer while this one waited
    if (idempotent && (await sendFallback(trip, sent, reading))) return;

    const again = idempotent ? reading.outcomes.filter(isTemporary) : [];
    const wait = again.length > 0 ? waitBefore(again, attempt, retry, clock.date(), Math.random()) : undefined;
    const repeated = new Set(wait === undefined || trip.signal.aborted ? [] : again);
    pending = settleBut(repeated, trip, sent, reading);
    const [first] = again;
    if (pending.length === 0 || wait === undefined || !first) return;
    onRetry?.({ reason: reasonToWait(first), waitMs: wait, attempt, indices: pending });
    waitForRate(trip.pace, clock.now() + wait);
    await clock.sleep(wait, trip.signal);
  }
}

/**
 * Says so when a message has found no place among those under way for a while.
 *
 * @returns What is to be called when it has one; `undefined` where it has one now.
 */
function tellIfNoPlace({ lane, options, target }: SendContext, sent: readonly number[]): (() => void) | undefined {
  const { clock, onHoldup } = options;
  if (!lane.isFull || !onHoldup) return undefined;
  const placed = new AbortController();
  void clock.sleep(noticeable, placed.signal).then(() => {
    if (placed.signal.aborted) return;
    const others = lane.width === 1 ? "another message" : `${lane.width} other messages`;
    onHoldup(`${target.host} has ${others} to answer first.`, undefined, sent);
  });
  return () => placed.abort();
}

async function exchange(trip: SendContext, sent: readonly number[]): Promise<ParsedResponse> {
  const { transport, target, options, signal } = trip;
  const requests = requestsAt(trip, sent);
  for (const index of sent) trip.attempts[index] = (trip.attempts[index] ?? 0) + 1;
  const { clock } = options;
  const [startedAt, begunAt] = [clock.date(), clock.now()];
  const reply = signal.aborted
    ? ({ kind: "fault", reason: "cancelled", detail: "", sent: false } satisfies TransportFault)
    : await transport.post(
        {
          url: target.url,
          headers: target.headers,
          body: bodyOf(requests),
          timeoutMs: options.timeoutMs,
          maxBytes: options.maxBytes,
          repeatable: options.idempotent,
        },
        signal,
      );
  const exchanges = exchangesOf(trip, sent, reply, startedAt, clock.now() - begunAt);
  const reading = parseResponse(reply, requests, exchanges, options);
  const mayHaveLeft = reply.kind === "response" || reply.sent !== false;
  return options.idempotent || !mayHaveLeft
    ? reading
    : { ...reading, outcomes: reading.outcomes.map((outcome) => (isKnown(outcome) ? outcome : uncertain(outcome))) };
}

/** An answer tells what became of the request. A gateway that gave up on it, or an answer that broke off, does not. */
function isKnown(outcome: Outcome): boolean {
  if (outcome.kind === "unreachable") return false;
  if (outcome.kind === "answered") return true;
  const { reason, code, exchange } = outcome;
  const byGateway = code === undefined && ((exchange.status ?? 0) >= 500 || exchange.status === 408);
  return reason !== "timeout" && !byGateway;
}

function uncertain(outcome: Outcome): Outcome {
  return { ...outcome, exchange: { ...outcome.exchange, uncertain: true } };
}

/** One a request. A loop without a spread: there may be a thousand. */
function exchangesOf(
  { requests, target, attempts }: SendContext,
  sent: readonly number[],
  reply: HttpResponse | TransportFault,
  startedAt: number,
  durationMs: number,
): readonly Exchange[] {
  const headers = reply.kind === "response" ? reply.headers : {};
  const bytes = reply.kind === "response" ? reply.bytes : 0;
  const exchanges: Exchange[] = [];
  for (const index of sent) {
    const request = requests[index];
    exchanges.push({
      id: request?.id ?? null,
      endpoint: target.name,
      host: target.host,
      request: request?.text ?? "",
      status: reply.status,
      headers,
      startedAt,
      durationMs,
      bytes,
      batch: sent.length,
      attempts: attempts[index] ?? 1,
    });
  }
  return exchanges;
}

/** @returns The requests whose outcomes are not final. */
function settleBut(
  repeated: ReadonlySet<Outcome>,
  trip: SendContext,
  sent: readonly number[],
  reading: ParsedResponse,
): readonly number[] {
  const open: number[] = [];
  for (let at = 0; at < sent.length; at++) {
    const outcome = outcomeAt(reading, at);
    const index = sent[at] ?? 0;
    if (repeated.size > 0 && repeated.has(outcome)) open.push(index);
    else settle(trip, index, outcome);
  }
  return open;
}

/**
 * Finds another way for a batch that failed as a batch.
 *
 * @returns Whether all its requests are settled that way.
 */
async function sendFallback(trip: SendContext, sent: readonly number[], reading: ParsedResponse): Promise<boolean> {
  const [failure] = reading.outcomes;
  if (sent.length < 2 || !failure) return false;
  if (!reading.whole) return deliverCrowded(trip, sent, reading);
  switch (batchFallbackFor(failure)) {
    case "halves": {
      const middle = Math.ceil(sent.length / 2);
      await Promise.all([deliverMessage(trip, sent.slice(0, middle)), deliverMessage(trip, sent.slice(middle))]);
      return true;
    }
    case "smaller":
      trip.options.memory.batch = smallerThan(sent.length, failure, trip.options.memory.batch);
      await deliver(trip, sent);
      return true;
    case "by-method":
      return deliverByMethod(trip, sent);
    case "one-alone": {
      const [probe = 0, ...rest] = sent;
      await deliverMessage(trip, [probe]);
      if (isUnderstood(trip.outcomes[probe], failure)) {
        trip.options.memory.batch = false;
        await deliver(trip, rest);
      } else {
        const { method } = trip.requests[probe] ?? {};
        const others: number[] = [];
        for (const [at, index] of rest.entries()) {
          if (trip.requests[index]?.method !== method) others.push(index);
          else settle(trip, index, outcomeAt(reading, at + 1));
        }
        if (others.length > 0 && !(await deliverByMethod(trip, others))) await deliverMessage(trip, others);
      }
      return true;
    }
    case "none":
      return false;
  }
}

/**
 * One method may be what is refused: each goes in a message of its own.
 *
 * @returns Whether there are several.
 */
async function deliverByMethod(trip: SendContext, sent: readonly number[]): Promise<boolean> {
  const methods = new Set(sent.map((index) => trip.requests[index]?.method));
  if (methods.size < 2) return false;
  const of = (method: string | undefined) => sent.filter((index) => trip.requests[index]?.method === method);
  await Promise.all([...methods].map((method) => deliverMessage(trip, of(method))));
  return true;
}

/** Some of a batch were answered, and the others refused as too many: those go out anew, in smaller batches. */
async function deliverCrowded(
  trip: SendContext,
  sent: readonly number[],
  { outcomes }: ParsedResponse,
): Promise<boolean> {
  const refusal = outcomes.find((outcome) => outcome.kind === "refused" && outcome.reason === "batch-limit");
  if (!refusal) return false;
  const again: number[] = [];
  for (const [at, outcome] of outcomes.entries()) {
    const index = sent[at] ?? 0;
    const isCrowded = outcome.kind === "refused" && outcome.reason === "batch-limit";
    if (isCrowded || isTemporary(outcome)) again.push(index);
    else settle(trip, index, outcome);
  }
  trip.options.memory.batch = smallerThan(sent.length, refusal, trip.options.memory.batch);
  await deliver(trip, again);
  return true;
}

function limitsOf({ batch, rate, memory }: SendOptions): BatchLimits | false {
  // A body with more than the requests of one second would break the rate by itself.
  const items = Math.min(
    allowed(batch),
    allowed(memory.batch),
    Math.max(1, Math.floor(rate ?? Number.POSITIVE_INFINITY)),
  );
  return items < 2 ? false : { ...defaultBatch, items };
}

function isTooLong(sent: readonly number[], options: SendOptions): boolean {
  const limits = limitsOf(options);
  return sent.length > (limits === false ? 1 : limits.items);
}

function reasonToWait(outcome: Outcome): string {
  const { host, status } = outcome.exchange;
  if (outcome.kind === "unreachable") return `${host} closed the connection before it answered.`;
  if (outcome.kind === "refused" && outcome.reason === "rate-limit")
    return `${host} wants fewer requests (${status === 429 || outcome.code === undefined ? `HTTP ${status}` : `code ${outcome.code}`}).`;
  const isByCode = outcome.kind === "refused" && outcome.code !== undefined && status === 200;
  return `${host} is out of service for the moment (${isByCode ? `code ${outcome.code}` : `HTTP ${status}`}).`;
}

function holdupText(holdup: RateDelay, { target: { host }, options: { rate } }: SendContext): string {
  return holdup === "pause"
    ? `${host} has asked for a pause.`
    : `${host} gets ${plural(rate ?? 0, "request")} a second at most.`;
}

function settle(trip: SendContext, index: number, outcome: Outcome): void {
  trip.outcomes[index] = outcome;
  trip.options.onOutcome?.(index, outcome);
}

function outcomeAt(reading: ParsedResponse, at: number): Outcome {
  const outcome = reading.outcomes[at];
  if (!outcome) throw new RangeError(`No outcome was read for request ${at}.`); // readReply answers one a request
  return outcome;
}

function requestsAt(trip: SendContext, indices: readonly number[]): readonly RawRequest[] {
  return pick(trip.requests, indices);
}

/**
 * A loop: there may be a thousand in a message.
 *
 * @param indices - Going up; as many as there are stand for all.
 */
function pick<T>(all: readonly T[], indices: readonly number[]): readonly T[] {
  if (indices.length === all.length) return all;
  const picked: T[] = [];
  for (const index of indices) {
    const one = all[index];
    if (one !== undefined) picked.push(one);
  }
  return picked;
}
