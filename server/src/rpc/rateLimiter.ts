import type { Clock } from "../base/ports.ts";

/** When requests may leave for an endpoint; one for everything that goes there. Times are those of {@link Clock.now}. */
export interface RateLimiter {
  /** The endpoint has asked for a pause until then. */
  heldUntil: number;
  /** The requests that have left or have their turn use the rate up until then. */
  usedUntil: number;
}

/** Nothing more leaves before `time`. */
export function waitForRate(pace: RateLimiter, time: number): void {
  pace.heldUntil = Math.max(pace.heldUntil, time);
}

/** Milliseconds of waiting that people want to know of. */
export const noticeable = 500;

/** What a message waits for: a pause that the endpoint asked for, or its share of the rate. */
export type RateDelay = "pause" | "rate";

/**
 * Waits for the turn of a message.
 *
 * @param count - Requests in it: providers count them, not the bodies.
 * @param rate - Requests a second; `undefined` where nobody says so.
 * @param told - Before each wait of some length, with its milliseconds.
 */
export async function reserveSlot(
  pace: RateLimiter,
  count: number,
  rate: number | undefined,
  clock: Clock,
  signal: AbortSignal,
  told: (holdup: RateDelay, waitMs: number) => void,
): Promise<void> {
  let due = 0;
  if (rate !== undefined) {
    due = Math.max(pace.usedUntil, clock.now());
    pace.usedUntil = due + (count * 1000) / rate;
  }
  // An endpoint may ask for a pause while this one waits.
  while (!signal.aborted) {
    const wait = Math.max(due, pace.heldUntil) - clock.now();
    if (wait <= 0) return;
    if (wait >= noticeable) told(pace.heldUntil > due ? "pause" : "rate", wait);
    await clock.sleep(wait, signal);
  }
}
