import { countCases } from "../../scripts/lib/caseCounts.mjs";

/** Whether this run tries all cases: `npm test -- --thorough`. Other runs try enough to show that a property is tested. */
export const thorough = process.env.TEST_DEPTH === "thorough";

/** Differs from run to run, so that several short runs together try more cases than one. */
export const seed = Number(process.env.TEST_SEED ?? Date.now());

/**
 * The number of random cases of a property: `fc.assert(property, { numRuns: times(1000) })`.
 *
 * @param all - In a thorough run.
 * @param few - In other runs; by default a tenth of all, from 10 to 100.
 */
export function times(all: number, few = Math.min(Math.max(Math.ceil(all / 10), 10), 100)): number {
  return thorough ? all : Math.min(few, all);
}

/** The rounds of a test that repeats something, numbered from 0. For the parameters see {@link times}. */
export function rounds(all: number, few?: number): readonly number[] {
  const count = times(all, few);
  countCases(count);
  return [...Array(count).keys()];
}

/**
 * Chooses the cases of a table that this run tries: all in a thorough run, otherwise a few, spread evenly over the table.
 *
 * @param few - The number of cases in other runs.
 * @param most - The number of cases in a thorough run, if all would take too long. Others are tried with each seed.
 */
export function some<T>(all: readonly T[], few: number, most = all.length): readonly T[] {
  const count = thorough ? most : few;
  const chosen = all.length <= count ? all : spread(all, count);
  countCases(chosen.length);
  return chosen;
}

function spread<T>(all: readonly T[], few: number): readonly T[] {
  const step = all.length / few;
  const chosen = new Set([...Array(few).keys()].map((at) => Math.floor(at * step) + (seed % Math.ceil(step))));
  return all.filter((_, at) => chosen.has(at));
}
