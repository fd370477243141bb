import { plural } from "../base/text.ts";
import { formatDuration } from "../base/units.ts";
import type { Outcome } from "./outcome.ts";
import type { Pace } from "./pace.ts";
import type { RateDelay } from "./rateLimiter.ts";

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
export function paceText({ requests, windowMs }: Pick<Pace, "requests" | "windowMs">): string {
  return `${plural(requests, "request")} every ${formatDuration(windowMs)}`;
}
