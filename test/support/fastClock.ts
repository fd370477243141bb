import type { Clock } from "../../server/src/base/ports.ts";
import { clock } from "../../server/src/node/clock.ts";

export interface FastClock extends Clock {
  /** Lets so many milliseconds pass at once. */
  skip(ms: number): void;
}

/** Longer waits are limits of an exchange: they take as long as by the real clock. In milliseconds. */
const longestPauseMs = 2000;

/** A clock on which time passes so many times as fast. */
export function fastClock(factor = 50): FastClock {
  let skipped = 0;
  return {
    now: () => clock.now() * factor + skipped,
    date: clock.date,
    sleep: (ms, signal) => clock.sleep(ms > longestPauseMs ? ms : ms / factor, signal),
    skip: (ms) => {
      skipped += ms;
    },
  };
}
