import type { Clock } from "../../server/src/base/ports.ts";
import { clock } from "../../server/src/node/environment.ts";

/** Milliseconds. Longer limits are those of whole exchanges. */
const shortLimit = 1000;

/** The real clock, but what is only shown is waited for as long as a slow machine needs. */
export const unhurriedClock: Clock = {
  ...clock,
  sleep: (ms, signal, isLimit) => clock.sleep(isLimit && ms <= shortLimit ? 5000 : ms, signal),
};
