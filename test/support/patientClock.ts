import type { Clock } from "../../server/src/base/ports.ts";

/** Waits take no time, but the clock goes on. */
export function patientClock(slept: (total: number) => void = () => {}): Clock {
  let total = 0;
  return {
    now: () => Date.now() + total,
    date: () => Date.now() + total,
    sleep: async (ms) => {
      total += ms;
      slept(total);
    },
  };
}
