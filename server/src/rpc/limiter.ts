interface WaitingTask {
  readonly signal: AbortSignal | undefined;
  /** @param hasSlot - Whether it counts as one of the running tasks. */
  start(hasSlot: boolean): void;
}

/** Limits concurrency: at most `max` tasks run at once, first in, first out. */
export class Limiter {
  readonly max: number;
  #waiting: WaitingTask[] = [];
  #running = 0;
  /** Signals with a listener: one each, however many tasks wait under it. */
  readonly #heard = new WeakSet<AbortSignal>();

  constructor(max: number) {
    this.max = max;
  }

  /** The next task has to wait. */
  get isFull(): boolean {
    return this.#running >= this.max;
  }
  /** @param signal - When it aborts, the task stops waiting and starts at once, to end as a cancelled one. */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const slot = this.#takeSlot(signal);
    const hasSlot = typeof slot === "boolean" ? slot : await slot;
    try {
      return await task();
    } finally {
      if (hasSlot) this.#freeSlot();
    }
  }
  #takeSlot(signal: AbortSignal | undefined): Promise<boolean> | boolean {
    if (signal?.aborted) return false;
    if (!this.isFull) {
      this.#running++;
      return true;
    }
    if (signal) this.#listenTo(signal);
    return new Promise((start) => this.#waiting.push({ signal, start }));
  }
  #freeSlot(): void {
    const next = this.#waiting.shift();
    if (next) next.start(true);
    else this.#running--;
  }
  #listenTo(signal: AbortSignal): void {
    if (this.#heard.has(signal)) return;
    this.#heard.add(signal);
    const release = (): void => {
      const released = this.#waiting.filter((task) => task.signal === signal);
      this.#waiting = this.#waiting.filter((task) => task.signal !== signal);
      for (const task of released) task.start(false);
    };
    signal.addEventListener("abort", release, { once: true });
  }
}
