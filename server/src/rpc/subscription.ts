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
  const events = openEventBuffer(options.maxWaiting ?? defaults.maxWaiting);
  const [kind, filter] = isArray(request.params) ? request.params : [];
  const isLogs = kind === "logs" || kind === "pendingLogs";
  const context: SubscriptionContext = {
    sockets,
    target,
    request,
    options,
    signal,
    events,
    deduplicator: isLogs ? openLogDeduplicator() : undefined,
    filter: isObject(filter) ? criteriaOf(filter) : {},
    pending: kind === "pendingLogs",
    tooLarge: [],
  };
  void follow(context).finally(events.close);
  return { next: events.next };
}

interface SubscriptionContext {
  readonly sockets: SocketPool;
  readonly target: Target;
  readonly request: RawRequest;
  readonly options: SubscribeOptions;
  readonly signal: AbortSignal;
  readonly events: EventBuffer;
  /** `undefined` if nothing can be read again. */
  readonly deduplicator: LogDeduplicator | undefined;
  readonly filter: JsonObject;
  readonly pending: boolean;
  /** Blocks whose logs came in a message that was too large. */
  readonly tooLarge: BlockRange[];
}

/** The members of the filter that `eth_getLogs` accepts as well. */
function criteriaOf({ address, topics }: JsonObject): JsonObject {
  return { ...(address !== undefined && { address }), ...(topics !== undefined && { topics }) };
}

async function follow(context: SubscriptionContext): Promise<void> {
  const { options, signal, events } = context;
  const { clock, backoffMs = defaults.backoffMs } = options;
  let lostAt: number | undefined;
  for (let failures = 0; !signal.aborted; ) {
    const startedAt = clock.now();
    const ending = await stay(context, lostAt);
    if (signal.aborted) return;
    if (ending.began) lostAt = clock.now();
    const { outcome } = ending;
    const isFirst = lostAt === undefined;
    failures = ending.began && clock.now() - startedAt >= goodMs ? 0 : failures + 1;
    const isOver = isFirst
      ? failures >= maxFirstAttempts || (outcome && !isTemporary(outcome))
      : outcome && isFinal(outcome);
    if (outcome && isOver) {
      events.put({ kind: "end", outcome });
      return;
    }
    const backoff = Math.min(backoffMs * 2 ** Math.min(failures, 10), maxBackoffMs);
    const waitMs = Math.ceil(backoff * (0.5 + Math.random() / 2));
    if (!isFirst) events.put({ kind: "lost", why: ending.why, waitMs });
    await clock.sleep(waitMs, signal);
  }
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

/** Subscribes on one connection, and stays until that ends. */
async function stay(context: SubscriptionContext, lostAt: number | undefined): Promise<Ending> {
  const { sockets, target, request, options, signal, events, deduplicator } = context;
  const { timeoutMs, maxBytes, clock } = options;
  const start = { date: clock.date(), now: clock.now() };
  const address = { url: target.url, headers: target.headers, timeoutMs, maxBytes, endpoint: target.name };
  const connection = await sockets.connectionFor(address, request.text, signal);
  if ("kind" in connection) return notBegun(outcomeOf(context, request, connection, start));
  const ask = askOver(connection, context);
  if (deduplicator && deduplicator.from() === undefined) {
    const head = await headOf(ask);
    if (typeof head === "bigint") deduplicator.reached(head + 1n);
  }
  const outcome = outcomeOf(context, request, await connection.post(request.text, timeoutMs, signal), start);
  const id = outcome.kind === "answered" ? subscriptionId(outcome.result.value) : undefined;
  if (id === undefined) return notBegun(outcome);

  const gate = holdRows(context);
  const leave = connection.listen(id, {
    row: gate.row,
    lost: (rows) => events.put({ kind: "dropped", rows }),
    unreadable: () => events.put({ kind: "unreadable" }),
  });
  const over = new AbortController();
  try {
    if (lostAt === undefined) {
      events.put({ kind: "open", outcome });
      gate.open();
    } else if (!(await catchUp(context, ask, gate, lostAt)))
      return { began: false, why: `${target.host} closed the connection again.` };
    const stopped = AbortSignal.any([signal, over.signal]);
    const end = await Promise.race([connection.closed, testSilence(context, connection, ask, gate, stopped)]);
    return { began: true, why: whyLost(target.host, end, options.maxBytes) };
  } finally {
    over.abort();
    leave();
    if (connection.isOpen && outcome.kind === "answered") unsubscribe(context, connection, outcome.result.value);
  }
}

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

/**
 * Reads the logs that were missed, and lets the rows through that came meanwhile.
 *
 * @returns Whether the connection is still open.
 */
async function catchUp(
  { deduplicator, events, options, filter, pending, tooLarge }: SubscriptionContext,
  ask: AskEndpoint,
  gate: HeldRows,
  lostAt: number,
): Promise<boolean> {
  const { logRange = 1999n, maxBytes, clock } = options;
  const from = deduplicator?.from();
  const gap =
    deduplicator && from !== undefined
      ? await backfill(ask, { filter, from, pending, range: logRange, maxBytes, tooLarge })
      : nothingRead;
  if (gap.tooLarge) tooLarge.push(gap.tooLarge);
  if (gap.lost) return false;
  const afterMs = clock.now() - lostAt;
  const gone = deduplicator && from !== undefined ? deduplicator.gone(gap.logs, from) : [];
  const rows = [...gone, ...gap.logs].filter((log) => deduplicator?.isNews(log) !== false);
  events.put({ kind: "back", afterMs, replayed: rows.length, missed: gap.missed });
  for (const value of rows) events.put({ kind: "row", value, bytes: 0, replayed: true });
  gate.open();
  return true;
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

function holdRows({ deduplicator, events, options: { clock } }: SubscriptionContext): HeldRows {
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
async function testSilence(
  { options, deduplicator }: SubscriptionContext,
  connection: SocketConnection,
  ask: AskEndpoint,
  gate: HeldRows,
  signal: AbortSignal,
): Promise<TransportFault> {
  const { clock, idleMs = defaults.idleMs } = options;
  while (!signal.aborted) {
    const since = clock.now() - gate.heardAt();
    if (since < idleMs) {
      await clock.sleep(idleMs - since, signal);
      continue;
    }
    const head = await headOf(ask);
    if (typeof head === "bigint") deduplicator?.reached(head);
    else if (head.lost && !signal.aborted && clock.now() - gate.heardAt() >= idleMs) {
      connection.close();
      return { kind: "fault", reason: "timeout", detail: "" };
    }
    await clock.sleep(idleMs, signal);
  }
  return { kind: "fault", reason: "cancelled", detail: "" };
}

/** Tells the server to stop: rows that are not read would keep the connection busy. */
function unsubscribe({ options }: SubscriptionContext, connection: SocketConnection, id: JsonValue): void {
  const { text } = ownRequest("eth_unsubscribe", [id]);
  void connection.post(text, Math.min(options.timeoutMs, 2000), new AbortController().signal);
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

function askOver(connection: SocketConnection, context: SubscriptionContext): AskEndpoint {
  return async (method, params) => {
    const request = ownRequest(method, params);
    const { clock, timeoutMs, idleMs = defaults.idleMs } = context.options;
    const start = { date: clock.date(), now: clock.now() };
    const reply = await connection.post(request.text, Math.min(timeoutMs, idleMs), context.signal);
    return outcomeOf(context, request, reply, start);
  };
}

function outcomeOf(
  { target, options }: SubscriptionContext,
  request: RawRequest,
  reply: Parameters<typeof parseResponse>[0],
  start: Moment,
): Outcome {
  const exchange: Exchange = {
    id: request.id ?? null,
    endpoint: target.name,
    host: target.host,
    request: request.text,
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
