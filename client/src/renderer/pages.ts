import type { AskRows, Shown, TableSection } from "./types.ts";

type Rows = readonly (readonly Shown[])[];

/** Rows drawn at once. */
const page = 200;

/** The rows of a table, page by page: first those of the output, then those of the server. */
export function pagesOf(section: TableSection, ask: AskRows) {
  const { rows, total, rest } = section;
  const canAsk = rest !== undefined && ask !== undefined;
  let shown: Rows = [];
  let filter = "";
  /** Index of the first row of the next page; `null` after the last one. */
  let from: number | null = 0;
  let isDropped = false;
  let lastRequest = 0;

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
    /** All rows drawn so far. */
    shown: (): Rows => shown,
    /** Returns the first page without a filter, which is in the output. */
    first: (): Rows => local(0),
    /** Returns the next page; `undefined` if the filter has changed meanwhile. */
    async next(): Promise<Rows | undefined> {
      if (from === null) return [];
      if (filter === "" && from < rows.length) return local(from);
      if (rest === undefined || ask === undefined) return show([], null);
      const current = ++lastRequest;
      const answer = await ask({ rest, from, count: page, ...(filter !== "" && { filter }) });
      if (current !== lastRequest) return undefined;
      isDropped = answer === null;
      return show(answer?.rows ?? [], answer?.next ?? null);
    },
    restart(text: string): void {
      lastRequest++;
      filter = text;
      shown = [];
      from = 0;
      isDropped = false;
    },
    ended: (): boolean => from === null,
    /** Returns a text with the number of rows. */
    note(): string {
      if (isDropped) return `${countNote(shown.length, total)}; the other rows are no longer kept: run the cell again`;
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
