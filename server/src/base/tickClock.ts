import type { Clock } from "./ports.ts";

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
