import { setTimeout } from "node:timers/promises";
/** The areas that can be measured alone. */
export const areas = [
  "decode",
  "run",
  "edit",
  "start",
  "size",
  "live",
  "render",
  "recording",
  "trace",
  "command",
] as const;
export type Area = (typeof areas)[number];

/** One measurement. Its baseline was measured in the same run, in turn with it. */
export interface Row {
  readonly area: Area;
  readonly name: string;
  readonly value: number;
  readonly unit: "ms" | "kB" | "×" | "MB" | "%" | "/s";
  /** The maximum, or the minimum if `atLeast` is set; absent if there is no limit. */
  readonly budget?: number;
  readonly atLeast?: true;
  /** The value to compare with: `raw batch fetch 9.1 ms`. */
  readonly baseline?: string;
}

export function isOk({ value, budget, atLeast }: Row): boolean {
  return budget === undefined || (atLeast ? value >= budget : value <= budget);
}

/** Milliseconds that each of the tasks takes: medians over `rounds`, in turn, so that a drift of the machine hits all alike. */
export function medians(rounds: number, ...tasks: readonly (() => unknown)[]): Promise<readonly number[]> {
  return mediansAfter(() => globalThis.gc?.(), rounds, tasks);
}

/** The same for tasks that leave little behind: collecting all garbage would throw away compiled code as well. */
export function warmMedians(rounds: number, ...tasks: readonly (() => unknown)[]): Promise<readonly number[]> {
  return mediansAfter(() => {}, rounds, tasks);
}

/** The same for tasks after which work goes on that belongs to none of them. @param pauseMs - Milliseconds before each task. */
export function pausedMedians(
  pauseMs: number,
  rounds: number,
  ...tasks: readonly (() => unknown)[]
): Promise<readonly number[]> {
  return mediansAfter(() => setTimeout(pauseMs), rounds, tasks);
}

async function mediansAfter(
  prepare: () => unknown,
  rounds: number,
  tasks: readonly (() => unknown)[],
): Promise<readonly number[]> {
  const times: number[][] = tasks.map(() => []);
  for (let round = -1; round < rounds; round++) {
    for (const [at, task] of tasks.entries()) {
      await prepare();
      const begun = performance.now();
      await task();
      if (round >= 0) times[at]?.push(performance.now() - begun); // the first round warms up
    }
  }
  return times.map(median);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

/** @example round(1.2345) //=> 1.23 */
export function round(value: number): number {
  return Number(value.toPrecision(3));
}
