import type { Clock, ExchangeTiming, HttpResponse, Transport, TransportFault } from "../base/ports.ts";
import { allowed, batchFallbackFor, isUnderstood, smallerThan } from "./batchFallback.ts";
import type { CadenceMemory } from "./cadence.ts";
import type { HeadMemory } from "./head.ts";
import { Limiter } from "./limiter.ts";
import type { LogMemory } from "./logMemory.ts";
import type { Exchange, Outcome } from "./outcome.ts";
import { notePace, noteSent } from "./pace.ts";
import type { ParsedResponse } from "./parseResponse.ts";
import { parseResponse } from "./parseResponse.ts";
import { delayText, noticeableMs, type RateLimiter, reasonToWait, reserveSlot, waitForRate } from "./rateLimiter.ts";
import type { Retry, RetryPolicy } from "./retry.ts";
import { defaultRetry, isTemporary, waitBefore } from "./retry.ts";
import type { BatchLimits, RawRequest } from "./wire.ts";
import { bodyOf, defaultBatch, messages } from "./wire.ts";

/** The address that requests are sent to. */
export interface Target {
  readonly name: string;
  readonly url: string;
  /** Host and port. */
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Id of the recording that answers first. */
  readonly replay?: string | undefined;
}

/** Facts about an endpoint that were learnt by sending to it. The caller keeps one for each endpoint; {@link send} writes into it. */
export interface EndpointMemory extends CadenceMemory, HeadMemory {
  /** Requests that a batch may hold, if the endpoint refused more; `false` if it refuses batches. */
  batch?: number | false;
  logs?: LogMemory;
  rateLimiter?: RateLimiter;
  /** Limits the messages in flight, of all runs together. */
  limiter?: Limiter;
  /** It refused `eth_getBlockReceipts`. */
  refusesReceipts?: boolean;
  /** It refused `debug_traceTransaction`. */
  refusesTrace?: boolean;
  /** Number of the newest block that was read. */
  head?: bigint;
  probed?: Probed;
}

/** Results of a probe; `undefined` if it could not measure that. */
export interface Probed {
  readonly chainId: bigint | undefined;
  /** Methods whose `pending` is ahead of their `latest`. */
  readonly ahead: readonly string[];
  /** Methods whose `pending` is not, or is refused. */
  readonly notAhead: readonly string[];
  /** The largest toBlock − fromBlock that `eth_getLogs` accepts. */
  readonly logRange: bigint | undefined;
  /** Methods that it refuses. */
  readonly refuses: readonly string[];
  /** Blocks between different heads that it showed at once; `undefined` if it showed only one. */
  readonly apart?: bigint | undefined;
  /** It accepts subscriptions, at its WebSocket address or at its own. */
  readonly subscribes: boolean | undefined;
}

export interface SendOptions {
  /** Milliseconds for one exchange. */
  readonly timeoutMs: number;
  /** Bytes of one body. */
  readonly maxBytes: number;
  /**
   * Whether the requests may be sent twice: they only read or simulate. Otherwise nothing is ever repeated, and they
   * are sent one after the other.
   */
  readonly idempotent: boolean;
  /** Requests in one body, as the endpoint is configured; default {@link defaultBatch}. */
  readonly batch?: number | false | undefined;
  /** The largest number of requests a second. */
  readonly rate?: number | undefined;
  /** Limits the bodies in flight; by default 8 for this call. */
  readonly limiter?: Limiter;
  readonly retry?: RetryPolicy;
  readonly clock: Clock;
  readonly memory: EndpointMemory;
  /** Called before each wait. */
  readonly onRetry?: (retry: Retry) => void;
  /** Called when a message has to wait: why, in a sentence; how long, if that is known; and the requests in it. */
  readonly onDelay?: (what: string, waitMs: number | undefined, indices: readonly number[]) => void;
  /** Called as soon as an outcome is final, in any order. */
  readonly onOutcome?: ((index: number, outcome: Outcome) => void) | undefined;
}

/**
 * Sends requests and returns their outcomes. Never rejects. Requests are sent as batches if the endpoint accepts them. A
 * batch that is refused as a batch is sent again in smaller ones or one by one, and the endpoint's memory keeps that.
 * Requests that failed temporarily are sent again after a wait.
 *
 * @returns One outcome for each request, in order.
 */
export async function send(
  transport: Transport,
  target: Target,
  requests: readonly RawRequest[],
  options: SendOptions,
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  // Two transactions sent at once may arrive in either order.
  const limiter = options.idempotent ? (options.limiter ?? new Limiter(maxParallel)) : new Limiter(1);
  options.memory.rateLimiter ??= { heldUntil: 0, usedUntil: 0 };
  const { rateLimiter } = options.memory;
  const context: SendContext = {
    transport,
    target,
    requests,
    options,
    signal,
    limiter,
    rateLimiter,
    outcomes: [],
    attempts: [],
  };
  await deliver(
    context,
    requests.map((_, index) => index),
  );
  return context.outcomes;
}

const maxParallel = 8;

/** One call of {@link send}. Requests are identified by their index in it. */
interface SendContext {
  readonly transport: Transport;
  readonly target: Target;
  readonly requests: readonly RawRequest[];
  readonly options: SendOptions;
  readonly signal: AbortSignal;
  readonly limiter: Limiter;
  readonly rateLimiter: RateLimiter;
  readonly outcomes: Outcome[];
  /** How often each request has been sent. */
  readonly attempts: number[];
}

/** @param attempt - Of the messages, from 1. */
async function deliver(context: SendContext, indices: readonly number[], attempt = 1): Promise<void> {
  const groups = messages(requestsAt(context, indices), limitsOf(context.options));
  await Promise.all(groups.map((message) => deliverMessage(context, pick(indices, message), attempt)));
}

/** Sends one message until the outcome of every request in it is final. */
async function deliverMessage(context: SendContext, sent: readonly number[], attempt = 1): Promise<void> {
  const { idempotent, clock, rate, retry = defaultRetry, onRetry, onDelay } = context.options;
  const { rateLimiter, target, signal } = context;
  const hasSlot = tellIfFull(context, sent);
  const parsed = await context.limiter.run(async () => {
    hasSlot?.();
    await reserveSlot(rateLimiter, sent.length, rate, clock, signal, (delay, waitMs) =>
      onDelay?.(delayText(delay, target.host, rate, rateLimiter.pace), waitMs, sent),
    );
    return isTooLong(sent, context.options) ? undefined : exchange(context, sent);
  }, signal);
  if (!parsed) return deliver(context, sent, attempt); // the limit became smaller while this message waited
  if (idempotent && (await sendFallback(context, sent, parsed))) return;

  const again = idempotent ? parsed.outcomes.filter(isTemporary) : [];
  const wait = again.length > 0 ? waitBefore(again, attempt, retry, clock.date(), Math.random()) : undefined;
  const repeated = new Set(wait === undefined || signal.aborted ? [] : again);
  const pending = settleBut(repeated, context, sent, parsed);
  const [first] = again;
  if (pending.length === 0 || wait === undefined || !first) return;
  onRetry?.({ reason: reasonToWait(first), waitMs: wait, attempt, indices: pending });
  waitForRate(rateLimiter, clock.now() + wait);
  await clock.sleep(wait, signal);
  // in smaller messages if this one was faster than the pace that it showed, which is not a further attempt
  const wasTooLarge = sent.length > (rateLimiter.pace?.requests ?? sent.length);
  return deliver(context, pending, wasTooLarge ? attempt : attempt + 1);
}

/**
 * Reports a message that has waited for a while because too many others are in flight.
 *
 * @returns A function to call when its turn comes; `undefined` if it need not wait.
 */
function tellIfFull({ limiter, options, target }: SendContext, sent: readonly number[]): (() => void) | undefined {
  const { clock, onDelay } = options;
  if (!limiter.isFull || !onDelay) return undefined;
  const hasSlot = new AbortController();
  void clock.sleep(noticeableMs, hasSlot.signal).then(() => {
    if (hasSlot.signal.aborted) return;
    const others = limiter.max === 1 ? "another message" : `${limiter.max} other messages`;
    onDelay(`${target.host} has to answer ${others} first.`, undefined, sent);
  });
  return () => hasSlot.abort();
}

async function exchange(context: SendContext, sent: readonly number[]): Promise<ParsedResponse> {
  const { transport, target, options, signal } = context;
  const requests = requestsAt(context, sent);
  for (const index of sent) context.attempts[index] = (context.attempts[index] ?? 0) + 1;
  const { clock } = options;
  const message = noteSent(context.rateLimiter, sent.length, clock.now());
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
          endpoint: target.name,
          replay: target.replay,
        },
        signal,
      );
  const timing = reply.timing ?? { startedAt, durationMs: clock.now() - begunAt };
  const exchanges = exchangesOf(context, sent, reply, timing);
  const parsed = parseResponse(reply, requests, exchanges, options);
  notePace(context.rateLimiter, message, parsed.outcomes.filter(isTooFast).length);
  const mayHaveLeft = reply.kind === "response" || reply.sent !== false;
  return options.idempotent || !mayHaveLeft
    ? parsed
    : { ...parsed, outcomes: parsed.outcomes.map((outcome) => (isSettled(outcome) ? outcome : uncertain(outcome))) };
}

/** Some endpoints say it with HTTP 503 and `Retry-After`. */
function isTooFast(outcome: Outcome): boolean {
  if (outcome.kind !== "refused") return false;
  return outcome.reason === "rate-limit" || (isTemporary(outcome) && "retry-after" in outcome.exchange.headers);
}

/** Returns whether the outcome shows if the request was executed. A gateway that gave up, or a broken answer, does not. */
function isSettled(outcome: Outcome): boolean {
  if (outcome.kind === "unreachable") return false;
  if (outcome.kind === "answered") return true;
  const { reason, code, exchange } = outcome;
  const byGateway = code === undefined && ((exchange.status ?? 0) >= 500 || exchange.status === 408);
  return reason !== "timeout" && !byGateway;
}

function uncertain(outcome: Outcome): Outcome {
  return { ...outcome, exchange: { ...outcome.exchange, uncertain: true } };
}

/** Returns one for each request. A loop without a spread: there may be a thousand. */
function exchangesOf(
  { requests, target, attempts }: SendContext,
  sent: readonly number[],
  reply: HttpResponse | TransportFault,
  { startedAt, durationMs }: ExchangeTiming,
): readonly Exchange[] {
  const isResponse = reply.kind === "response";
  const [headers, bytes, source] = isResponse ? [reply.headers, reply.bytes, reply.source] : [{}, 0, undefined];
  const exchanges: Exchange[] = [];
  for (const index of sent) {
    const request = requests[index];
    exchanges.push({
      id: request?.id ?? null,
      endpoint: target.name,
      host: source ?? target.host,
      request: request?.text ?? "",
      status: reply.status,
      headers,
      startedAt,
      durationMs,
      ...(reply.timing && { endedAt: startedAt + durationMs }),
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
  context: SendContext,
  sent: readonly number[],
  parsed: ParsedResponse,
): readonly number[] {
  const open: number[] = [];
  for (let at = 0; at < sent.length; at++) {
    const outcome = outcomeAt(parsed, at);
    const index = sent[at] ?? 0;
    if (repeated.size > 0 && repeated.has(outcome)) open.push(index);
    else settle(context, index, outcome);
  }
  return open;
}

/**
 * Sends a batch that failed as a batch in another way.
 *
 * @returns Whether all its requests are settled.
 */
async function sendFallback(context: SendContext, sent: readonly number[], parsed: ParsedResponse): Promise<boolean> {
  const [failure] = parsed.outcomes;
  if (sent.length < 2 || !failure) return false;
  if (!parsed.whole) return deliverRest(context, sent, parsed);
  switch (batchFallbackFor(failure)) {
    case "halves": {
      const middle = Math.ceil(sent.length / 2);
      await Promise.all([deliverMessage(context, sent.slice(0, middle)), deliverMessage(context, sent.slice(middle))]);
      return true;
    }
    case "smaller":
      context.options.memory.batch = smallerThan(sent.length, failure, context.options.memory.batch);
      await deliver(context, sent);
      return true;
    case "by-method":
      return deliverByMethod(context, sent);
    case "one-alone": {
      const [probe = 0, ...rest] = sent;
      await deliverMessage(context, [probe]);
      if (isUnderstood(context.outcomes[probe], failure)) {
        context.options.memory.batch = false;
        await deliver(context, rest);
      } else {
        const { method } = context.requests[probe] ?? {};
        const others: number[] = [];
        for (const [at, index] of rest.entries()) {
          if (context.requests[index]?.method !== method) others.push(index);
          else settle(context, index, outcomeAt(parsed, at + 1));
        }
        if (others.length > 0 && !(await deliverByMethod(context, others))) await deliverMessage(context, others);
      }
      return true;
    }
    case "none":
      return false;
  }
}

/**
 * Sends each method in a message of its own: perhaps only one of them is refused.
 *
 * @returns Whether there are several.
 */
async function deliverByMethod(context: SendContext, sent: readonly number[]): Promise<boolean> {
  const methods = new Set(sent.map((index) => context.requests[index]?.method));
  if (methods.size < 2) return false;
  const of = (method: string | undefined) => sent.filter((index) => context.requests[index]?.method === method);
  await Promise.all([...methods].map((method) => deliverMessage(context, of(method))));
  return true;
}

/** Sends the requests of a batch again, in smaller ones, that were refused as too many while others were answered. */
async function deliverRest(
  context: SendContext,
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
    else settle(context, index, outcome);
  }
  context.options.memory.batch = smallerThan(sent.length, refusal, context.options.memory.batch);
  await deliver(context, again);
  return true;
}

function limitsOf({ batch, rate = Number.POSITIVE_INFINITY, memory }: SendOptions): BatchLimits | false {
  // A body with more requests than one second allows would exceed the rate by itself.
  const pace = memory.rateLimiter?.pace?.requests ?? Number.POSITIVE_INFINITY;
  const items = Math.min(allowed(batch), allowed(memory.batch), Math.max(1, Math.floor(rate)), pace);
  return items < 2 ? false : { ...defaultBatch, items };
}

function isTooLong(sent: readonly number[], options: SendOptions): boolean {
  const limits = limitsOf(options);
  return sent.length > (limits === false ? 1 : limits.items);
}

function settle(context: SendContext, index: number, outcome: Outcome): void {
  context.outcomes[index] = outcome;
  context.options.onOutcome?.(index, outcome);
}

function outcomeAt(parsed: ParsedResponse, at: number): Outcome {
  const outcome = parsed.outcomes[at];
  if (!outcome) throw new RangeError(`No outcome was read for request ${at}.`); // parseResponse returns one a request
  return outcome;
}

function requestsAt(context: SendContext, indices: readonly number[]): readonly RawRequest[] {
  return pick(context.requests, indices);
}

/** @param indices - Ascending; as many as there are items means all of them. */
function pick<T>(all: readonly T[], indices: readonly number[]): readonly T[] {
  if (indices.length === all.length) return all;
  return indices.map((index) => all[index]).filter((one) => one !== undefined);
}
