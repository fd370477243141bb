import type { Column, Shown, TableSection } from "./report.ts";

/** Rows that a table carries; those after them are made when they are asked for. */
export const maxRows = 200;

/** A column of a table, and how a row fills it. */
export interface Cells<Row> {
  readonly name: string;
  readonly align?: Column["align"];
  readonly of: (row: Row, index: number) => Shown;
}

/** Rows that need not exist before they are looked at. Arrays are such. */
export interface Indexed<Row> {
  readonly length: number;
  at(index: number): Row | undefined;
}

/** A row of a table as it is shown; each call makes it anew. */
type ShownRow = (index: number) => readonly Shown[];

/** Beside the sections and not in them: those are plain data. */
const shownRows = new WeakMap<TableSection, ShownRow>();

export function table<Row>(rows: Indexed<Row>, columns: readonly Cells<Row>[], title?: string): TableSection {
  const shown: ShownRow = (index) => {
    const row = rows.at(index);
    return row === undefined ? [] : columns.map((column) => column.of(row, index));
  };
  const section: TableSection = {
    kind: "table",
    ...(title !== undefined && { title }),
    columns: columns.map(({ name, align = "left" }) => ({ name, align })),
    rows: Array.from({ length: Math.min(rows.length, maxRows) }, (_, index) => shown(index)),
    total: rows.length,
  };
  if (rows.length > maxRows) shownRows.set(section, shown);
  return section;
}

/** Makes the rows that a section leaves out; `undefined` if it has them all. Pass the section itself, not a copy. */
export function rowsBeyond(section: TableSection): ShownRow | undefined {
  return shownRows.get(section);
}

/** Columns in which at least one of the rows has something. */
export function filled<Row>(rows: Indexed<Row>, columns: readonly Cells<Row>[]): readonly Cells<Row>[] {
  return columns.filter((column) => {
    for (let index = 0; index < rows.length; index++) {
      const row = rows.at(index);
      if (row !== undefined && column.of(row, index).text !== "") return true;
    }
    return false;
  });
}

export const nothing: Shown = { text: "" };

/** Characters of a filter that count. */
export const maxFilterLength = 200;

/** Returns whether a row contains a text, as it is shown or on the wire; `undefined` if the text is empty. */
export function rowFilter(text: string): ((row: readonly Shown[]) => boolean) | undefined {
  const filter = text.slice(0, maxFilterLength).trim().toLowerCase();
  const contains = (one: string | undefined): boolean => one?.toLowerCase().includes(filter) === true;
  return filter === "" ? undefined : (row) => row.some(({ text, raw }) => contains(text) || contains(raw));
}
