import type { Clock } from "./ports.ts";

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

/**
 * Waits for work until a signal aborts.
 *
 * @returns `undefined` if the signal aborts first. The work goes on.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  let stop = (): void => {};
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
  });
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
