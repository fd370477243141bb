import type { Clock } from "../../server/src/base/ports.ts";
import { clock } from "../../server/src/node/environment.ts";

export interface FastClock extends Clock {
  /** Lets so many milliseconds pass at once. */
  skip(ms: number): void;
}

/** Longer waits take as long as by the real clock. In milliseconds. */
const longestPauseMs = 2000;

/** A clock on which time passes so many times as fast, except while another program has a limit: it is as slow as it is. */
export function fastClock(factor = 50): FastClock {
  let passed = clock.now() * factor;
  let at = clock.now();
  let limits = 0;
  const now = (): number => {
    const real = clock.now();
    passed += (real - at) * (limits > 0 ? 1 : factor);
    at = real;
    return passed;
  };
  const limited = async (sleep: Promise<void>): Promise<void> => {
    now();
    limits++;
    await sleep;
    now();
    limits--;
  };
  return {
    now,
    date: clock.date,
    sleep: (ms, signal, isLimit) => {
      if (isLimit) return limited(clock.sleep(ms, signal));
      return clock.sleep(ms > longestPauseMs ? ms : ms / factor, signal);
    },
    skip: (ms) => {
      passed += ms;
    },
  };
}
