import type { SubscriptionEvent } from "./subscriptionEvent.ts";

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
