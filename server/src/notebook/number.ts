import type { Cell } from "./cell.ts";

/**
 * The number by which people know a cell without a name, for each cell: from 1; 0 for Markdown. What only tells of the
 * requests does not count, so that a word of explanation more changes no number.
 */
export function cellNumbers(cells: readonly Cell[]): readonly number[] {
  const known = numbersOf.get(cells);
  if (known) return known;
  let last = 0;
  const numbers = cells.map(({ kind }) => (kind === "markdown" || kind === "header" ? 0 : ++last));
  numbersOf.set(cells, numbers);
  return numbers;
}

const numbersOf = new WeakMap<readonly Cell[], readonly number[]>();
