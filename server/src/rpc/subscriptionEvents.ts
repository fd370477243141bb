import { bytesOf } from "../base/compression.ts";
import { isArray, isObject, type JsonValue, parseJson } from "../base/json.ts";
import type { Outcome } from "./outcome.ts";

/** An event of a subscription. Events arrive in order. */
export type SubscriptionEvent =
  /** The endpoint has accepted the subscription for the first time. */
  | { readonly kind: "open"; readonly outcome: Outcome }
  /** The result of one notification, or a log that was read again after an interruption. */
  | { readonly kind: "row"; readonly value: JsonValue; readonly bytes: number; readonly replayed: boolean }
  /** Rows that were not taken in time. */
  | { readonly kind: "dropped"; readonly rows: number }
  /** A row that is not JSON, or is nested too deeply. */
  | { readonly kind: "unreadable" }
  | { readonly kind: "lost"; readonly why: string; readonly waitMs: number }
  /** It continues. `missed` says what could not be read again. */
  | { readonly kind: "back"; readonly afterMs: number; readonly replayed: number; readonly missed: string | undefined }
  /** It could not begin, or cannot continue. */
  | { readonly kind: "end"; readonly outcome: Outcome };

/** Bytes of the rows that are buffered. */
const maxBytes = 32_000_000;

/** Buffers the events of a subscription until they are taken. */
export type EventBuffer = ReturnType<typeof openEventBuffer>;

export function openEventBuffer(maxRows: number) {
  let events: SubscriptionEvent[] = [];
  let size = { rows: 0, bytes: 0 };
  let dropped = 0;
  let isClosed = false;
  let wake: (() => void) | undefined;
  /** Drops the older half of the rows at once, so that a full buffer costs little. */
  const makeRoom = (): void => {
    let toDrop = Math.ceil(size.rows / 2);
    events = events.filter((event) => {
      if (event.kind !== "row" || toDrop === 0) return true;
      toDrop--;
      dropped++;
      size.rows--;
      size.bytes -= event.bytes;
      return false;
    });
  };
  return {
    put(event: SubscriptionEvent): void {
      if (isClosed) return;
      events.push(event);
      if (event.kind === "row") {
        size.rows++;
        size.bytes += event.bytes;
        if (size.rows > maxRows || (size.bytes > maxBytes && size.rows > 1)) makeRoom();
      }
      wake?.();
    },
    /** Waits for events, and takes all of them; empty after the end. */
    async next(): Promise<readonly SubscriptionEvent[]> {
      while (events.length === 0 && !isClosed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const taken: readonly SubscriptionEvent[] =
        dropped > 0 ? [{ kind: "dropped", rows: dropped }, ...events] : events;
      events = [];
      size = { rows: 0, bytes: 0 };
      dropped = 0;
      return taken;
    },
    close(): void {
      isClosed = true;
      wake?.();
    },
  };
}

/** Kinds whose notifications may have several items, though most servers send one. */
const lists: ReadonlySet<string> = new Set([
  "logs",
  "pendingLogs",
  "newPendingTransactions",
  "newFlashblockTransactions",
  "transactionReceipts",
]);

/**
 * Returns the items of one notification. Servers send a log or a list of logs, hashes or whole transactions, and a flashblock
 * as an object, as JSON in a string, or as that in base64.
 */
export function itemsOf(kind: JsonValue | undefined, result: JsonValue): readonly JsonValue[] {
  if (typeof kind !== "string") return [result];
  if (lists.has(kind) && isArray(result)) return result;
  return [kind === "newFlashblocks" && typeof result === "string" ? flashblockIn(result) : result];
}

function flashblockIn(text: string): JsonValue {
  const fromJson = parseJson(text);
  if (isObject(fromJson)) return fromJson;
  if (!/^[\w+/-]+=*$/.test(text) || text.startsWith("0x")) return text;
  const fromBase64 = parseJson(new TextDecoder().decode(bytesOf(text.replace(/-/g, "+").replace(/_/g, "/"))));
  return isObject(fromBase64) ? fromBase64 : text;
}
