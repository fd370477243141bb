import { quantity } from "../base/hex.ts";
import { isArray, type JsonValue } from "../base/json.ts";
import { grouped } from "../base/units.ts";
import type { QuantityType } from "../catalog/spec.ts";
import type { Column, SeriesSection, Shown, TableSection } from "./report.ts";
import { quantityShown } from "./shown.ts";

/** Rows that a table carries; those after them are made when they are asked for. */
export const maxRows = 200;

/** A column of a table, and how a row fills it. */
export interface Cells<Row> {
  readonly name: string;
  readonly align?: Column["align"];
  readonly of: (row: Row, index: number) => Shown;
  /** Whether all rows have the same value. Absent if only `of` can say so. */
  readonly isShared?: () => boolean;
}

/** Rows that need not exist before they are looked at. Arrays are such. */
export interface Indexed<Row> {
  readonly length: number;
  at(index: number): Row | undefined;
}

/** Rows of one kind among those of a table, which may have columns of their own. */
export interface RowKind {
  readonly name: string;
  readonly count: number;
  readonly table: () => TableSection;
}

/** The JSON of rows, and their kinds. */
interface TableMore<Row> {
  /** The part of the answer that a row shows. */
  readonly json?: (row: Row) => JsonValue;
  /** The most frequent first. */
  readonly kinds?: readonly RowKind[];
  /** Columns with the same text in any case, for a search: cheaper than those that are shown. */
  readonly searched?: readonly Cells<Row>[];
  /**
   * Says of some filters, without the columns, which rows cannot contain them.
   *
   * @param filter - In lower case.
   */
  readonly mayContain?: (filter: string) => ((index: number) => boolean) | undefined;
}

/** All rows of a table. Nothing is cached: each call makes a row again. */
export interface TableSource {
  readonly row: (index: number) => readonly Shown[];
  readonly cell: (index: number, column: number) => Shown;
  readonly searchText: (index: number) => string;
  /** Rows that it denies need no {@link searchText}; `undefined` if it can deny none. */
  readonly mayContain: (filter: string) => ((index: number) => boolean) | undefined;
  /** `undefined` if the row is not part of the answer. */
  readonly json: (index: number) => JsonValue | undefined;
  /** Whether all rows have the same in a column. */
  readonly isShared: (column: number) => boolean;
  readonly kinds: readonly RowKind[];
}

/** Beside the sections and not in them: those are plain data. By their columns, which copies share. */
const sources = new WeakMap<TableSection["columns"], TableSource>();

export function table<Row>(
  rows: Indexed<Row>,
  columns: readonly Cells<Row>[],
  title?: string,
  { json, kinds = [], searched = columns, mayContain }: TableMore<Row> = {},
): TableSection {
  const rowOf = (cells: readonly Cells<Row>[], index: number): readonly Shown[] => {
    const one = rows.at(index);
    return one === undefined ? [] : cells.map((column) => column.of(one, index));
  };
  const row: TableSource["row"] = (index) => rowOf(columns, index);
  const section: TableSection = {
    kind: "table",
    ...(title !== undefined && { title }),
    columns: columns.map(({ name, align = "left" }) => ({ name, align })),
    rows: Array.from({ length: Math.min(rows.length, maxRows) }, (_, index) => row(index)),
    total: rows.length,
  };
  sources.set(section.columns, {
    row,
    cell(index, column) {
      const one = rows.at(index);
      return (one !== undefined && columns[column]?.of(one, index)) || nothing;
    },
    searchText: (index) => searchText(rowOf(searched, index)),
    mayContain: (filter) => mayContain?.(searchable(filter)),
    json(index) {
      const one = rows.at(index);
      return one === undefined ? undefined : json?.(one);
    },
    isShared: (column) => isShared(rows, columns[column], section.rows, column),
    kinds,
  });
  return section;
}

/** Compares the rows that are made already before it asks for the others. */
function isShared<Row>(
  rows: Indexed<Row>,
  column: Cells<Row> | undefined,
  made: TableSection["rows"],
  at: number,
): boolean {
  const first = made[0]?.[at];
  if (!first || !column || rows.length < 2 || first.text === "" || first.struck) return false;
  if (!made.every((row) => row[at]?.text === first.text && row[at]?.raw === first.raw && !row[at]?.struck))
    return false;
  return rows.length <= made.length || column.isShared?.() === true;
}

/** All rows of a section that {@link table} made, or of a copy of it. */
export function tableSource({ columns }: TableSection): TableSource | undefined {
  return sources.get(columns);
}

/** Makes the rows that a section leaves out; `undefined` if it has them all. */
export function rowsBeyond(section: TableSection): TableSource["row"] | undefined {
  return section.total > section.rows.length ? tableSource(section)?.row : undefined;
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

/** Shows a value that may be missing. */
export function present(value: JsonValue | undefined, show: (value: JsonValue) => Shown): Shown {
  return value === undefined || value === null ? nothing : show(value);
}

/** A column of quantities. */
export function quantities<Row>(
  name: string,
  unit: QuantityType["unit"],
  read: (row: Row) => JsonValue | undefined,
): Cells<Row> {
  return { name, align: "right", of: (row) => present(read(row), (value) => quantityShown(value, unit)) };
}

/** A column with the numbers of logs. */
export function logCounts<Row>(read: (row: Row) => JsonValue | undefined): Cells<Row> {
  const show = (logs: JsonValue | undefined): Shown => (isArray(logs) ? { text: String(logs.length) } : nothing);
  return { name: "Logs", align: "right", of: (row) => show(read(row)) };
}

/** Returns a quantity, if there is one and it is not zero. */
export function nonZero(value: JsonValue | undefined): JsonValue | undefined {
  return quantity(value) ? value : undefined;
}

/** Characters of a filter that count. */
export const maxFilterLength = 200;

/** The text of a row in lower case, as it is shown and on the wire, to search in. */
function searchText(row: readonly Shown[]): string {
  return row
    .map(({ text, raw }) => (raw === undefined ? text : `${text}\n${raw}`))
    .join("\n")
    .toLowerCase();
}

/** Returns whether the {@link searchText} of a row contains a text; `undefined` if that is empty. */
export function textFilter(text: string): ((of: string) => boolean) | undefined {
  const filter = searchable(text);
  return filter === "" ? undefined : (of) => of.includes(filter);
}

function searchable(filter: string): string {
  return filter.slice(0, maxFilterLength).trim().toLowerCase();
}

/** Does the same as {@link textFilter}, for rows. */
export function rowFilter(text: string): ((row: readonly Shown[]) => boolean) | undefined {
  const matches = textFilter(text);
  return matches && ((row) => matches(searchText(row)));
}

/** A value of a series, and the name of its place: a block, a transaction. */
export interface Point {
  readonly at: string;
  readonly value: number;
  /** The value with its unit, as people read it. */
  readonly text: string;
}

/** Points below which a chart says no more than the numbers. */
const minPoints = 3;
/** Points of a chart: more do not fit on a screen. */
const maxPoints = 2000;

/**
 * A chart of numbers in their order; empty if there are too few, or too many.
 *
 * @param title - What is counted: `Base fee`.
 * @param place - The name of the places: `block`.
 */
export function series(
  title: string,
  shape: SeriesSection["shape"],
  place: string,
  points: readonly Point[],
): readonly SeriesSection[] {
  const [first, last] = [points[0], points.at(-1)];
  if (points.length < minPoints || points.length > maxPoints || !first || !last) return [];
  return [{ kind: "series", title, shape, place, points, text: seriesText(title, place, points, first, last) }];
}

/** Says what the chart shows: where it begins and ends, and its extremes. */
function seriesText(title: string, place: string, points: readonly Point[], first: Point, last: Point): string {
  const lowest = points.reduce((least, point) => (point.value < least.value ? point : least));
  const highest = points.reduce((most, point) => (point.value > most.value ? point : most));
  if (lowest.value === highest.value) return `${title}: ${first.text} at all ${grouped(points.length)} ${place}s.`;
  const extremes = [
    `highest ${highest.text} at ${place} ${highest.at}`,
    `lowest ${lowest.text} at ${place} ${lowest.at}`,
  ];
  return `${title}: from ${first.text} at ${place} ${first.at} to ${last.text} at ${place} ${last.at}; ${extremes.join(", ")}.`;
}
