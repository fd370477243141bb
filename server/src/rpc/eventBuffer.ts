import type { StreamEvent } from "./subscription.ts";

/** Bytes of notifications that wait at most. */
const maxBytes = 32_000_000;

/** What waits to be taken. */
export interface EventBuffer {
  put(event: StreamEvent): void;
  next(): Promise<readonly StreamEvent[]>;
  close(): void;
}

export function openEventBuffer(maxRows: number): EventBuffer {
  let events: StreamEvent[] = [];
  let size = { rows: 0, bytes: 0 };
  let dropped = 0;
  let isClosed = false;
  let wake: (() => void) | undefined;
  /** Half of what waits goes at once, so that a full basket costs little. */
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
    put(event) {
      if (isClosed) return;
      events.push(event);
      if (event.kind === "row") {
        size.rows++;
        size.bytes += event.bytes;
        if (size.rows > maxRows || (size.bytes > maxBytes && size.rows > 1)) makeRoom();
      }
      wake?.();
    },
    async next() {
      while (events.length === 0 && !isClosed) {
        await new Promise<void>((go) => {
          wake = go;
        });
      }
      const taken: readonly StreamEvent[] = dropped > 0 ? [{ kind: "dropped", rows: dropped }, ...events] : events;
      events = [];
      size = { rows: 0, bytes: 0 };
      dropped = 0;
      return taken;
    },
    close() {
      isClosed = true;
      wake?.();
    },
  };
}
