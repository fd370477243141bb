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
  /** Whether it serves `debug_traceCall`; `undefined` if it was not asked. */
  servesTraceCall?: boolean;
  /** It refused `eth_createAccessList`. */
  refusesAccessList?: boolean;
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
  const sending = new Sending(transport, target, requests, options, signal);
  await sending.deliver(requests.map((_, index) => index));
  return sending.outcomes;
}

const maxParallel = 8;

/** One call of {@link send}. Requests are identified by their index in it. */
class Sending {
  readonly outcomes: Outcome[] = [];
  readonly #transport: Transport;
  readonly #target: Target;
  readonly #requests: readonly RawRequest[];
  readonly #options: SendOptions;
  readonly #signal: AbortSignal;
  readonly #limiter: Limiter;
  readonly #rateLimiter: RateLimiter;
  /** How often each request has been sent. */
  readonly #attempts: number[] = [];

  constructor(
    transport: Transport,
    target: Target,
    requests: readonly RawRequest[],
    options: SendOptions,
    signal: AbortSignal,
  ) {
    this.#transport = transport;
    this.#target = target;
    this.#requests = requests;
    this.#options = options;
    this.#signal = signal;
    // Two transactions sent at once may arrive in either order.
    this.#limiter = options.idempotent ? (options.limiter ?? new Limiter(maxParallel)) : new Limiter(1);
    options.memory.rateLimiter ??= { heldUntil: 0, usedUntil: 0 };
    this.#rateLimiter = options.memory.rateLimiter;
  }

  /** @param attempt - Of the messages, from 1. */
  async deliver(indices: readonly number[], attempt = 1): Promise<void> {
    const groups = messages(pick(this.#requests, indices), limitsOf(this.#options));
    await Promise.all(groups.map((message) => this.#deliverMessage(pick(indices, message), attempt)));
  }

  /** Sends one message until the outcome of every request in it is final. */
  async #deliverMessage(sent: readonly number[], attempt = 1): Promise<void> {
    const { idempotent, clock, rate, retry = defaultRetry, onRetry, onDelay } = this.#options;
    const [rateLimiter, target, signal] = [this.#rateLimiter, this.#target, this.#signal];
    const hasSlot = this.#tellIfFull(sent);
    const parsed = await this.#limiter.run(async () => {
      hasSlot?.();
      await reserveSlot(rateLimiter, sent.length, rate, clock, signal, (delay, waitMs) =>
        onDelay?.(delayText(delay, target.host, rate, rateLimiter.pace), waitMs, sent),
      );
      return isTooLong(sent, this.#options) ? undefined : this.#exchange(sent);
    }, signal);
    if (!parsed) return this.deliver(sent, attempt); // the limit became smaller while this message waited
    if (idempotent && (await this.#sendFallback(sent, parsed))) return;

    const again = idempotent ? parsed.outcomes.filter(isTemporary) : [];
    const wait = again.length > 0 ? waitBefore(again, attempt, retry, clock.date(), Math.random()) : undefined;
    const repeated = new Set(wait === undefined || signal.aborted ? [] : again);
    const pending = this.#settleBut(repeated, sent, parsed);
    const [first] = again;
    if (pending.length === 0 || wait === undefined || !first) return;
    onRetry?.({ reason: reasonToWait(first), waitMs: wait, attempt, indices: pending });
    waitForRate(rateLimiter, clock.now() + wait);
    await clock.sleep(wait, signal);
    // in smaller messages if this one was faster than the pace that it showed, which is not a further attempt
    const wasTooLarge = sent.length > (rateLimiter.pace?.requests ?? sent.length);
    return this.deliver(pending, wasTooLarge ? attempt : attempt + 1);
  }
  /**
   * Reports a message that has waited for a while because too many others are in flight.
   *
   * @returns A function to call when its turn comes; `undefined` if it need not wait.
   */
  #tellIfFull(sent: readonly number[]): (() => void) | undefined {
    const [limiter, target] = [this.#limiter, this.#target];
    const { clock, onDelay } = this.#options;
    if (!limiter.isFull || !onDelay) return undefined;
    const hasSlot = new AbortController();
    void clock.sleep(noticeableMs, hasSlot.signal).then(() => {
      if (hasSlot.signal.aborted) return;
      const others = limiter.max === 1 ? "another message" : `${limiter.max} other messages`;
      onDelay(`${target.host} has to answer ${others} first.`, undefined, sent);
    });
    return () => hasSlot.abort();
  }
  async #exchange(sent: readonly number[]): Promise<ParsedResponse> {
    const [target, options, signal, attempts] = [this.#target, this.#options, this.#signal, this.#attempts];
    const requests = pick(this.#requests, sent);
    for (const index of sent) attempts[index] = (attempts[index] ?? 0) + 1;
    const { clock } = options;
    const message = noteSent(this.#rateLimiter, sent.length, clock.now());
    const [startedAt, begunAt] = [clock.date(), clock.now()];
    const reply = signal.aborted
      ? ({ kind: "fault", reason: "cancelled", detail: "", sent: false } satisfies TransportFault)
      : await this.#transport.post(
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
    const exchanges = this.#exchangesOf(sent, reply, timing);
    const parsed = parseResponse(reply, requests, exchanges, options);
    notePace(this.#rateLimiter, message, parsed.outcomes.filter(isTooFast).length);
    const mayHaveLeft = reply.kind === "response" || reply.sent !== false;
    return options.idempotent || !mayHaveLeft
      ? parsed
      : { ...parsed, outcomes: parsed.outcomes.map((outcome) => (isSettled(outcome) ? outcome : uncertain(outcome))) };
  }
  /** Returns one for each request, the same one for all that were sent as often. */
  #exchangesOf(
    sent: readonly number[],
    reply: HttpResponse | TransportFault,
    { startedAt, durationMs }: ExchangeTiming,
  ): readonly Exchange[] {
    const target = this.#target;
    const isResponse = reply.kind === "response";
    const [headers, bytes, source] = isResponse ? [reply.headers, reply.bytes, reply.source] : [{}, 0, undefined];
    let last: Exchange | undefined;
    return sent.map((index) => {
      const attempts = this.#attempts[index] ?? 1;
      if (last?.attempts === attempts) return last;
      last = {
        endpoint: target.name,
        host: source ?? target.host,
        status: reply.status,
        headers,
        startedAt,
        durationMs,
        ...(reply.timing && { endedAt: startedAt + durationMs }),
        bytes,
        batch: sent.length,
        attempts,
      };
      return last;
    });
  }
  /** @returns The requests whose outcomes are not final. */
  #settleBut(repeated: ReadonlySet<Outcome>, sent: readonly number[], parsed: ParsedResponse): readonly number[] {
    const open: number[] = [];
    for (let at = 0; at < sent.length; at++) {
      const outcome = outcomeAt(parsed, at);
      const index = sent[at] ?? 0;
      if (repeated.size > 0 && repeated.has(outcome)) open.push(index);
      else this.#settle(index, outcome);
    }
    return open;
  }
  /**
   * Sends a batch that failed as a batch in another way.
   *
   * @returns Whether all its requests are settled.
   */
  async #sendFallback(sent: readonly number[], parsed: ParsedResponse): Promise<boolean> {
    const [failure] = parsed.outcomes;
    if (sent.length < 2 || !failure) return false;
    if (!parsed.whole) return this.#deliverRest(sent, parsed);
    switch (batchFallbackFor(failure)) {
      case "halves": {
        const middle = Math.ceil(sent.length / 2);
        await Promise.all([this.#deliverMessage(sent.slice(0, middle)), this.#deliverMessage(sent.slice(middle))]);
        return true;
      }
      case "smaller":
        this.#options.memory.batch = smallerThan(sent.length, failure, this.#options.memory.batch);
        await this.deliver(sent);
        return true;
      case "by-method":
        return this.#deliverByMethod(sent);
      case "one-alone": {
        const [probe = 0, ...rest] = sent;
        await this.#deliverMessage([probe]);
        if (isUnderstood(this.outcomes[probe], failure)) {
          this.#options.memory.batch = false;
          await this.deliver(rest);
        } else {
          const { method } = this.#requests[probe] ?? {};
          const others: number[] = [];
          for (const [at, index] of rest.entries()) {
            if (this.#requests[index]?.method !== method) others.push(index);
            else this.#settle(index, outcomeAt(parsed, at + 1));
          }
          if (others.length > 0 && !(await this.#deliverByMethod(others))) await this.#deliverMessage(others);
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
  async #deliverByMethod(sent: readonly number[]): Promise<boolean> {
    const methods = new Set(sent.map((index) => this.#requests[index]?.method));
    if (methods.size < 2) return false;
    const of = (method: string | undefined) => sent.filter((index) => this.#requests[index]?.method === method);
    await Promise.all([...methods].map((method) => this.#deliverMessage(of(method))));
    return true;
  }
  /** Sends the requests of a batch again, in smaller ones, that were refused as too many while others were answered. */
  async #deliverRest(sent: readonly number[], { outcomes }: ParsedResponse): Promise<boolean> {
    const refusal = outcomes.find((outcome) => outcome.kind === "refused" && outcome.reason === "batch-limit");
    if (!refusal) return false;
    const again: number[] = [];
    for (const [at, outcome] of outcomes.entries()) {
      const index = sent[at] ?? 0;
      const isCrowded = outcome.kind === "refused" && outcome.reason === "batch-limit";
      if (isCrowded || isTemporary(outcome)) again.push(index);
      else this.#settle(index, outcome);
    }
    this.#options.memory.batch = smallerThan(sent.length, refusal, this.#options.memory.batch);
    await this.deliver(again);
    return true;
  }
  #settle(index: number, outcome: Outcome): void {
    this.outcomes[index] = outcome;
    this.#options.onOutcome?.(index, outcome);
  }
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

function outcomeAt(parsed: ParsedResponse, at: number): Outcome {
  const outcome = parsed.outcomes[at];
  if (!outcome) throw new RangeError(`No outcome was read for request ${at}.`); // parseResponse returns one a request
  return outcome;
}

/** @param indices - Ascending; as many as there are items means all of them. */
function pick<T>(all: readonly T[], indices: readonly number[]): readonly T[] {
  if (indices.length === all.length) return all;
  return indices.map((index) => all[index]).filter((one) => one !== undefined);
}
