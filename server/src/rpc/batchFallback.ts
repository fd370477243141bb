import type { Outcome } from "./outcome.ts";
import { defaultBatch } from "./wire.ts";

/**
 * Tells how the requests of a batch that failed as a batch may be answered all the same.
 *
 * - `halves`: the answer, or the body, was too large.
 * - `smaller`: the endpoint names the batch as the fault.
 * - `by-method`: one of the methods may be forbidden, and the others not.
 * - `one-alone`: it may not know batches at all, which a request alone will tell.
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

/** A request alone got a real answer where the batch got none. */
export function isUnderstood(alone: Outcome | undefined, batch: Outcome): boolean {
  if (alone?.kind === "answered") return true;
  return alone?.kind === "refused" && batch.kind !== "answered" && alone.reason !== batch.reason;
}

/** How many requests a batch may hold where this many were refused: what the refusal says, else the half. */
export function smallerThan(sent: number, failure: Outcome, known: BatchSize): number | false {
  const isNone = failure.kind === "refused" && noBatches.test(failure.message);
  const items = statedItems(failure, sent) ?? (isNone ? 1 : Math.ceil(sent / 2));
  const fewest = Math.min(items, allowed(known)); // others may have been refused meanwhile
  return fewest > 1 && fewest;
}

/** Batches of any size are refused. */
const noBatches = /not (?:supported|allowed|enabled)|unsupported|disabled/i;

/** The number of requests that a refusal says a batch may hold. */
function statedItems(failure: Outcome, sent: number): number | undefined {
  const numbers = failure.kind === "refused" ? (failure.message.match(/(?<![\w.-])\d{1,4}(?![\w.])/g) ?? []) : [];
  const fitting = numbers.map(Number).filter((count) => count >= 2 && count < sent);
  return fitting.length > 0 ? Math.min(...fitting) : undefined;
}

/** How many requests a batch may hold; `false` where the endpoint takes none. */
type BatchSize = number | false | undefined;

export function allowed(batch: BatchSize): number {
  return batch === false ? 1 : (batch ?? defaultBatch.items);
}
