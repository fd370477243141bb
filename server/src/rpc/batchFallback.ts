import type { Outcome } from "./outcome.ts";
import { defaultBatch } from "./wire.ts";

/**
 * Returns how the requests of a batch that failed as a batch can be sent instead.
 *
 * - `halves`: the answer, or the body, was too large.
 * - `smaller`: the endpoint refuses the batch for its size.
 * - `by-method`: perhaps only one of the methods is forbidden.
 * - `one-alone`: perhaps it does not support batches, which a single request will show.
 */
export function batchFallbackFor(failure: Outcome): "halves" | "smaller" | "by-method" | "one-alone" | "none" {
  if (failure.kind === "answered") return "none";
  switch (failure.reason) {
    case "too-large":
    case "result-limit":
      return "halves";
    case "batch-limit":
      return "smaller";
    case "not-allowed":
      return "by-method";
    case "bad-request":
    case "bad-params":
    case "unknown-method":
    case "other":
    case "not-json":
    case "not-json-rpc":
      return "one-alone";
    case "internal":
      return failure.exchange.status === 502 || failure.exchange.status === 503 ? "none" : "one-alone";
    default:
      return "none";
  }
}

/** Returns whether a single request got a real answer although the batch got none. */
export function isUnderstood(alone: Outcome | undefined, batch: Outcome): boolean {
  if (alone?.kind === "answered") return true;
  return alone?.kind === "refused" && batch.kind !== "answered" && alone.reason !== batch.reason;
}

/** Returns how many requests a batch may hold if this many were refused: as the refusal says, else half of them. */
export function smallerThan(sent: number, failure: Outcome, current: BatchSize): number | false {
  const isNone = failure.kind === "refused" && noBatches.test(failure.message);
  const items = statedItems(failure, sent) ?? (isNone ? 1 : Math.ceil(sent / 2));
  const lowest = Math.min(items, allowed(current)); // other batches may have been refused meanwhile
  return lowest > 1 && lowest;
}

/** Matches refusals of batches of any size. */
const noBatches = /not (?:supported|allowed|enabled)|unsupported|disabled/i;

/** Reads the largest number of requests out of a refusal. */
function statedItems(failure: Outcome, sent: number): number | undefined {
  const numbers = failure.kind === "refused" ? (failure.message.match(/(?<![\w.-])\d{1,4}(?![\w.])/g) ?? []) : [];
  const fitting = numbers.map(Number).filter((count) => count >= 2 && count < sent);
  return fitting.length > 0 ? Math.min(...fitting) : undefined;
}

/** Requests that a batch may hold; `false` if the endpoint refuses batches. */
type BatchSize = number | false | undefined;

export function allowed(batch: BatchSize): number {
  return batch === false ? 1 : (batch ?? defaultBatch.items);
}
