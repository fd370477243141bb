import type { JsonValue } from "../base/json.ts";
import { isObject } from "../base/json.ts";

/** Passes notifications to their listeners, and keeps those that come before the subscription's id is isId. */
export type Notifications = ReturnType<typeof openNotifications>;

export interface Listener {
  row(result: JsonValue, bytes: number): void;
  /** Called for rows that came early and were dropped. */
  lost(rows: number): void;
  /** Called for a row that cannot be read. */
  unreadable(): void;
}

/** Removes the listener of a subscription; later notifications of it are ignored. */
export type Leave = () => void;

/** Limits of all early notifications together. */
const maxEarly = { rows: 10_000, bytes: 16_000_000, subscriptions: 1000 };

interface EarlyRows {
  readonly rows: { readonly result: JsonValue; readonly bytes: number }[];
  dropped: number;
  unreadable: number;
}

export function openNotifications() {
  const listeners = new Map<string, Listener>();
  const ended = new Set<string>();
  const early = new EarlyNotifications();
  const isExpected = (subscription: string): boolean => !ended.has(subscription) && !early.isFull;
  return {
    /** @returns Whether it was a notification. */
    take(body: JsonValue | undefined, bytes: number): boolean {
      const taken = notification(body);
      if (!taken) return false;
      const { subscription, result } = taken;
      const listener = listeners.get(subscription);
      if (listener) listener.row(result, bytes);
      else if (isExpected(subscription)) early.keep(subscription, result, bytes);
      return true;
    },
    /**
     * Takes text that is not JSON or is nested too deeply.
     *
     * @returns Whether it was meant to be a notification.
     */
    takeUnreadable(text: string): boolean {
      const ids = unreadableNotification.exec(text)?.slice(1);
      const subscription = ids?.find((id) => id !== undefined);
      if (subscription === undefined) return false;
      const listener = listeners.get(subscription);
      if (listener) listener.unreadable();
      else if (isExpected(subscription)) early.of(subscription).unreadable++;
      return true;
    },
    listen(subscription: string, listener: Listener): Leave {
      listeners.set(subscription, listener);
      early.passTo(listener, subscription);
      return () => {
        if (listeners.get(subscription) === listener) listeners.delete(subscription);
        ended.add(subscription);
      };
    },
  };
}

/** Notifications that came before their subscription had a listener. */
class EarlyNotifications {
  readonly #bySubscription = new Map<string, EarlyRows>();
  #rows = 0;
  #bytes = 0;

  get isFull(): boolean {
    return this.#bySubscription.size >= maxEarly.subscriptions;
  }
  of(subscription: string): EarlyRows {
    const kept = this.#bySubscription.get(subscription) ?? { rows: [], dropped: 0, unreadable: 0 };
    this.#bySubscription.set(subscription, kept);
    return kept;
  }
  keep(subscription: string, result: JsonValue, bytes: number): void {
    const kept = this.of(subscription);
    if (this.#rows >= maxEarly.rows || this.#bytes + bytes > maxEarly.bytes) {
      kept.dropped++;
      return;
    }
    kept.rows.push({ result, bytes });
    this.#rows++;
    this.#bytes += bytes;
  }
  passTo(listener: Listener, subscription: string): void {
    const { rows, dropped, unreadable } = this.of(subscription);
    this.#bySubscription.delete(subscription);
    for (const { result, bytes } of rows) {
      this.#rows--;
      this.#bytes -= bytes;
      listener.row(result, bytes);
    }
    if (dropped > 0) listener.lost(dropped);
    for (let count = 0; count < unreadable; count++) listener.unreadable();
  }
}

/** Matches the beginning of a notification with the id of its subscription, in the order of members that nodes write. */
const unreadableNotification =
  /"method"\s*:\s*"\w{1,100}_subscription"\s*,\s*"params"\s*:\s*\{\s*"subscription"\s*:\s*(?:"([^"]{1,200})"|(\d{1,30}))/;

/** Reads `eth_subscription` and its variants of other namespaces. Some servers add an id of `null`. */
function notification(
  body: JsonValue | undefined,
): { readonly subscription: string; readonly result: JsonValue } | undefined {
  if (!isObject(body) || typeof body.method !== "string" || !isObject(body.params)) return undefined;
  const { subscription, result } = body.params;
  const id = subscriptionId(subscription);
  return id === undefined || result === undefined ? undefined : { subscription: id, result };
}

/** Reads the id of a subscription in an acknowledgement or a notification. Some servers use numbers. */
export function subscriptionId(value: JsonValue | undefined): string | undefined {
  const isId = typeof value === "string" || typeof value === "number" || typeof value === "bigint";
  return isId ? String(value) : undefined;
}
