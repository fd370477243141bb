import { onAbort } from "./deadline.ts";
import type { Clock } from "./ports.ts";

/** The globals of Node, browsers and workers that a clock needs. The core itself has none of them. */
interface TimeGlobals<Timer> {
  readonly performance: { readonly timeOrigin: number; now(): number };
  setTimeout(call: () => void, ms: number): Timer;
  clearTimeout(timer: Timer): void;
}

/** Makes a clock of the globals of a platform. */
export function clockOf<Timer>(globals: TimeGlobals<Timer>): Clock {
  return {
    now: () => globals.performance.timeOrigin + globals.performance.now(),
    date: () => Date.now(),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const timer = globals.setTimeout(end, ms);
        const stopListening = onAbort(signal, end);
        function end(): void {
          globals.clearTimeout(timer);
          stopListening();
          resolve();
        }
      }),
  };
}

/**
 * A clock that is looked at once for all that happens before control is given back: a thousand answers that came in one
 * message have one time.
 */
export function tickClock(clock: Clock): Clock {
  let time: number | undefined;
  const forget = (): void => {
    time = undefined;
  };
  return {
    now() {
      if (time === undefined) {
        time = clock.now();
        void Promise.resolve().then(forget);
      }
      return time;
    },
    date: () => clock.date(),
    sleep: (ms, signal, isLimit) => clock.sleep(ms, signal, isLimit),
  };
}
