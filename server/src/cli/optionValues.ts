import { listed } from "../base/text.ts";
import { UsageError } from "./terminal.ts";

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** @returns Milliseconds. */
export function duration(text: string): number {
  const [, number = "", unit = "s"] = /^(\d{1,9}(?:\.\d{1,3})?) ?(ms|s|m|h)?$/.exec(text) ?? [];
  const ms = Number(number) * (unitMs[unit] ?? 0);
  if (ms > 0 && ms < 2 ** 31) return ms;
  throw new UsageError(`--for ${text} is not a duration.`, { hint: "Write one such as --for 10s, 500ms or 2m." });
}

export function count(option: string, text: string, max: number): number {
  if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= max) return Number(text);
  throw new UsageError(`--${option} ${text} is not a count.`, { hint: `Write a number from 1 to ${max}.` });
}

export function choice<T extends string>(option: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === text);
  if (found) return found;
  throw new UsageError(`--${option} ${text} is not supported.`, { hint: `Write ${listed(allowed, "or")}.` });
}
