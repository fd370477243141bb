import type { Clock } from "../base/ports.ts";
import { plural } from "../base/text.ts";
import { formatDuration } from "../base/units.ts";
import type { Outcome } from "./outcome.ts";
import { type Pace, type PaceMemory, paceSlot } from "./pace.ts";

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

/** Says why a request is sent again, in a sentence. */
export function reasonToWait(outcome: Outcome): string {
  const { host, status } = outcome.exchange;
  if (outcome.kind === "unreachable") return `${host} closed the connection before it answered.`;
  if (outcome.kind === "refused" && outcome.reason === "rate-limit")
    return `${host} asks for fewer requests (${status === 429 || outcome.code === undefined ? `HTTP ${status}` : `code ${outcome.code}`}).`;
  const isByCode = outcome.kind === "refused" && outcome.code !== undefined && status === 200;
  return `${host} is temporarily unavailable (${isByCode ? `code ${outcome.code}` : `HTTP ${status}`}).`;
}

/**
 * Says why a request waits before it is sent, in a sentence.
 *
 * @param rate - Requests a second.
 */
export function delayText(delay: RateDelay, host: string, rate: number | undefined, pace: Pace | undefined): string {
  if (delay === "pause") return `${host} asked for a pause.`;
  const most = delay === "pace" && pace ? paceText(pace) : `${plural(rate ?? 0, "request")} a second`;
  return `${host} gets at most ${most}.`;
}

/** @example paceText({ requests: 5, windowMs: 1100 }) //=> "5 requests every 1.1 s" */
export function paceText({ requests, windowMs }: Pace): string {
  return `${plural(requests, "request")} every ${formatDuration(windowMs)}`;
}
