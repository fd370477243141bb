import type { Clock } from "../base/ports.ts";

export const clock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  date: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener("abort", end, { once: true });
    }),
};
