import { untilAborted } from "../base/deadline.ts";
import type { Clock } from "../base/ports.ts";

/** Does work once that several callers wait for at the same time, and keeps its result for a while. */
export interface RequestCoalescer<Value> {
  /**
   * @param keepMs - Milliseconds for which the result is kept.
   * @param work - Its signal aborts when no caller waits any more. Must not reject.
   * @returns `undefined` if the signal aborts first.
   */
  get(
    key: string,
    keepMs: number,
    work: (signal: AbortSignal) => Promise<Value>,
    signal: AbortSignal,
  ): Promise<Value | undefined>;
}

interface Entry<Value> {
  readonly value: Promise<Value>;
  readonly controller: AbortController;
  /** `undefined` while the work is in progress. */
  doneAt: number | undefined;
  waiting: number;
}

/** Results that are kept; the oldest are dropped first. */
const maxResults = 500;

export function openRequestCoalescer<Value>(clock: Clock): RequestCoalescer<Value> {
  const entries = new Map<string, Entry<Value>>();
  const begin = (key: string, work: (signal: AbortSignal) => Promise<Value>): Entry<Value> => {
    const controller = new AbortController();
    const entry: Entry<Value> = { value: work(controller.signal), controller, doneAt: undefined, waiting: 0 };
    void entry.value.then(() => {
      entry.doneAt = clock.now();
      if (controller.signal.aborted && entries.get(key) === entry) entries.delete(key);
    });
    for (const oldest of entries.keys()) {
      if (entries.size < maxResults) break;
      entries.delete(oldest);
    }
    entries.set(key, entry);
    return entry;
  };
  return {
    async get(key, keepMs, work, signal) {
      const last = entries.get(key);
      const isCurrent = last && !last.controller.signal.aborted && (last.doneAt ?? clock.now()) + keepMs >= clock.now();
      const entry = isCurrent ? last : begin(key, work);
      if (entry.doneAt !== undefined) return entry.value;
      entry.waiting++;
      const value = await untilAborted(entry.value, signal);
      entry.waiting--;
      if (entry.waiting === 0 && entry.doneAt === undefined) entry.controller.abort();
      return value;
    },
  };
}
