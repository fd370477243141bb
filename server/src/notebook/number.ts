import { memoByObject } from "../base/memo.ts";
import type { Cell } from "./cell.ts";

/**
 * Returns the number displayed for each cell, which identifies a cell without a name: from 1. Markdown and header cells
 * get 0 and are not counted, so adding an explanation does not change any number.
 */
export const cellNumbers = memoByObject((cells: readonly Cell[]): readonly number[] => {
  let last = 0;
  return cells.map(({ kind }) => (kind === "markdown" || kind === "header" ? 0 : ++last));
});
