import { memoByObject } from "../base/memo.ts";
import type { Cell } from "./cell.ts";

/**
 * The number by which people know a cell without a name, for each cell: from 1; 0 for Markdown. What only tells of the
 * requests does not count, so that a word of explanation more changes no number.
 */
export const cellNumbers = memoByObject((cells: readonly Cell[]): readonly number[] => {
  let last = 0;
  return cells.map(({ kind }) => (kind === "markdown" || kind === "header" ? 0 : ++last));
});
