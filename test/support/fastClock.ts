import type { Clock } from "../../server/src/base/ports.ts";
import { clock } from "../../server/src/node/clock.ts";

/** A clock on which time passes so many times as fast, for a chain whose periods are shorter by as much. */
export function fastClock(factor: number): Clock {
  return {
    now: () => clock.now() * factor,
    date: clock.date,
    sleep: (ms, signal) => clock.sleep(ms / factor, signal),
  };
}
