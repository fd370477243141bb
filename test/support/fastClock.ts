import type { Clock } from "../../server/src/base/ports.ts";
import { clock } from "../../server/src/node/environment.ts";

export interface FastClock extends Clock {
  /** Lets so many milliseconds pass at once. */
  skip(ms: number): void;
}

/** Longer waits take as long as by the real clock. In milliseconds. */
const longestPauseMs = 2000;

/** A clock on which time passes so many times as fast, except for limits: other programs are as slow as they are. */
export function fastClock(factor = 50): FastClock {
  let skipped = 0;
  return {
    now: () => clock.now() * factor + skipped,
    date: clock.date,
    sleep: (ms, signal, isLimit) => clock.sleep(isLimit || ms > longestPauseMs ? ms : ms / factor, signal),
    skip: (ms) => {
      skipped += ms;
    },
  };
}
