import type { Column, Shown, TableSection } from "./report.ts";

/** A table shows this many rows; a face that wants more has the answer itself. */
export const maxRows = 200;

/** A column of a table, and how a row fills it. */
export interface Cells<Row> {
  readonly name: string;
  readonly align?: Column["align"];
  readonly of: (row: Row, index: number) => Shown;
}

export function table<Row>(rows: readonly Row[], columns: readonly Cells<Row>[], title?: string): TableSection {
  return {
    kind: "table",
    ...(title !== undefined && { title }),
    columns: columns.map(({ name, align = "left" }) => ({ name, align })),
    rows: rows.slice(0, maxRows).map((row, index) => columns.map((column) => column.of(row, index))),
    total: rows.length,
  };
}

/** Columns in which at least one of the rows has something. */
export function filled<Row>(rows: readonly Row[], columns: readonly Cells<Row>[]): readonly Cells<Row>[] {
  const first = rows.slice(0, maxRows);
  return columns.filter((column) => first.some((row, index) => column.of(row, index).text !== ""));
}

export const nothing: Shown = { text: "" };
