/** A server that ends more often than this within {@link periodMs} is not started again by itself. */
export const crashLimit = 4;
export const periodMs = 3 * 60 * 1000;

/**
 * Counts crashes.
 *
 * @returns A function to call at each crash, with the time in milliseconds; it answers whether to start again.
 */
export function crashCounter(): (now: number) => boolean {
  let recent: readonly number[] = [];
  return (now) => {
    recent = [...recent.filter((time) => now - time < periodMs), now];
    return recent.length <= crashLimit;
  };
}
