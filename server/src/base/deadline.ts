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
  const [over, timer] = [new AbortController(), new AbortController()];
  const stopListening = onAbort(signal, () => timer.abort(ended)); // AbortSignal.any would stay with the signal in Node 20
  const deadline = clock.sleep(Math.min(maxMs, maxTimerMs), timer.signal, true);
  const early = deadline.then(() => (signal.aborted ? "cancelled" : "timeout"));
  return Promise.race([work(over.signal), early]).finally(() => {
    stopListening();
    timer.abort(ended);
    over.abort(ended);
  });
}

/** The usual reason has a stack, which takes longer than the work. */
const ended = new Error("It has ended.");

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

/** The globals of Node, browsers and workers that a clock needs. The core itself has none of them. */
interface TimeGlobals<Timer> {
  readonly performance: { readonly timeOrigin: number; now(): number };
  setTimeout(call: () => void, ms: number): Timer;
  clearTimeout(timer: Timer): void;
}

/** Makes a clock of the globals of a platform. */
export function clockOf<Timer>(globals: TimeGlobals<Timer>): Clock {
  return {
    now: () => globals.performance.timeOrigin + globals.performance.now(),
    date: () => Date.now(),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const timer = globals.setTimeout(end, ms);
        const stopListening = onAbort(signal, end);
        function end(): void {
          globals.clearTimeout(timer);
          stopListening();
          resolve();
        }
      }),
  };
}

/**
 * A clock that is looked at once for all that happens before control is given back: a thousand answers that came in one
 * message have one time.
 */
export function tickClock(clock: Clock): Clock {
  let time: number | undefined;
  const forget = (): void => {
    time = undefined;
  };
  return {
    now() {
      if (time === undefined) {
        time = clock.now();
        void Promise.resolve().then(forget);
      }
      return time;
    },
    date: () => clock.date(),
    sleep: (ms, signal, isLimit) => clock.sleep(ms, signal, isLimit),
  };
}
