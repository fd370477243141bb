import type { Clock } from "../../server/src/base/ports.ts";

/** A clock that only sleeping moves: everybody who sleeps wakes in order. */
export function steppedClock(): Clock & { run(): Promise<void> } {
  let now = 1000;
  const sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  return {
    now: () => now,
    date: () => now,
    sleep: (ms) => new Promise((wake) => sleepers.push({ until: now + ms, wake })),
    async run() {
      for (;;) {
        await new Promise(setImmediate);
        sleepers.sort((a, b) => a.until - b.until);
        const next = sleepers.shift();
        if (!next) return;
        now = Math.max(now, next.until);
        next.wake();
      }
    },
  };
}
