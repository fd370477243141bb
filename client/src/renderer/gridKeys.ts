import { copyFrom } from "./copy.ts";
import { openMenu } from "./menu.ts";
import { plainText } from "./tableText.ts";
import type { RenderContext, Shown } from "./types.ts";
import { referenceOf } from "./value.ts";

/** Rows in the box of a table; further ones scroll. */
export const maxRowsInBox = 16;

/** The part of a table that keys and clicks use. Rows are counted from 0 in the order that is shown. */
interface KeyedGrid {
  readonly table: HTMLTableElement;
  readonly head: HTMLTableRowElement;
  readonly total: number;
  readonly isVirtual: boolean;
  rowElement(index: number): HTMLTableRowElement | undefined;
  value(index: number, place: number): Shown | undefined;
  columnAt(place: number): number | undefined;
  moveColumn(from: number, to: number): boolean;
  reveal(index: number): void;
  toggle(index: number): void;
  close(): boolean;
  openRowOf(target: Element): number | undefined;
}

const head = -1;

/** Keys and clicks in a table. One cell is in the tab order; if it is not drawn, the table is. */
export class GridKeys {
  readonly #grid: KeyedGrid;
  readonly #sortBy: (column: number) => void;
  readonly #context: RenderContext;
  /** Place of the cell in the tab order. Column 0 opens the row. */
  #at = { row: 0, column: 1 };
  #dragged: number | undefined;

  constructor(grid: KeyedGrid, sortBy: (column: number) => void, context: RenderContext) {
    this.#grid = grid;
    this.#sortBy = sortBy;
    this.#context = context;
    const { table } = grid;
    table.addEventListener("keydown", (event) => this.#key(event));
    table.addEventListener("click", ({ target }) => target instanceof Element && this.#click(target));
    table.addEventListener("focusin", ({ target }) => this.#focused(target));
    table.addEventListener("copy", (event) => this.#copy(event));
    this.#listenToDrags(table);
  }

  /**
   * Keeps one stop for the Tab key after rows were drawn.
   *
   * @param hadFocus - The focus was in the table: it stays there even if its cell was removed.
   */
  drawn(hadFocus = false): void {
    const { table, total } = this.#grid;
    if (this.#at.row >= total) this.#at = { ...this.#at, row: total - 1 };
    const cell = this.#cell();
    for (const other of table.querySelectorAll("[tabindex='0']:not(.detail *)"))
      if (other !== cell) other.setAttribute("tabindex", "-1");
    cell?.setAttribute("tabindex", "0");
    table.tabIndex = cell ? -1 : 0;
    const active = table.ownerDocument?.activeElement;
    if (hadFocus && (active === table || !table.contains(active))) (cell ?? table).focus({ preventScroll: true });
  }

  #cell(): HTMLTableCellElement | undefined {
    const { row, column } = this.#at;
    return (row === head ? this.#grid.head : this.#grid.rowElement(row))?.cells[column];
  }

  #go(row: number, column: number): void {
    const last = this.#grid.head.cells.length - 1;
    this.#at = {
      row: Math.max(head, Math.min(row, this.#grid.total - 1)),
      column: Math.max(0, Math.min(column, last)),
    };
    if (this.#at.row >= 0) this.#grid.reveal(this.#at.row);
    this.drawn();
    this.#cell()?.focus({ preventScroll: this.#grid.isVirtual });
    this.#cell()?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #focused(target: EventTarget | null): void {
    const place = placeOf(target, this.#grid);
    if (!place) return;
    this.#at = place;
    this.drawn();
  }

  #value(): Shown | undefined {
    const { row, column } = this.#at;
    return row === head ? undefined : this.#grid.value(row, column - 1);
  }

  #key(event: KeyboardEvent): void {
    const { target, key } = event;
    const opened = target instanceof Element ? this.#grid.openRowOf(target) : undefined;
    if (opened !== undefined) {
      if (key !== "Escape") return;
      this.#grid.close();
      this.#go(opened, 0);
    } else if (key === "Enter" || key === " ") this.#press();
    else if (key === "Escape") {
      if (!this.#grid.close()) return;
    } else if (event.altKey && this.#at.row === head) {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
      if (step === undefined) return;
      const { column } = this.#at;
      if (this.#grid.moveColumn(column - 1, column - 1 + step)) this.#go(head, column + step);
    } else {
      const next = this.#next(event);
      if (!next) return;
      this.#go(...next);
    }
    // The notebook would move to another cell.
    event.preventDefault();
    event.stopPropagation();
  }

  #next({ key, ctrlKey, metaKey }: KeyboardEvent): readonly [row: number, column: number] | undefined {
    const { row, column } = this.#at;
    const isWhole = ctrlKey || metaKey;
    const page = maxRowsInBox - 1;
    const end = Number.MAX_SAFE_INTEGER;
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowDown: [row + 1, column],
      ArrowUp: [row - 1, column],
      ArrowRight: [row, column + 1],
      ArrowLeft: [row, column - 1],
      PageDown: [row + page, column],
      PageUp: [Math.max(0, row - page), column],
      Home: isWhole ? [0, 0] : [row, 0],
      End: isWhole ? [end, end] : [row, end],
    };
    return moves[key];
  }

  /** Enter: sorts by a column, opens the menu of an address or a hash, or opens the row. */
  #press(): void {
    const { row, column } = this.#at;
    if (row === head) {
      this.#sort(column);
      return;
    }
    const value = this.#value();
    const reference = value && referenceOf(value);
    const cell = this.#cell();
    if (cell && reference) openMenu(cell, reference, this.#context);
    else this.#grid.toggle(row);
  }

  #sort(place: number): void {
    const column = this.#grid.columnAt(place - 1);
    if (column === undefined) return;
    this.#sortBy(column);
    this.#cell()?.focus({ preventScroll: true });
  }

  #click(target: Element): void {
    const place = placeOf(target, this.#grid);
    if (!place || getSelection()?.isCollapsed === false) return;
    this.#at = place;
    this.drawn();
    const value = this.#value();
    if (place.row === head || place.column === 0 || (value && referenceOf(value))) this.#press();
  }

  #copy(event: ClipboardEvent): void {
    const value = this.#value();
    const cell = this.#cell();
    if (value === undefined || getSelection()?.isCollapsed === false) return;
    if (cell) void copyFrom(cell, this.#context.copy, plainText(value));
    event.preventDefault();
  }

  #listenToDrags(table: HTMLElement): void {
    const placeIn = ({ target }: DragEvent): number | undefined => {
      const place = placeOf(target, this.#grid);
      return place?.row === head && place.column > 0 ? place.column - 1 : undefined;
    };
    table.addEventListener("dragstart", (event) => {
      this.#dragged = placeIn(event);
    });
    table.addEventListener("dragover", (event) => {
      if (this.#dragged !== undefined && placeIn(event) !== undefined) event.preventDefault();
    });
    table.addEventListener("drop", (event) => {
      const to = placeIn(event);
      if (this.#dragged !== undefined && to !== undefined) this.#grid.moveColumn(this.#dragged, to);
      event.preventDefault();
    });
  }
}

/** Place of the cell that an element is in. */
function placeOf(
  target: EventTarget | null,
  { head: headRow }: KeyedGrid,
): { row: number; column: number } | undefined {
  const cell = target instanceof Element ? target.closest<HTMLTableCellElement>("td, th") : null;
  const row = cell?.closest("tr");
  if (!cell || !row || row.classList.contains("opened") || row.classList.contains("spacer")) return undefined;
  return { row: row === headRow ? head : Number(row.getAttribute("aria-rowindex")) - 2, column: cell.cellIndex };
}
