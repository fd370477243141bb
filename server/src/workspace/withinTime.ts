import type { Clock } from "../base/ports.ts";

/**
 * Waits for work, but only for a while.
 *
 * @returns `undefined` if the time is over or the signal aborts first. The work goes on.
 */
export async function withinTime<T>(
  work: Promise<T>,
  maxMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<T | undefined> {
  const done = new AbortController();
  const timer = clock.sleep(maxMs, AbortSignal.any([signal, done.signal]));
  try {
    return await Promise.race([work, timer.then(() => undefined)]);
  } finally {
    done.abort();
  }
}
