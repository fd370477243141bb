import { compareKeys, type SortKey, sortKey } from "../../../server/src/base/tableValues.ts";
import { plainText } from "./tableText.ts";
import type { AskRows, Column, Shown, TableSection } from "./types.ts";

type Row = readonly Shown[];

/** The order of rows: which of them, and by what column. */
interface RowOrder {
  readonly filter: string;
  readonly sort: { readonly column: number; readonly descending: boolean } | undefined;
}

/** Rows that are requested together. */
const blockRows = 200;
/** Blocks that are kept: more than a person scrolls over at a time. */
const maxBlocks = 60;
/** Rows of one request for copying. */
const pageRows = 1000;
/** Rows that are copied at most; files take all. */
export const maxCopiedRows = 10_000;

/**
 * All rows of a table in the order that a person has chosen. The server filters and sorts, and rows come by ranges; a
 * table that is whole in its output needs no server.
 */
export class TableRows {
  columns: readonly Column[];
  total: number;
  /** The server no longer has the rows: only those of the output are left. */
  isDropped = false;
  /** An order was requested and has not come. */
  isWaiting = false;
  #order: RowOrder = { filter: "", sort: undefined };
  #rest: string | undefined;
  /** Rows in order, if the page has them all. */
  #local: readonly Row[] | undefined;
  readonly #blocks = new Map<number, readonly Row[]>();
  readonly #requested = new Set<number>();
  #generation = 0;
  readonly #section: TableSection;
  readonly #ask: AskRows;
  readonly #changed: () => void;

  /** @param changed - Called when rows have come. */
  constructor(section: TableSection, ask: AskRows, changed: () => void) {
    this.#section = section;
    this.#ask = section.rest === undefined ? undefined : ask;
    this.#changed = changed;
    this.columns = section.columns;
    this.total = section.total;
    this.#begin(section.rest);
  }

  get order(): RowOrder {
    return this.#order;
  }
  /** Whether the server can send rows that are not in the output. */
  get canAsk(): boolean {
    return this.#ask !== undefined && !this.isDropped;
  }
  get rest(): string | undefined {
    return this.#rest;
  }

  /** @returns `undefined` if the row has not come yet; {@link changed} is called when it has. */
  at(index: number): Row | undefined {
    if (this.#local) return this.#local[index];
    const block = Math.floor(index / blockRows);
    const rows = this.#blocks.get(block);
    if (!rows && index < this.total) void this.#request(block);
    return rows?.[index % blockRows];
  }

  /** Filters and sorts. Rows keep their columns. */
  reorder(order: RowOrder): void {
    this.#order = order;
    this.#begin(this.#rest);
  }

  choose(kind: string | undefined): void {
    this.#order = { ...this.#order, sort: undefined };
    this.#begin(kind ?? this.#section.rest);
  }

  /** Returns a row as JSON; `undefined` if the server does not have it. */
  async json(index: number): Promise<string | undefined> {
    const answer = await this.#page(index, 1, true);
    return answer?.json?.[0] || undefined;
  }

  /** Returns the rows in order, up to {@link maxCopiedRows}. */
  async all(): Promise<readonly Row[]> {
    if (this.#local) return this.#local;
    const rows: Row[] = [];
    while (rows.length < Math.min(this.total, maxCopiedRows)) {
      const page = await this.#page(rows.length, pageRows);
      if (!page || page.rows.length === 0) break;
      rows.push(...page.rows);
    }
    return rows;
  }

  #begin(rest: string | undefined): void {
    const { rows, total, columns } = this.#section;
    this.#generation++;
    this.#rest = rest;
    this.#blocks.clear();
    this.#requested.clear();
    const isOwn = rest === this.#section.rest;
    const isWhole = isOwn && rows.length >= total;
    if (isWhole || !this.canAsk) {
      this.isWaiting = false;
      this.columns = columns;
      this.#rest = this.#section.rest;
      this.#local = ordered(rows, this.#order);
      this.total = this.#local.length;
      this.#changed();
      return;
    }
    this.#local = undefined;
    if (isOwn && this.#order.filter === "" && !this.#order.sort) {
      this.isWaiting = false;
      this.columns = columns;
      this.total = total;
      for (let at = 0; at * blockRows < rows.length; at++)
        this.#blocks.set(at, rows.slice(at * blockRows, (at + 1) * blockRows));
      this.#changed();
    } else {
      this.isWaiting = true;
      void this.#request(0);
    }
  }

  async #request(block: number): Promise<void> {
    if (this.#requested.has(block)) return;
    this.#requested.add(block);
    const generation = this.#generation;
    const answer = await this.#page(block * blockRows, blockRows);
    if (generation !== this.#generation) return;
    this.#requested.delete(block);
    if (!answer) {
      this.isDropped = true;
      this.#begin(this.#section.rest);
      return;
    }
    this.isWaiting = false;
    this.columns = answer.columns;
    this.total = answer.total;
    this.#blocks.set(block, answer.rows);
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size > maxBlocks && oldest !== undefined) this.#blocks.delete(oldest);
    this.#changed();
  }

  async #page(from: number, count: number, json = false) {
    if (this.#rest === undefined || !this.canAsk) return null;
    const { filter, sort } = this.#order;
    const answer = this.#ask?.({
      rest: this.#rest,
      from,
      count,
      ...(filter !== "" && { filter }),
      ...(sort && { sort }),
      ...(json && { json }),
    });
    return (await answer) ?? null;
  }
}

/** Filters and sorts rows as the server does. */
function ordered(rows: readonly Row[], { filter, sort }: RowOrder): readonly Row[] {
  const text = filter.trim().toLowerCase();
  const matching =
    text === ""
      ? rows
      : rows.filter((row) => row.some((cell) => `${cell.text}\n${cell.raw ?? ""}`.toLowerCase().includes(text)));
  if (!sort) return matching;
  const sign = sort.descending ? -1 : 1;
  return matching.toSorted((a, b) => sign * compareKeys(keyOf(a[sort.column]), keyOf(b[sort.column])));
}

function keyOf(cell: Shown | undefined): SortKey {
  return cell ? sortKey(plainText(cell), cell.text) : "";
}

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
