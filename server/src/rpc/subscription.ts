import type { JsonObject, JsonValue } from "../base/json.ts";
import { isArray, isObject, printJson } from "../base/json.ts";
import type { Clock, Moment, TransportFault } from "../base/ports.ts";
import { brief } from "../base/text.ts";
import { type AskEndpoint, type BackfilledLogs, backfill, headOf } from "./backfill.ts";
import { type EventBuffer, openEventBuffer } from "./eventBuffer.ts";
import { explainAnswer } from "./faultMessages.ts";
import { type LogDeduplicator, openLogDeduplicator } from "./logDeduplicator.ts";
import { subscriptionId } from "./notifications.ts";
import type { Answered, Exchange, Outcome, RefusalReason } from "./outcome.ts";
import { parseResponse } from "./parseResponse.ts";
import type { BlockRange } from "./range.ts";
import { isTemporary } from "./retry.ts";
import type { Target } from "./send.ts";
import type { SocketConnection } from "./socketConnection.ts";
import type { SocketPool } from "./socketPool.ts";
import type { RawRequest } from "./wire.ts";

/** What a subscription tells, in order. */
export type StreamEvent =
  /** The endpoint has taken the subscription for the first time. */
  | { readonly kind: "open"; readonly outcome: Outcome }
  /** The result of one notification, or a log that was read again after an interruption. */
  | { readonly kind: "row"; readonly value: JsonValue; readonly bytes: number; readonly replayed: boolean }
  /** Rows that nobody took in time. */
  | { readonly kind: "dropped"; readonly rows: number }
  /** A row that is not JSON, or nests too deeply. */
  | { readonly kind: "unreadable" }
  | { readonly kind: "lost"; readonly why: string; readonly waitMs: number }
  /** It goes on. `missed` says what could not be read again. */
  | { readonly kind: "back"; readonly afterMs: number; readonly replayed: number; readonly missed: string | undefined }
  /** It could not begin, or does not go on. */
  | { readonly kind: "end"; readonly outcome: Outcome };

export interface Subscription {
  /** Waits for something to tell; empty when nothing comes any more. */
  next(): Promise<readonly StreamEvent[]>;
}

export interface SubscribeOptions {
  /** Milliseconds for one exchange. */
  readonly timeoutMs: number;
  /** Bytes of one message. */
  readonly maxBytes: number;
  readonly clock: Clock;
  /** The greatest toBlock − fromBlock of `eth_getLogs`, where it is known. */
  readonly logRange?: bigint | undefined;
  /** Rows that wait for whoever takes them; older ones are dropped and counted. */
  readonly maxWaiting?: number;
  /** Milliseconds of silence after which the connection is tried. */
  readonly idleMs?: number;
  /** Milliseconds before the first attempt to come back; it doubles, up to half a minute. */
  readonly backoffMs?: number;
}

const defaults = { maxWaiting: 10_000, idleMs: 30_000, backoffMs: 250 };
const maxBackoffMs = 30_000;
/** Attempts to begin at all. */
const maxFirst = 3;
/** A connection that lasted so long, in milliseconds, was a good one. */
const goodMs = 500;

/**
 * Subscribes, and stays subscribed: after an interruption it connects and subscribes anew, and reads logs that were
 * missed meanwhile again (`logs`, `pendingLogs`), each log once.
 *
 * @param request - An `eth_subscribe`, sent as it stands each time.
 */
export function subscribe(
  lines: SocketPool,
  target: Target,
  request: RawRequest & { readonly params: JsonValue | undefined },
  options: SubscribeOptions,
  signal: AbortSignal,
): Subscription {
  const basket = openEventBuffer(options.maxWaiting ?? defaults.maxWaiting);
  const [kind, filter] = isArray(request.params) ? request.params : [];
  const isLogs = kind === "logs" || kind === "pendingLogs";
  const trip: SubscriptionContext = {
    lines,
    target,
    request,
    options,
    signal,
    basket,
    seen: isLogs ? openLogDeduplicator() : undefined,
    filter: isObject(filter) ? criteriaOf(filter) : {},
    pending: kind === "pendingLogs",
    tooLarge: [],
  };
  void follow(trip).finally(basket.close);
  return { next: basket.next };
}

interface SubscriptionContext {
  readonly lines: SocketPool;
  readonly target: Target;
  readonly request: RawRequest;
  readonly options: SubscribeOptions;
  readonly signal: AbortSignal;
  readonly basket: EventBuffer;
  /** `undefined` where nothing can be read again. */
  readonly seen: LogDeduplicator | undefined;
  readonly filter: JsonObject;
  readonly pending: boolean;
  /** Blocks of which the logs came in a message that was too large. */
  readonly tooLarge: BlockRange[];
}

/** Those members of the filter that `eth_getLogs` knows as well. */
function criteriaOf({ address, topics }: JsonObject): JsonObject {
  return { ...(address !== undefined && { address }), ...(topics !== undefined && { topics }) };
}

async function follow(trip: SubscriptionContext): Promise<void> {
  const { options, signal, basket } = trip;
  const { clock, backoffMs = defaults.backoffMs } = options;
  let lostAt: number | undefined;
  for (let failures = 0; !signal.aborted; ) {
    const startedAt = clock.now();
    const ending = await stay(trip, lostAt);
    if (signal.aborted) return;
    if (ending.began) lostAt = clock.now();
    const { outcome } = ending;
    const isFirst = lostAt === undefined;
    failures = ending.began && clock.now() - startedAt >= goodMs ? 0 : failures + 1;
    const isOver = isFirst ? failures >= maxFirst || (outcome && !isTemporary(outcome)) : outcome && isFinal(outcome);
    if (outcome && isOver) {
      basket.put({ kind: "end", outcome });
      return;
    }
    const waitMs = Math.ceil(
      Math.min(backoffMs * 2 ** Math.min(failures, 10), maxBackoffMs) * (0.5 + Math.random() / 2),
    );
    if (!isFirst) basket.put({ kind: "lost", why: ending.why, waitMs });
    await clock.sleep(waitMs, signal);
  }
}

/** What stood once and is refused now may be wanted again later, unless it is a matter of leave. */
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
]);

interface Ending {
  /** The subscription stood. */
  readonly began: boolean;
  readonly why: string;
  /** Why it could not begin. */
  readonly outcome?: Failure;
}

type Failure = Exclude<Outcome, Answered>;

/** Subscribes on one connection, and stays until that ends. */
async function stay(trip: SubscriptionContext, lostAt: number | undefined): Promise<Ending> {
  const { lines, target, request, options, signal, basket } = trip;
  const { timeoutMs, maxBytes, clock } = options;
  const start = { date: clock.date(), now: clock.now() };
  const address = { url: target.url, headers: target.headers, timeoutMs, maxBytes };
  const line = await lines.lineFor(address, request.text, signal);
  const failed = (found: Outcome): Ending => {
    const outcome = found.kind === "answered" ? noSubscription(found) : found;
    return { began: false, why: outcome.message, outcome };
  };
  if ("kind" in line) return failed(outcomeOf(trip, request, line, start));
  const ask = asker(trip, line);
  if (trip.seen && trip.seen.from() === undefined) {
    const head = await headOf(ask);
    if (typeof head === "bigint") trip.seen.reached(head + 1n);
  }
  const outcome = outcomeOf(trip, request, await line.post(request.text, timeoutMs, signal), start);
  const id = outcome.kind === "answered" ? subscriptionId(outcome.result.value) : undefined;
  if (id === undefined) return failed(outcome);

  const gate = openGate(trip);
  const leave = line.listen(id, {
    row: gate.row,
    lost: (rows) => basket.put({ kind: "dropped", rows }),
    unreadable: () => basket.put({ kind: "unreadable" }),
  });
  const over = new AbortController();
  const stop = (): void => over.abort();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const left = (): void => {
    over.abort();
    signal.removeEventListener("abort", stop);
    leave();
    if (line.isOpen && outcome.kind === "answered") unsubscribe(trip, line, outcome.result.text);
  };
  if (lostAt === undefined) {
    basket.put({ kind: "open", outcome });
    gate.open();
  } else if (!(await catchUp(trip, ask, gate, lostAt))) {
    left();
    return { began: false, why: `${target.host} closed the connection again.` };
  }
  const why = await Promise.race([line.closed, silence(trip, line, ask, gate, over.signal)]);
  left();
  return { began: true, why: whyLost(target.host, why) };
}

/** An answer without an id that notifications could be told by. */
function noSubscription({ result, exchange }: Answered): Failure {
  const detail = `${brief(result.text, 60)}, which is not the id of a subscription`;
  const { what, todo } = explainAnswer("not-json-rpc", exchange.host, detail);
  return { kind: "unreachable", reason: "not-json-rpc", message: what, hint: todo, exchange };
}

/** Reads again what was missed and lets the rows through that came meanwhile. */
async function catchUp(
  { seen, basket, options, filter, pending, tooLarge }: SubscriptionContext,
  ask: AskEndpoint,
  gate: StartGate,
  lostAt: number,
) {
  const from = seen?.from();
  const gap =
    seen && from !== undefined
      ? await backfill(ask, { filter, from, pending, range: options.logRange ?? 1999n, tooLarge })
      : nothingRead;
  if (gap.tooLarge) tooLarge.push(gap.tooLarge);
  if (gap.lost) return false;
  const afterMs = options.clock.now() - lostAt;
  const gone = seen && from !== undefined ? seen.gone(gap.logs, from) : [];
  const rows = [...gone, ...gap.logs].filter((log) => seen?.isNews(log) !== false);
  basket.put({ kind: "back", afterMs, replayed: rows.length, missed: gap.missed });
  for (const value of rows) basket.put({ kind: "row", value, bytes: 0, replayed: true });
  gate.open();
  return true;
}

const nothingRead: BackfilledLogs = {
  logs: [],
  missed: "What came in between is not known: it cannot be read again.",
  lost: false,
};

/** Holds rows back while older ones are read. */
interface StartGate {
  readonly row: (value: JsonValue, bytes: number) => void;
  open(): void;
  /** When the last row came, in milliseconds since 1970. */
  heardAt(): number;
}

function openGate({ seen, basket, options: { clock } }: SubscriptionContext): StartGate {
  let held: { readonly value: JsonValue; readonly bytes: number }[] | undefined = [];
  let heardAt = clock.now();
  const pass = (value: JsonValue, bytes: number): void => {
    // Some servers put several logs into one notification
    if (seen && isArray(value)) for (const log of value) pass(log, bytes / value.length);
    else if (seen?.isNews(value) !== false) basket.put({ kind: "row", value, bytes, replayed: false });
  };
  return {
    row(value, bytes) {
      heardAt = clock.now();
      if (held) held.push({ value, bytes });
      else pass(value, bytes);
    },
    open() {
      const waiting = held ?? [];
      held = undefined;
      for (const { value, bytes } of waiting) pass(value, bytes);
    },
    heardAt: () => heardAt,
  };
}

/** Tries the connection whenever nothing has come for a while; resolves when it turns out to be dead, or nobody cares. */
async function silence(
  { options, seen }: SubscriptionContext,
  line: SocketConnection,
  ask: AskEndpoint,
  gate: StartGate,
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
    if (typeof head === "bigint") seen?.reached(head);
    else if (head.lost && !signal.aborted && clock.now() - gate.heardAt() >= idleMs) {
      line.close();
      return { kind: "fault", reason: "timeout", detail: "" };
    }
    await clock.sleep(idleMs, signal);
  }
  return { kind: "fault", reason: "cancelled", detail: "" };
}

/** A server that goes on telling what nobody hears would keep the connection busy. */
function unsubscribe({ options }: SubscriptionContext, line: SocketConnection, id: string): void {
  const text = `{"jsonrpc":"2.0","id":${freshId()},"method":"eth_unsubscribe","params":[${id}]}`;
  void line.post(text, Math.min(options.timeoutMs, 2000), new AbortController().signal);
}

function whyLost(host: string, { reason }: TransportFault): string {
  switch (reason) {
    case "timeout":
      return `${host} fell silent.`;
    case "too-large":
      return `${host} sent a message that is too large.`;
    default:
      return `${host} closed the connection.`;
  }
}

let lastId = 2_000_000_000;
/** Beyond the ids that cells are given, on a connection that they may share. */
function freshId(): number {
  return ++lastId;
}

function asker(trip: SubscriptionContext, line: SocketConnection): AskEndpoint {
  return async (method, params) => {
    const id = freshId();
    const text = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${printJson(params)}}`;
    const { clock, timeoutMs, idleMs = defaults.idleMs } = trip.options;
    const start = { date: clock.date(), now: clock.now() };
    const reply = await line.post(text, Math.min(timeoutMs, idleMs), trip.signal);
    return outcomeOf(trip, { text, id, method }, reply, start);
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
  if (!outcome) throw new RangeError("No outcome was read."); // readReply answers one a request
  return outcome;
}
