import type { Clock } from "../base/ports.ts";
import { type PaceMemory, paceSlot } from "./pace.ts";

/** When requests may be sent to an endpoint; one for all of them. Times are those of {@link Clock.now}. */
export interface RateLimiter extends PaceMemory {
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

/** The reason for a wait: a pause that the endpoint asked for, the rate of its entry, or the pace that it showed. */
export type RateDelay = "pause" | "rate" | "pace";

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
    const now = clock.now();
    const paceAt = paceSlot(limiter, count, now);
    const until = Math.max(slotAt, limiter.heldUntil, paceAt);
    if (until <= now) return;
    const delay = until === paceAt ? "pace" : until === slotAt ? "rate" : "pause";
    const wait = until - now;
    if (wait >= noticeableMs) onDelay(delay, wait);
    await clock.sleep(wait, signal);
  }
}
