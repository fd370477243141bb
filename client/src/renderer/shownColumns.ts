import type { Column } from "./types.ts";

/** The columns that a person sees, in their order. */
export class ShownColumns {
  /** Indices into the columns of the table. */
  shown: readonly number[] = [];

  /** Shows all columns except those whose value is the same in all rows. */
  reset(columns: readonly Column[]): void {
    this.shown = columns.flatMap(({ shared }, at) => (shared ? [] : [at]));
  }
  /** Shows a column that is hidden, or hides it. The last one stays. */
  toggle(column: number): void {
    const without = this.shown.filter((one) => one !== column);
    if (without.length < this.shown.length) this.shown = without.length > 0 ? without : this.shown;
    else this.shown = [...this.shown, column].toSorted((a, b) => a - b);
  }
  /** Moves a column to the place of another. @returns Whether it has moved. */
  move(from: number, to: number): boolean {
    const column = this.shown[from];
    if (column === undefined || to < 0 || to >= this.shown.length || from === to) return false;
    this.shown = this.shown.toSpliced(from, 1).toSpliced(to, 0, column);
    return true;
  }
}
