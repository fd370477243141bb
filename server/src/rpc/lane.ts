import type { Clock } from "../base/ports.ts";

/** Lets a bounded number of works run at once, in the order in which they came, and holds the next ones back. */
export interface Lane {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Nothing more starts before `time`, in milliseconds since 1970: an endpoint asked for a pause. */
  hold(time: number): void;
}

export function openLane(width: number, clock: Clock, signal: AbortSignal): Lane {
  const waiting: (() => void)[] = [];
  let running = 0;
  let resumeAt = 0;
  return {
    async run(work) {
      if (running >= width) await new Promise<void>((start) => waiting.push(start));
      else running++;
      try {
        const pause = resumeAt - clock.now();
        if (pause > 0) await clock.sleep(pause, signal);
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
    hold(time) {
      resumeAt = Math.max(resumeAt, time);
    },
  };
}
