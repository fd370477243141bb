import { quantity } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { isArray, isObject, printJson } from "../base/json.ts";
import type { Clock } from "../base/ports.ts";
import { plural } from "../base/text.ts";
import { formatDuration, grouped } from "../base/units.ts";
import type { Answered, Exchange, Outcome } from "../rpc/outcome.ts";
import type { Target } from "../rpc/send.ts";
import type { SocketPool } from "../rpc/socketPool.ts";
import type { StreamEvent } from "../rpc/streamEvent.ts";
import { subscribe } from "../rpc/subscription.ts";
import type { RawRequest } from "../rpc/wire.ts";
import { itemsOf } from "./subscriptionItems.ts";

/** A subscription as far as it has come. */
export interface StreamState {
  /** The newest items that are kept, in the order in which they came. */
  readonly items: readonly JsonValue[];
  /** All that came. */
  readonly total: number;
  /** How many of `items`, at their end, are new since the state before. */
  readonly added: number;
  /** What happened to the connection, the last first. */
  readonly story: readonly Happening[];
  /** How much of that is new since the state before. */
  readonly told: number;
  /** As an answer whose result is the list of items. */
  readonly outcome: Outcome;
}

export interface Happening {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly what: string;
}

export interface StreamOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly logRange: bigint | undefined;
  /** Milliseconds after which it ends by itself. */
  readonly forMs?: number | undefined;
  /** Items after which it ends by itself. */
  readonly rows?: number | undefined;
  /** Told of every change, waited for, and then left alone for a fifth of a second. */
  readonly changed: (state: StreamState, signal: AbortSignal) => void | Promise<void>;
}

/** Items that are kept, unless more were asked for. */
const maxKept = 1000;
const mostKept = 100_000;
/** Milliseconds between two changes that are told. */
const pace = 200;
/** Happenings that are kept. */
const maxStory = 50;

/**
 * Follows a subscription until the signal aborts, a bound is reached, or the endpoint ends it. Being stopped is no
 * failure: the outcome holds what came.
 */
export async function stream(
  lines: SocketPool,
  target: Target,
  request: RawRequest & { readonly params: JsonValue | undefined },
  options: StreamOptions,
  signal: AbortSignal,
): Promise<StreamState> {
  const { clock, changed, forMs, rows = Number.POSITIVE_INFINITY } = options;
  const stop = new AbortController();
  const end = (): void => stop.abort();
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  const subscription = subscribe(lines, target, request, options, stop.signal);
  const kept = Number.isFinite(rows) ? Math.min(Math.max(rows, maxKept), mostKept) : maxKept;
  const log = openLog(isArray(request.params) ? request.params[0] : undefined, kept, clock);
  if (forMs !== undefined) void clock.sleep(forMs, stop.signal).then(end);
  let state = notBegun(target, request, clock);
  let failed: Outcome | undefined;
  for (let events = await subscription.next(); events.length > 0; events = await subscription.next()) {
    for (const event of events) {
      if (log.total() >= rows) break;
      if (event.kind === "end") failed = event.outcome;
      else log.take(event, rows);
    }
    state = log.state(log.opened() ?? state.outcome);
    if (log.opened()) await changed(state, stop.signal);
    if (log.total() >= rows) end();
    await clock.sleep(pace, stop.signal);
  }
  signal.removeEventListener("abort", end);
  end();
  return { ...state, outcome: failed ? withItems(failed, state) : withCount(state) };
}

/** Says so if not all that came is in the answer. */
function withCount({ outcome, items, total }: StreamState): Outcome {
  if (outcome.kind !== "answered" || total === items.length) return outcome;
  const notes = [`These are the newest ${grouped(items.length)} of ${plural(total, "row")} that came.`];
  return { ...outcome, exchange: { ...outcome.exchange, parts: { requests: 1, notes } } };
}

/** The failure that ended a stream, with what had come before. */
function withItems(failed: Outcome, { items, total }: StreamState): Outcome {
  if (failed.kind === "answered" || items.length === 0) return failed;
  const result = {
    value: items,
    get text() {
      return printJson(items);
    },
  };
  const notes = [`${plural(total, "row")} had come before.`];
  return { ...failed, exchange: { ...failed.exchange, parts: { requests: 1, notes, soFar: { result } } } };
}

interface StreamLog {
  take(event: StreamEvent, most: number): void;
  total(): number;
  /** The acknowledgement; `undefined` before it came. */
  opened(): Outcome | undefined;
  state(outcome: Outcome): StreamState;
}

function openLog(kind: JsonValue | undefined, mostItems: number, clock: Clock): StreamLog {
  let items: JsonValue[] = [];
  let total = 0;
  let added = 0;
  let opened: Answered | undefined;
  let openedAt = 0;
  let story: readonly Happening[] = [];
  let told = 0;
  const tell = (what: string): void => {
    told++;
    story = [{ at: clock.date(), what }, ...story].slice(0, maxStory);
  };
  const add = (item: JsonValue): void => {
    const at = isObject(item) && item.removed === true ? placeOf(items, item) : -1;
    if (at >= 0) {
      items[at] = { ...(items[at] as JsonObject), removed: true }; // placeOf has found an object there
      return;
    }
    items.push(item);
    total++;
    added++;
  };
  return {
    take(event, most) {
      switch (event.kind) {
        case "open":
          if (event.outcome.kind === "answered") [opened, openedAt] = [event.outcome, clock.now()];
          break;
        case "row":
          for (const item of itemsOf(kind, event.value)) if (total < most) add(item);
          break;
        case "end":
          break;
        default:
          tell(happened(event));
      }
    },
    total: () => total,
    opened: () => opened,
    state(outcome) {
      if (items.length > mostItems) items = items.slice(-mostItems);
      const kept = [...items];
      const state = { items: kept, total, added: Math.min(added, kept.length), story, told };
      [added, told] = [0, 0];
      if (outcome.kind !== "answered" || !opened) return { ...state, outcome };
      const { exchange } = opened;
      const durationMs = exchange.durationMs + clock.now() - openedAt;
      const result = {
        value: kept,
        get text() {
          return printJson(kept);
        },
      };
      return { ...state, outcome: { kind: "answered", result, exchange: { ...exchange, durationMs } } };
    },
  };
}

/** The place of the log that a `removed` one takes back, sought from the newest. */
function placeOf(items: readonly JsonValue[], { transactionHash, logIndex }: JsonObject): number {
  const index = quantity(logIndex);
  return items.findLastIndex(
    (item) => isObject(item) && item.transactionHash === transactionHash && quantity(item.logIndex) === index,
  );
}

export function happened(
  event: Extract<StreamEvent, { readonly kind: "dropped" | "unreadable" | "lost" | "back" }>,
): string {
  switch (event.kind) {
    case "dropped":
      return event.rows === 1
        ? "1 row came faster than it could be shown, and was left out."
        : `${plural(event.rows, "row")} came faster than they could be shown, and were left out.`;
    case "unreadable":
      return "A row was left out because it could not be read: it is not JSON, or nests deeper than 512 levels.";
    case "lost":
      return `${event.why} Connecting again in ${formatDuration(event.waitMs)}.`;
    case "back": {
      const read =
        event.replayed > 0
          ? ` ${plural(event.replayed, "row")} that came meanwhile ${event.replayed === 1 ? "was" : "were"} read again.`
          : "";
      return `Connected again after ${formatDuration(event.afterMs)}.${read}${event.missed === undefined ? "" : ` ${event.missed}`}`;
    }
  }
}

/** A stream without rows: it was stopped before the endpoint had said anything, or it may not begin. */
export function notBegun({ name, host }: Target, { id, text }: RawRequest, clock: Clock): StreamState {
  const exchange: Exchange = {
    id: id ?? null,
    endpoint: name,
    host,
    request: text,
    status: undefined,
    headers: {},
    startedAt: clock.date(),
    durationMs: 0,
    bytes: 0,
    batch: 1,
    attempts: 1,
  };
  const outcome: Outcome = {
    kind: "unreachable",
    reason: "cancelled",
    message: stopped.what,
    hint: stopped.todo,
    exchange,
  };
  return { items: [], total: 0, added: 0, told: 0, story: [], outcome };
}

const stopped = {
  what: "The subscription was stopped before it began.",
  todo: "Run it again when you want the rows.",
};
