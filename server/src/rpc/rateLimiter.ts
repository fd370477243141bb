import type { Clock } from "../base/ports.ts";

/** When requests may be sent to an endpoint; one for all of them. Times are those of {@link Clock.now}. */
export interface RateLimiter {
  /** The endpoint asked for a pause until this time. */
  heldUntil: number;
  /** The requests that were sent or have a slot use up the rate until this time. */
  usedUntil: number;
}

/** Sends nothing more before `time`. */
export function waitForRate(limiter: RateLimiter, time: number): void {
  limiter.heldUntil = Math.max(limiter.heldUntil, time);
}

/** The shortest wait that is worth reporting. */
export const noticeableMs = 500;

/** The reason for a wait: a pause that the endpoint asked for, or the rate. */
export type RateDelay = "pause" | "rate";

/**
 * Waits until a message may be sent.
 *
 * @param count - Requests in it: providers count them, not the bodies.
 * @param rate - Requests a second; `undefined` for no limit.
 * @param onDelay - Called before each longer wait, with its milliseconds.
 */
export async function reserveSlot(
  limiter: RateLimiter,
  count: number,
  rate: number | undefined,
  clock: Clock,
  signal: AbortSignal,
  onDelay: (delay: RateDelay, waitMs: number) => void,
): Promise<void> {
  let slotAt = 0;
  if (rate !== undefined) {
    slotAt = Math.max(limiter.usedUntil, clock.now());
    limiter.usedUntil = slotAt + (count * 1000) / rate;
  }
  // The endpoint may ask for a pause while this message waits.
  while (!signal.aborted) {
    const wait = Math.max(slotAt, limiter.heldUntil) - clock.now();
    if (wait <= 0) return;
    if (wait >= noticeableMs) onDelay(limiter.heldUntil > slotAt ? "pause" : "rate", wait);
    await clock.sleep(wait, signal);
  }
}
