import type { JsonObject, JsonValue } from "../base/json.ts";
import { isArray, isObject } from "../base/json.ts";
import type { Clock, Moment, TransportFault } from "../base/ports.ts";
import { brief } from "../base/text.ts";
import { formatBytes } from "../base/units.ts";
import { type AskEndpoint, type BackfilledLogs, backfill, headOf } from "./backfill.ts";
import { explainAnswer } from "./faultMessages.ts";
import { type LogDeduplicator, openLogDeduplicator } from "./logDeduplicator.ts";
import { subscriptionId } from "./notifications.ts";
import type { Answered, Exchange, Outcome, RefusalReason } from "./outcome.ts";
import { parseResponse } from "./parseResponse.ts";
import type { BlockRange } from "./range.ts";
import { isTemporary } from "./retry.ts";
import type { Target } from "./send.ts";
import type { SocketConnection, SocketPool } from "./socketPool.ts";
import type { SubscriptionEvent } from "./subscriptionEvents.ts";
import { type EventBuffer, openEventBuffer } from "./subscriptionEvents.ts";
import type { RawRequest } from "./wire.ts";
import { ownRequest } from "./wire.ts";

export interface Subscription {
  /** Waits for events; empty after the end. */
  next(): Promise<readonly SubscriptionEvent[]>;
}

export interface SubscribeOptions {
  /** Milliseconds for one exchange. */
  readonly timeoutMs: number;
  /** Bytes of one message. */
  readonly maxBytes: number;
  readonly clock: Clock;
  /** The largest toBlock − fromBlock of `eth_getLogs`, if it is known. */
  readonly logRange?: bigint | undefined;
  /** Rows that are buffered; older ones are dropped and counted. */
  readonly maxWaiting?: number;
  /** Milliseconds of silence after which the connection is tested. */
  readonly idleMs?: number;
  /** Milliseconds before the first attempt to reconnect; it doubles, up to half a minute. */
  readonly backoffMs?: number;
}

const defaults = { maxWaiting: 10_000, idleMs: 30_000, backoffMs: 250 };
const maxBackoffMs = 30_000;
/** Attempts to begin at all. */
const maxFirstAttempts = 3;
/** A connection that lasted this long counts as a good one. */
const goodMs = 500;

/**
 * Subscribes, and stays subscribed: after an interruption it reconnects, subscribes again, and reads the logs that were
 * missed (`logs`, `pendingLogs`), each log once.
 *
 * @param request - An `eth_subscribe`, sent unchanged each time.
 */
export function subscribe(
  sockets: SocketPool,
  target: Target,
  request: RawRequest & { readonly params: JsonValue | undefined },
  options: SubscribeOptions,
  signal: AbortSignal,
): Subscription {
  const session = new SubscriptionSession(sockets, target, request, options, signal);
  void session.follow().finally(session.events.close);
  return { next: session.events.next };
}

/** One subscription, also while its connection is interrupted. */
class SubscriptionSession {
  readonly events: EventBuffer;
  readonly #sockets: SocketPool;
  readonly #target: Target;
  readonly #request: RawRequest;
  readonly #options: SubscribeOptions;
  readonly #signal: AbortSignal;
  /** `undefined` if nothing can be read again. */
  readonly #deduplicator: LogDeduplicator | undefined;
  readonly #filter: JsonObject;
  readonly #isPending: boolean;
  /** Blocks whose logs came in a message that was too large. */
  readonly #tooLarge: BlockRange[] = [];

  constructor(
    sockets: SocketPool,
    target: Target,
    request: Parameters<typeof subscribe>[2],
    options: SubscribeOptions,
    signal: AbortSignal,
  ) {
    const [kind, filter] = isArray(request.params) ? request.params : [];
    this.events = openEventBuffer(options.maxWaiting ?? defaults.maxWaiting);
    this.#sockets = sockets;
    this.#target = target;
    this.#request = request;
    this.#options = options;
    this.#signal = signal;
    this.#isPending = kind === "pendingLogs";
    this.#deduplicator = kind === "logs" || this.#isPending ? openLogDeduplicator() : undefined;
    this.#filter = isObject(filter) ? criteriaOf(filter) : {};
  }

  async follow(): Promise<void> {
    const signal = this.#signal;
    const { clock, backoffMs = defaults.backoffMs } = this.#options;
    let lostAt: number | undefined;
    for (let failures = 0; !signal.aborted; ) {
      const startedAt = clock.now();
      const ending = await this.#stay(lostAt);
      if (signal.aborted) return;
      if (ending.began) lostAt = clock.now();
      const { outcome } = ending;
      const isFirst = lostAt === undefined;
      failures = ending.began && clock.now() - startedAt >= goodMs ? 0 : failures + 1;
      const isOver = isFirst
        ? failures >= maxFirstAttempts || (outcome && !isTemporary(outcome))
        : outcome && isFinal(outcome);
      if (outcome && isOver) {
        this.events.put({ kind: "end", outcome });
        return;
      }
      const backoff = Math.min(backoffMs * 2 ** Math.min(failures, 10), maxBackoffMs);
      const waitMs = Math.ceil(backoff * (0.5 + Math.random() / 2));
      if (!isFirst) this.events.put({ kind: "lost", why: ending.why, waitMs });
      await clock.sleep(waitMs, signal);
    }
  }

  /** Subscribes on one connection, and stays until that ends. */
  async #stay(lostAt: number | undefined): Promise<Ending> {
    const [target, request, deduplicator, signal] = [this.#target, this.#request, this.#deduplicator, this.#signal];
    const { timeoutMs, maxBytes, clock } = this.#options;
    const start = { date: clock.date(), now: clock.now() };
    const address = { url: target.url, headers: target.headers, timeoutMs, maxBytes, endpoint: target.name };
    const connection = await this.#sockets.connectionFor(address, request.text, signal);
    if ("kind" in connection) return notBegun(this.#outcomeOf(request, connection, start));
    const ask = this.#askOver(connection);
    if (deduplicator && deduplicator.from() === undefined) {
      const head = await headOf(ask);
      if (typeof head === "bigint") deduplicator.reached(head + 1n);
    }
    const outcome = this.#outcomeOf(request, await connection.post(request.text, timeoutMs, signal), start);
    const id = outcome.kind === "answered" ? subscriptionId(outcome.result.value) : undefined;
    if (id === undefined) return notBegun(outcome);

    const gate = this.#holdRows();
    const leave = connection.listen(id, {
      row: gate.row,
      lost: (rows) => this.events.put({ kind: "dropped", rows }),
      unreadable: () => this.events.put({ kind: "unreadable" }),
    });
    const over = new AbortController();
    try {
      if (lostAt === undefined) {
        this.events.put({ kind: "open", outcome });
        gate.open();
      } else if (!(await this.#catchUp(ask, gate, lostAt)))
        return { began: false, why: `${target.host} closed the connection again.` };
      const stopped = AbortSignal.any([signal, over.signal]);
      const end = await Promise.race([connection.closed, this.#testSilence(connection, ask, gate, stopped)]);
      return { began: true, why: whyLost(target.host, end, maxBytes) };
    } finally {
      over.abort();
      leave();
      if (connection.isOpen && outcome.kind === "answered") this.#unsubscribe(connection, outcome.result.value);
    }
  }
  /**
   * Reads the logs that were missed, and lets the rows through that came meanwhile.
   *
   * @returns Whether the connection is still open.
   */
  async #catchUp(ask: AskEndpoint, gate: HeldRows, lostAt: number): Promise<boolean> {
    const { logRange: range = 1999n, maxBytes, clock } = this.#options;
    const [deduplicator, filter, tooLarge] = [this.#deduplicator, this.#filter, this.#tooLarge];
    const from = deduplicator?.from();
    const gap =
      deduplicator && from !== undefined
        ? await backfill(ask, { filter, from, pending: this.#isPending, range, maxBytes, tooLarge })
        : nothingRead;
    if (gap.tooLarge) tooLarge.push(gap.tooLarge);
    if (gap.lost) return false;
    const afterMs = clock.now() - lostAt;
    const gone = deduplicator && from !== undefined ? deduplicator.gone(gap.logs, from) : [];
    const rows = [...gone, ...gap.logs].filter((log) => deduplicator?.isNews(log) !== false);
    this.events.put({ kind: "back", afterMs, replayed: rows.length, missed: gap.missed });
    for (const value of rows) this.events.put({ kind: "row", value, bytes: 0, replayed: true });
    gate.open();
    return true;
  }
  #holdRows(): HeldRows {
    const { clock } = this.#options;
    const [deduplicator, events] = [this.#deduplicator, this.events];
    let held: { readonly value: JsonValue; readonly bytes: number }[] | undefined = [];
    let heardAt = clock.now();
    const pass = (value: JsonValue, bytes: number): void => {
      // Some servers put several logs into one notification
      if (deduplicator && isArray(value)) for (const log of value) pass(log, bytes / value.length);
      else if (deduplicator?.isNews(value) !== false) events.put({ kind: "row", value, bytes, replayed: false });
    };
    return {
      row(value, bytes) {
        heardAt = clock.now();
        if (held) held.push({ value, bytes });
        else pass(value, bytes);
      },
      open() {
        const rows = held ?? [];
        held = undefined;
        for (const { value, bytes } of rows) pass(value, bytes);
      },
      heardAt: () => heardAt,
    };
  }
  /** Tests the connection whenever nothing has come for a while. Resolves when it is dead, or the signal aborts. */
  async #testSilence(
    connection: SocketConnection,
    ask: AskEndpoint,
    gate: HeldRows,
    signal: AbortSignal,
  ): Promise<TransportFault> {
    const { clock, idleMs = defaults.idleMs } = this.#options;
    while (!signal.aborted) {
      const since = clock.now() - gate.heardAt();
      if (since < idleMs) {
        await clock.sleep(idleMs - since, signal);
        continue;
      }
      const head = await headOf(ask);
      if (typeof head === "bigint") this.#deduplicator?.reached(head);
      else if (head.lost && !signal.aborted && clock.now() - gate.heardAt() >= idleMs) {
        connection.close();
        return { kind: "fault", reason: "timeout", detail: "" };
      }
      await clock.sleep(idleMs, signal);
    }
    return { kind: "fault", reason: "cancelled", detail: "" };
  }
  /** Tells the server to stop: rows that are not read would keep the connection busy. */
  #unsubscribe(connection: SocketConnection, id: JsonValue): void {
    const { text } = ownRequest("eth_unsubscribe", [id]);
    void connection.post(text, Math.min(this.#options.timeoutMs, 2000), new AbortController().signal);
  }
  #askOver(connection: SocketConnection): AskEndpoint {
    return async (method, params) => {
      const request = ownRequest(method, params);
      const { clock, timeoutMs, idleMs = defaults.idleMs } = this.#options;
      const start = { date: clock.date(), now: clock.now() };
      const reply = await connection.post(request.text, Math.min(timeoutMs, idleMs), this.#signal);
      return this.#outcomeOf(request, reply, start);
    };
  }
  #outcomeOf(request: RawRequest, reply: Parameters<typeof parseResponse>[0], start: Moment): Outcome {
    const [target, options] = [this.#target, this.#options];
    const exchange: Exchange = {
      endpoint: target.name,
      host: target.host,
      status: reply.status,
      headers: {},
      startedAt: start.date,
      durationMs: options.clock.now() - start.now,
      bytes: reply.kind === "response" ? reply.bytes : 0,
      batch: 1,
      attempts: 1,
    };
    const [outcome] = parseResponse(reply, [request], [exchange], options).outcomes;
    if (!outcome) throw new RangeError("A reply has no outcome."); // parseResponse returns one a request
    return outcome;
  }
}

/** The members of the filter that `eth_getLogs` accepts as well. */
function criteriaOf({ address, topics }: JsonObject): JsonObject {
  return { ...(address !== undefined && { address }), ...(topics !== undefined && { topics }) };
}

/** After a subscription has worked once, only a lack of permission or support is final. */
function isFinal(outcome: Failure): boolean {
  if (outcome.kind === "unreachable") return outcome.reason === "unsendable" || outcome.reason === "not-json-rpc";
  return finalReasons.has(outcome.reason);
}

const finalReasons: ReadonlySet<RefusalReason> = new Set([
  "bad-params",
  "bad-request",
  "not-allowed",
  "plan-limit",
  "unauthorized",
  "unknown-method",
  "not-recorded",
]);

interface Ending {
  /** The endpoint had accepted the subscription. */
  readonly began: boolean;
  readonly why: string;
  /** The reason why it could not begin. */
  readonly outcome?: Failure;
}

type Failure = Exclude<Outcome, Answered>;

function notBegun(outcome: Outcome): Ending {
  const failure = outcome.kind === "answered" ? noSubscription(outcome) : outcome;
  return { began: false, why: failure.message, outcome: failure };
}

/** Returns the failure for an answer that is not the id of a subscription. */
function noSubscription({ result, exchange }: Answered): Failure {
  const detail = `${brief(result.text, 60)}, which is not the id of a subscription`;
  const { what, todo } = explainAnswer("not-json-rpc", exchange.host, detail);
  return { kind: "unreachable", reason: "not-json-rpc", message: what, hint: todo, exchange };
}

const nothingRead: BackfilledLogs = {
  logs: [],
  missed: "Rows of that time are missing: they cannot be read again.",
  lost: false,
};

/** Holds rows back while older ones are read. */
interface HeldRows {
  readonly row: (value: JsonValue, bytes: number) => void;
  open(): void;
  /** When the last row came, in milliseconds of the monotonic clock. */
  heardAt(): number;
}

function whyLost(host: string, { reason }: TransportFault, maxBytes: number): string {
  switch (reason) {
    case "timeout":
      return `${host} stopped sending.`;
    case "too-large":
      return `${host} sent a message of more than ${formatBytes(maxBytes)}.`;
    default:
      return `${host} closed the connection.`;
  }
}
