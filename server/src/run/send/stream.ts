import { quantity } from "../../base/hex.ts";
import type { JsonObject, JsonValue } from "../../base/json.ts";
import { isArray, isObject, printJson } from "../../base/json.ts";
import type { Clock } from "../../base/ports.ts";
import { plural } from "../../base/text.ts";
import { formatDuration, grouped } from "../../base/units.ts";
import type { Permit } from "../../gate/approvals.ts";
import type { Gate } from "../../gate/gate.ts";
import type { Answered, Exchange, Outcome } from "../../rpc/outcome.ts";
import type { Target } from "../../rpc/send.ts";
import type { SubscriptionEvent } from "../../rpc/subscriptionEvents.ts";
import { itemsOf } from "../../rpc/subscriptionEvents.ts";
import type { RawRequest } from "../../rpc/wire.ts";

/** The rows of a subscription so far. */
export interface StreamState {
  /** The newest items, in the order in which they came. */
  readonly items: readonly JsonValue[];
  /** How many came, dropped ones included. */
  readonly total: number;
  /** How many of `items`, at their end, are new since the state before. */
  readonly added: number;
  /** Events of the connection, the newest first. */
  readonly events: readonly ConnectionEvent[];
  /** How many of `events` are new since the state before. */
  readonly newEvents: number;
  /** An answer with the list of items as its result. */
  readonly outcome: Outcome;
}

export interface ConnectionEvent {
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
  /** Called after changes, at most five times a second, and awaited. */
  readonly changed: (state: StreamState, signal: AbortSignal) => void | Promise<void>;
}

/** Items that are kept: by default, and if `rows` is larger. */
const defaultItems = 1000;
const maxItems = 100_000;
/** Milliseconds between two calls of `changed`. */
const changedEveryMs = 200;
/** Events of the connection that are kept. */
const maxEvents = 50;

/**
 * Follows a subscription until the signal aborts, a limit is reached, or the endpoint ends it. A stream that is stopped has
 * not failed: the outcome has the rows.
 */
export async function stream(
  gate: Gate,
  permit: Permit,
  request: RawRequest & { readonly params: JsonValue | undefined },
  options: StreamOptions,
  signal: AbortSignal,
): Promise<StreamState> {
  const { clock, changed, forMs, rows = Number.POSITIVE_INFINITY } = options;
  const limit = new AbortController();
  const end = (): void => limit.abort();
  const stop = AbortSignal.any([signal, limit.signal]);
  const subscription = gate.subscribe(permit, request, options, stop);
  const kept = Number.isFinite(rows) ? Math.min(Math.max(rows, defaultItems), maxItems) : defaultItems;
  const log = openLog(isArray(request.params) ? request.params[0] : undefined, kept, clock);
  if (forMs !== undefined) void clock.sleep(forMs, stop).then(end);
  let state = emptyStream(permit.resolved.endpoint, clock);
  let failed: Outcome | undefined;
  for (let events = await subscription.next(); events.length > 0; events = await subscription.next()) {
    for (const event of events) {
      if (log.total() >= rows) break;
      if (event.kind === "end") failed = event.outcome;
      else log.take(event, rows);
    }
    state = log.state(log.opened() ?? state.outcome);
    if (log.opened()) await changed(state, stop);
    if (log.total() >= rows) end();
    await clock.sleep(changedEveryMs, stop);
  }
  end();
  return { ...state, outcome: failed ? withItems(failed, state) : withCount(state) };
}

/** Adds a note if the answer does not have all rows that arrived. */
function withCount({ outcome, items, total }: StreamState): Outcome {
  if (outcome.kind !== "answered" || total === items.length) return outcome;
  const notes = [`These are the newest ${grouped(items.length)} of ${plural(total, "row")} that arrived.`];
  return { ...outcome, exchange: { ...outcome.exchange, parts: { requests: 1, notes } } };
}

/** Adds the rows that came before a failure to it. */
function withItems(failed: Outcome, { items, total }: StreamState): Outcome {
  if (failed.kind === "answered" || items.length === 0) return failed;
  const result = {
    value: items,
    get text() {
      return printJson(items);
    },
  };
  const notes = [`${plural(total, "row")} arrived before.`];
  return { ...failed, exchange: { ...failed.exchange, parts: { requests: 1, notes, soFar: { result } } } };
}

interface StreamLog {
  take(event: SubscriptionEvent, maxRows: number): void;
  total(): number;
  /** The acknowledgement; `undefined` before it came. */
  opened(): Outcome | undefined;
  state(outcome: Outcome): StreamState;
}

function openLog(kind: JsonValue | undefined, maxKept: number, clock: Clock): StreamLog {
  let items: JsonValue[] = [];
  let total = 0;
  let added = 0;
  let opened: Answered | undefined;
  let openedAt = 0;
  let events: readonly ConnectionEvent[] = [];
  let newEvents = 0;
  const note = (what: string): void => {
    newEvents++;
    events = [{ at: clock.date(), what }, ...events].slice(0, maxEvents);
  };
  const add = (item: JsonValue): void => {
    const at = isObject(item) && item.removed === true ? indexOf(items, item) : -1;
    if (at >= 0) {
      items[at] = { ...(items[at] as JsonObject), removed: true }; // an object: `indexOf` has checked
      return;
    }
    items.push(item);
    total++;
    added++;
  };
  return {
    take(event, maxRows) {
      switch (event.kind) {
        case "open":
          if (event.outcome.kind === "answered") [opened, openedAt] = [event.outcome, clock.now()];
          break;
        case "row":
          for (const item of itemsOf(kind, event.value)) if (total < maxRows) add(item);
          break;
        case "end":
          break;
        default:
          note(eventText(event));
      }
    },
    total: () => total,
    opened: () => opened,
    state(outcome) {
      if (items.length > maxKept) items = items.slice(-maxKept);
      const kept = [...items];
      const state = { items: kept, total, added: Math.min(added, kept.length), events, newEvents };
      [added, newEvents] = [0, 0];
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

/** Returns the index of the log that a `removed` one cancels, the newest if there are several. */
function indexOf(items: readonly JsonValue[], { transactionHash, logIndex }: JsonObject): number {
  const index = quantity(logIndex);
  return items.findLastIndex(
    (item) => isObject(item) && item.transactionHash === transactionHash && quantity(item.logIndex) === index,
  );
}

export function eventText(
  event: Extract<SubscriptionEvent, { readonly kind: "dropped" | "unreadable" | "lost" | "back" }>,
): string {
  switch (event.kind) {
    case "dropped":
      return event.rows === 1
        ? "1 row arrived faster than it could be shown, and was left out."
        : `${plural(event.rows, "row")} arrived faster than they could be shown, and were left out.`;
    case "unreadable":
      return "A row was left out because it could not be read: it is not JSON, or nests deeper than 512 levels.";
    case "lost":
      return `${event.why} Connecting again in ${formatDuration(event.waitMs)}.`;
    case "back": {
      const read =
        event.replayed > 0
          ? ` ${plural(event.replayed, "row")} that arrived in the meantime ${event.replayed === 1 ? "was" : "were"} read again.`
          : "";
      return `Connected again after ${formatDuration(event.afterMs)}.${read}${event.missed === undefined ? "" : ` ${event.missed}`}`;
    }
  }
}

/** Returns a stream without rows: it was stopped before the endpoint answered, or may not begin. */
export function emptyStream({ name, host }: Target, clock: Clock): StreamState {
  const exchange: Exchange = {
    endpoint: name,
    host,
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
  return { items: [], total: 0, added: 0, events: [], newEvents: 0, outcome };
}

const stopped = {
  what: "The subscription was stopped before it began.",
  todo: "Run it again to get the rows.",
};
