/** Work that is repeated until it is stopped, and can be given another rhythm. */
export interface Timers {
  /** Leaves a turn out while the one before is not done. */
  repeat(everyMs: number, work: () => Promise<unknown>): void;
  /** Ends every repetition. */
  clear(): void;
}

export function createTimers(): Timers {
  const timers = new Set<NodeJS.Timeout>();
  return {
    repeat(everyMs, work) {
      let busy = false;
      const turn = (): void => {
        if (busy) return;
        busy = true;
        // anvil may end at any time; its pending requests then fail
        work()
          .catch(() => undefined)
          .finally(() => {
            busy = false;
          });
      };
      timers.add(setInterval(turn, everyMs));
    },
    clear() {
      for (const timer of timers) clearInterval(timer);
      timers.clear();
    },
  };
}
