/** Lets a bounded number of works run at once, in the order in which they came. */
export interface Lane {
  /** How many that is. */
  readonly width: number;
  /** What is added now has to wait. */
  readonly isFull: boolean;
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function openLane(width: number): Lane {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    width,
    get isFull() {
      return running >= width;
    },
    async run(work) {
      if (running >= width) await new Promise<void>((start) => waiting.push(start));
      else running++;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
  };
}
