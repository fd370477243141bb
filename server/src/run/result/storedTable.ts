import { printJson } from "../../base/json.ts";
import type { Clock } from "../../base/ports.ts";
import { compareKeys, type SortKey, sortKey } from "../../base/tableValues.ts";
import { visible } from "../../base/text.ts";
import type { RowOrder, RowsParams, RowsResult } from "../../protocol/runs.ts";
import type { Column, Shown, TableSection } from "../../report/report.ts";
import { plainText, screenColumns, screenRow } from "../../report/screenTable.ts";
import { type TableSource, textFilter } from "../../report/table.ts";

/** Rows of one page. */
const maxPageRows = 1000;
/** Milliseconds after which a search lets other work run. */
const maxTurnMs = 10;
/** Orders of a table that are kept: those that a person goes back and forth between. */
const maxOrders = 4;

type Order = Readonly<Uint32Array>;

/** The texts of the table that was searched last: decoding its rows takes longer than a search. */
export interface SearchedTexts {
  table: StoredTable | undefined;
  texts: string[];
}

/** Characters of texts that are kept. */
const maxTextCharacters = 64_000_000;

/** All rows of a table of an output, in any order. */
export class StoredTable {
  readonly section: TableSection;
  readonly columns: readonly Column[];
  readonly #source: TableSource;
  readonly #clock: Clock;
  readonly #searched: SearchedTexts;
  readonly #orders = new Map<string, Order>();

  constructor(section: TableSection, source: TableSource, clock: Clock, searched: SearchedTexts) {
    this.section = section;
    this.columns = screenColumns(section);
    this.#source = source;
    this.#clock = clock;
    this.#searched = searched;
  }

  row(index: number): readonly Shown[] {
    return screenRow(this.section.rows[index] ?? this.#source.row(index), this.columns);
  }

  /** @returns No rows if the signal aborts before their order is known. */
  async page(params: Omit<RowsParams, "rest">, signal: AbortSignal): Promise<NonNullable<RowsResult>> {
    const { count, from, json } = params;
    const order = await this.#order(params, signal);
    const total = order?.length ?? (this.#isPlain(params) ? this.section.total : 0);
    const start = Math.max(0, Math.trunc(from) || 0);
    const length = Math.max(0, Math.min(Math.max(1, count || 1), maxPageRows, total - start));
    const indices = Array.from({ length }, (_, at) => order?.[start + at] ?? start + at);
    return {
      columns: this.columns,
      rows: indices.map((index) => this.row(index)),
      total,
      ...(json && { json: indices.map((index) => this.#json(index)) }),
    };
  }

  /**
   * Calls a function for each row, and lets other work run meanwhile.
   *
   * @param filter - Text that the rows must contain.
   * @returns Whether it came to the end.
   */
  async each(visit: (index: number) => void, signal: AbortSignal, filter = ""): Promise<boolean> {
    const order = await this.#order({ filter }, signal);
    if (signal.aborted) return false;
    return this.#walk(order, visit, signal);
  }

  /** @param order - Indices of rows; `undefined` for all as they are. */
  async #walk(order: Order | undefined, visit: (index: number) => void, signal: AbortSignal): Promise<boolean> {
    let since = this.#clock.now();
    const total = order?.length ?? this.section.total;
    for (let at = 0; at < total; at++) {
      if (signal.aborted) return false;
      visit(order?.[at] ?? at);
      if (this.#clock.now() - since < maxTurnMs) continue;
      await this.#clock.sleep(0, signal);
      since = this.#clock.now();
    }
    return true;
  }

  #isPlain({ filter = "", sort }: RowOrder): boolean {
    return sort === undefined && textFilter(filter) === undefined;
  }

  /** Returns a function for the text of a row, which keeps it for the next search. */
  #texts(): (index: number) => string {
    const searched = this.#searched;
    if (searched.table !== this) Object.assign(searched, { table: this, texts: [] });
    const { texts } = searched;
    let characters = texts.reduce((sum, { length }) => sum + length, 0);
    return (index) => {
      const kept = texts[index];
      if (kept !== undefined) return kept;
      const text = this.#source.searchText(index);
      characters += text.length;
      if (characters < maxTextCharacters) texts[index] = text;
      return text;
    };
  }
  #json(index: number): string {
    const json = this.#source.json(index);
    return json === undefined ? "" : visible(printJson(json, 2));
  }

  #keyOf(index: number, column: number): SortKey {
    const cell = this.#source.cell(index, column);
    return sortKey(plainText(cell), cell.text);
  }

  /** Returns the indices of the rows that match, in order; `undefined` for all rows as they are, or after an abort. */
  async #order(params: RowOrder, signal: AbortSignal): Promise<Order | undefined> {
    if (this.#isPlain(params)) return undefined;
    const { filter = "", sort } = params;
    const key = JSON.stringify([filter, sort?.column, sort?.descending]);
    const kept = this.#orders.get(key);
    if (kept) return kept;
    const matches = textFilter(filter);
    const mayContain = this.#source.mayContain(filter);
    const textAt = this.#texts();
    const indices: number[] = [];
    const keys: SortKey[] = [];
    const visit = (index: number): void => {
      if (mayContain?.(index) === false || (matches && !matches(textAt(index)))) return;
      indices.push(index);
      if (sort) keys[index] = this.#keyOf(index, sort.column);
    };
    if (!(await this.#walk(undefined, visit, signal))) return undefined;
    if (sort) {
      const sign = sort.descending ? -1 : 1;
      indices.sort((a, b) => sign * compareKeys(keys[a] ?? "", keys[b] ?? "") || a - b);
    }
    const order = Uint32Array.from(indices);
    this.#orders.set(key, order);
    const [oldest] = this.#orders.keys();
    if (this.#orders.size > maxOrders && oldest !== undefined) this.#orders.delete(oldest);
    return order;
  }
}
