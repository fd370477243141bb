/** Lets a bounded number of works run at once, in the order in which they came. */
export interface Limiter {
  /** How many that is. */
  readonly width: number;
  /** What is added now has to wait. */
  readonly isFull: boolean;
  /** @param signal - Once it comes, the work waits no more: it begins at once, to end as one that was cancelled. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

interface Waiting {
  readonly signal: AbortSignal | undefined;
  /** @param place - Whether a place has become free. */
  start(place: boolean): void;
}

export function openLimiter(width: number): Limiter {
  let waiting: Waiting[] = [];
  const heard = new WeakSet<AbortSignal>();
  let running = 0;
  /** One listener a signal, however many wait under it. */
  const hear = (signal: AbortSignal): void => {
    if (heard.has(signal)) return;
    heard.add(signal);
    const letGo = (): void => {
      const left = waiting.filter((one) => one.signal === signal);
      waiting = waiting.filter((one) => one.signal !== signal);
      for (const one of left) one.start(false);
    };
    signal.addEventListener("abort", letGo, { once: true });
  };
  const place = (signal: AbortSignal | undefined): Promise<boolean> | boolean => {
    if (signal?.aborted) return false;
    if (running < width) {
      running++;
      return true;
    }
    if (signal) hear(signal);
    return new Promise((start) => waiting.push({ signal, start }));
  };
  return {
    width,
    get isFull() {
      return running >= width;
    },
    async run(work, signal) {
      const found = place(signal);
      const placed = typeof found === "boolean" ? found : await found;
      try {
        return await work();
      } finally {
        const next = placed ? waiting.shift() : undefined;
        if (next) next.start(true);
        else if (placed) running--;
      }
    },
  };
}
