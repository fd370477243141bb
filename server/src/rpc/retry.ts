import type { JsonValue } from "../base/json.ts";
import { isObject } from "../base/json.ts";
import type { Outcome, Refused } from "./outcome.ts";

/** A wait before the next attempt, reported before it begins. */
export interface Retry {
  /** A sentence on what happened, which names the host. */
  readonly reason: string;
  readonly waitMs: number;
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  /** The requests that will be sent again, as {@link send} numbers them. */
  readonly indices: readonly number[];
}

export interface RetryPolicy {
  /** The first attempt included. */
  readonly attempts: number;
  /** The first wait if the endpoint names none; it doubles. */
  readonly baseMs: number;
  /** After a longer wait than this, there is no further attempt. */
  readonly maxWaitMs: number;
}

export const defaultRetry: RetryPolicy = { attempts: 4, baseMs: 250, maxWaitMs: 60_000 };

/**
 * Returns whether the same request may succeed a moment later. HTTP 403 and 413 are permanent, and so is a
 * request that took the endpoint too long (504).
 */
export function isTemporary(outcome: Outcome): boolean {
  switch (outcome.kind) {
    case "answered":
      return false;
    case "unreachable":
      return outcome.reason === "reset" && outcome.exchange.status === undefined;
    case "refused":
      return isTemporaryRefusal(outcome);
  }
}

function isTemporaryRefusal({ reason, code, exchange: { status } }: Refused): boolean {
  if (status === 403 || status === 413) return false;
  return (
    reason === "rate-limit" ||
    (reason === "internal" && (status === 502 || status === 503 || code === badBackendResponse))
  );
}

/** proxyd: one of the nodes behind it did not answer with JSON-RPC. */
const badBackendResponse = -32013;

/**
 * Returns the milliseconds before the next attempt: as the endpoint asks (`Retry-After` in seconds or as a date,
 * Infura's `data.rate.backoff_seconds`), else doubling with jitter.
 *
 * @param now - Milliseconds since 1970, for `Retry-After` dates.
 * @param random - From 0 to 1.
 * @returns `undefined` if there is no further attempt.
 */
export function waitBefore(
  outcomes: readonly Outcome[],
  attempt: number,
  policy: RetryPolicy,
  now: number,
  random: number,
): number | undefined {
  if (attempt >= policy.attempts) return undefined;
  const requested = outcomes.map((outcome) => requestedWait(outcome, now)).filter((wait) => wait !== undefined);
  const own = policy.baseMs * 2 ** (attempt - 1) * (0.5 + random / 2);
  // Requests that got the same wait should not be repeated at the same moment.
  const wait = requested.length > 0 ? Math.max(...requested) + policy.baseMs * random : own;
  return wait <= policy.maxWaitMs ? Math.ceil(wait) : undefined;
}

function requestedWait(outcome: Outcome, now: number): number | undefined {
  const header = retryAfter(outcome.exchange.headers["retry-after"], now);
  const backoff = outcome.kind === "refused" ? backoffSeconds(outcome.data) : undefined;
  if (header === undefined) return backoff;
  return Math.max(header, backoff ?? 0);
}

/**
 * @returns Milliseconds; `undefined` if the header is missing or invalid.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-retry-after
 * @example retryAfter("2", 0); //=> 2000
 */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function backoffSeconds(data: JsonValue | undefined): number | undefined {
  const rate = isObject(data) ? data.rate : undefined;
  const seconds = isObject(rate) ? rate.backoff_seconds : undefined;
  return typeof seconds === "number" && seconds >= 0 ? seconds * 1000 : undefined;
}
