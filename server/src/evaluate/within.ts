/** How long to repeat a request: a number of milliseconds, or of new blocks. */
export type Within = { readonly ms: number } | { readonly blocks: number };

const units = { ms: 1, s: 1000, sec: 1000, second: 1000, seconds: 1000, min: 60_000, minute: 60_000, minutes: 60_000 };

/**
 * Reads `within`.
 *
 * @returns `undefined` if it is not a time or a positive number of blocks.
 * @example readWithin("10 s"); //=> { ms: 10000 }
 */
export function readWithin(text: string): Within | undefined {
  const [, digits = "", unit = ""] = /^\s*(\d{1,9}(?:\.\d{1,3})?)\s*([a-z]+)\s*$/.exec(text) ?? [];
  const count = Number(digits);
  if (!(count > 0)) return undefined;
  if (unit === "block" || unit === "blocks") return Number.isInteger(count) ? { blocks: count } : undefined;
  const factor = Object.hasOwn(units, unit) ? units[unit as keyof typeof units] : undefined; // hasOwn says so
  return factor === undefined ? undefined : { ms: count * factor };
}
