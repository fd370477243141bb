import type { Clock } from "./ports.ts";

/** Calls a function when a signal aborts, or at once if it has. @returns A function that stops this. */
export function onAbort(signal: AbortSignal, call: () => void): () => void {
  if (signal.aborted) call();
  else signal.addEventListener("abort", call, { once: true });
  return () => signal.removeEventListener("abort", call);
}

/** Milliseconds that timers support. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Does work under a deadline. Settles when the work does, at the deadline, or when it is cancelled, even if the work itself
 * never settles.
 *
 * @param work - Its signal aborts in all three cases, so that it closes everything that it opened and did not hand over.
 */
export async function withDeadline<Result>(
  clock: Clock,
  maxMs: number,
  signal: AbortSignal,
  work: (over: AbortSignal) => Promise<Result>,
): Promise<Result | "cancelled" | "timeout"> {
  if (signal.aborted) return "cancelled";
  const over = new AbortController();
  const deadline = clock.sleep(Math.min(maxMs, maxTimerMs), AbortSignal.any([signal, over.signal]), true);
  const early = deadline.then(() => (signal.aborted ? "cancelled" : "timeout"));
  return Promise.race([work(over.signal), early]).finally(() => over.abort());
}

/** Waits for work that goes on. @returns `undefined` if the time is over or the signal aborts first. */
export async function withinTime<T>(
  work: Promise<T>,
  maxMs: number,
  clock: Clock,
  signal: AbortSignal = new AbortController().signal,
): Promise<T | undefined> {
  const done = await withDeadline(clock, maxMs, signal, async () => ({ value: await work }));
  return typeof done === "string" ? undefined : done.value;
}

/** Waits for work that goes on. @returns `undefined` if the signal aborts first. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => resolve(undefined));
    work.then(resolve, reject).finally(stopListening);
  });
}
