import type { Clock } from "../base/ports.ts";

/** Work that several people wait for at once is done once, and its answer counts for a while. */
export interface RequestCoalescer<Value> {
  /**
   * @param keepMs - For which an answer counts.
   * @param work - Its signal aborts when nobody waits any more. Must not reject.
   */
  get(key: string, keepMs: number, work: (signal: AbortSignal) => Promise<Value>, signal: AbortSignal): Promise<Value>;
}

interface Entry<Value> {
  readonly value: Promise<Value>;
  readonly controller: AbortController;
  /** `undefined` while the work is under way. */
  doneAt: number | undefined;
  waiting: number;
}

/** Keys that are kept; those that were asked for longest ago go first. */
const mostKept = 500;

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
      if (entries.size < mostKept) break;
      entries.delete(oldest);
    }
    entries.set(key, entry);
    return entry;
  };
  return {
    async get(key, keepMs, work, signal) {
      const known = entries.get(key);
      const holds = known && !known.controller.signal.aborted && (known.doneAt ?? clock.now()) + keepMs >= clock.now();
      const entry = holds ? known : begin(key, work);
      if (entry.doneAt !== undefined) return entry.value;
      entry.waiting++;
      const leave = (): void => {
        entry.waiting--;
        if (entry.waiting === 0 && entry.doneAt === undefined) entry.controller.abort();
      };
      if (signal.aborted) leave();
      else signal.addEventListener("abort", leave, { once: true });
      try {
        return await entry.value;
      } finally {
        signal.removeEventListener("abort", leave);
      }
    },
  };
}
