import type { AskRows, Shown, TableSection } from "./types.ts";

type Rows = readonly (readonly Shown[])[];

/** The rows of a table, page by page: first those of the output, then what is asked for. */
export interface Pages {
  /** All rows drawn so far. */
  shown(): Rows;
  /** The first page without a filter, which needs no asking. */
  first(): Rows;
  /** The next page; `undefined` where another filter was set meanwhile. */
  next(): Promise<Rows | undefined>;
  restart(filter: string): void;
  ended(): boolean;
  /** How many rows are shown, for people. */
  note(): string;
}

/** Rows drawn at once. */
const page = 200;

export function pagesOf(section: TableSection, ask: AskRows): Pages {
  const { rows, total, rest } = section;
  const canAsk = rest !== undefined && ask !== undefined;
  let shown: Rows = [];
  let filter = "";
  /** Where the next page begins among all rows; `null` after the last one. */
  let from: number | null = 0;
  let isForgotten = false;
  let turn = 0;

  const show = (added: Rows, next: number | null): Rows => {
    shown = [...shown, ...added];
    from = next;
    return added;
  };
  const local = (start: number): Rows => {
    const added = rows.slice(start, start + page);
    const next = start + added.length;
    return show(added, next < (canAsk ? total : rows.length) ? next : null);
  };
  return {
    shown: () => shown,
    first: () => local(0),
    async next() {
      if (from === null) return [];
      if (filter === "" && from < rows.length) return local(from);
      if (rest === undefined || ask === undefined) return show([], null);
      const mine = ++turn;
      const answer = await ask({ rest, from, count: page, ...(filter !== "" && { filter }) });
      if (mine !== turn) return undefined;
      isForgotten = answer === null;
      return show(answer?.rows ?? [], answer?.next ?? null);
    },
    restart(text) {
      turn++;
      filter = text;
      shown = [];
      from = 0;
      isForgotten = false;
    },
    ended: () => from === null,
    note() {
      if (isForgotten) return `${countNote(shown.length, total)}; the others are not kept any more, run the cell again`;
      return filter === "" ? countNote(shown.length, total) : matchNote(shown.length, from !== null);
    },
  };
}

/** @example countNote(200, 12345); //=> "first 200 of 12,345 rows" */
export function countNote(shown: number, total: number): string {
  const all = rowCount(total);
  return shown < total ? `first ${shown.toLocaleString("en")} of ${all}` : all;
}

function matchNote(shown: number, more: boolean): string {
  if (shown === 0) return more ? "searching" : "no row contains this";
  return more ? `first ${rowCount(shown)} that contain this` : `${rowCount(shown)} with this`;
}

function rowCount(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "row" : "rows"}`;
}
