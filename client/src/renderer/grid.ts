import { cellText, cellView, decimalsIn } from "./cell.ts";
import { element, setHeight, setWidth } from "./dom.ts";
import { GridKeys, maxRowsInBox } from "./gridKeys.ts";
import { detailView } from "./rowDetail.ts";
import type { ShownColumns, TableRows } from "./tableRows.ts";
import type { RenderContext, Shown } from "./types.ts";

/** CSS pixels of a row in a table that scrolls; the style sheet has the same. */
const rowHeight = 25;
/** Rows that are drawn above and below the box. */
const overscan = 6;
/** Characters of a column: the least, and the most. */
const widths = { least: 4, most: 60 };

interface DrawnRow {
  readonly element: HTMLTableRowElement;
  readonly isEmpty: boolean;
}

/**
 * The rows of a table in a box that scrolls by itself, below a head that stays. Only rows in the box are in the page:
 * the others are two rows without content, so that the scroll bar is right.
 */
export class Grid {
  readonly box: HTMLElement;
  readonly table: HTMLTableElement;
  readonly #rows: TableRows;
  readonly #columns: ShownColumns;
  readonly #context: RenderContext;
  readonly #head = element("tr");
  readonly #body = element("tbody");
  readonly #group = element("colgroup");
  readonly #above = spacer();
  readonly #below = spacer();
  readonly #drawn = new Map<number, DrawnRow>();
  readonly #keys: GridKeys;
  #open: { readonly index: number; readonly element: HTMLTableRowElement } | undefined;
  /** CSS pixels of the open detail. */
  #openHeight = 0;
  #decimals: readonly number[] = [];

  constructor(
    name: string,
    rows: TableRows,
    columns: ShownColumns,
    context: RenderContext,
    sortBy: (column: number) => void,
  ) {
    this.#rows = rows;
    this.#columns = columns;
    this.#context = context;
    this.table = element(
      "table",
      { role: "grid", "aria-label": name },
      this.#group,
      element("thead", {}, this.#head),
      this.#body,
    );
    this.box = element("div", { class: "scroll" }, this.table);
    this.#keys = new GridKeys(this, sortBy, context);
    this.box.addEventListener("scroll", () => this.draw(), { passive: true });
    // A box that rests does not cut a row.
    this.box.addEventListener("scrollend", () => {
      const over = this.box.scrollTop % rowHeight;
      const isAtEnd = this.box.scrollTop + this.box.clientHeight >= this.box.scrollHeight - 1;
      if (this.isVirtual && !this.#open && over > 0 && !isAtEnd)
        this.box.scrollTop += over < rowHeight / 2 ? -over : rowHeight - over;
    });
  }

  get total(): number {
    return this.#rows.total;
  }
  get isVirtual(): boolean {
    return this.total > maxRowsInBox && !this.#context.showsAllRows;
  }
  get head(): HTMLTableRowElement {
    return this.#head;
  }
  rowElement(index: number): HTMLTableRowElement | undefined {
    return this.#drawn.get(index)?.element;
  }
  value(index: number, place: number): Shown | undefined {
    return this.#rows.at(index)?.[this.#columns.shown[place] ?? -1];
  }
  columnAt(place: number): number | undefined {
    return this.#columns.shown[place];
  }
  moveColumn(from: number, to: number): boolean {
    if (!this.#columns.move(from, to)) return false;
    this.restart(false);
    return true;
  }

  /** Draws everything again after a change of the rows, their order or the columns. */
  restart(toTop = true): void {
    const hadFocus = this.#hasFocus();
    this.close();
    this.#drawn.clear();
    this.#body.replaceChildren();
    if (toTop) this.box.scrollTop = 0;
    this.#drawHead();
    this.draw();
    this.#keys.drawn(hadFocus);
  }
  #hasFocus(): boolean {
    return this.table.contains(this.table.ownerDocument?.activeElement ?? null);
  }

  /** Draws the rows in the box that are not drawn yet. */
  draw(): void {
    const { total } = this;
    const hadFocus = this.#hasFocus();
    this.table.setAttribute("aria-rowcount", String(total + 1));
    this.table.setAttribute("aria-colcount", String(this.#columns.shown.length + 1));
    const [first, last] = this.#range();
    const wanted: HTMLTableRowElement[] = [];
    for (let index = first; index < last; index++) {
      wanted.push(this.#rowAt(index));
      if (this.#open?.index === index) wanted.push(this.#open.element);
    }
    for (const [index, { element: row }] of this.#drawn) {
      if (index >= first && index < last) continue;
      this.#drawn.delete(index);
      row.remove();
    }
    const open = this.#open;
    const openHeight = open?.element.isConnected ? open.element.offsetHeight : this.#openHeight;
    this.#openHeight = open ? openHeight : 0;
    setSpace(this.#above, first * rowHeight + (open && open.index < first ? openHeight : 0));
    setSpace(this.#below, (total - last) * rowHeight + (open && open.index >= last ? openHeight : 0));
    arrange(this.#body, [this.#above, ...wanted, this.#below]);
    this.#keys.drawn(hadFocus);
  }

  /** Scrolls until a row is in the box below the head, and draws it. */
  reveal(index: number): void {
    if (!this.isVirtual) return;
    const above = index * rowHeight + (this.#open && this.#open.index < index ? this.#openHeight : 0);
    const room = this.box.clientHeight - this.#head.offsetHeight;
    if (above < this.box.scrollTop) this.box.scrollTop = above;
    else if (above + rowHeight > this.box.scrollTop + room) this.box.scrollTop = above + rowHeight - room;
    this.draw();
  }

  isOpen(index: number): boolean {
    return this.#open?.index === index;
  }
  toggle(index: number): void {
    const wasOpen = this.isOpen(index);
    this.close();
    const row = this.#rows.at(index);
    if (wasOpen || !row) return;
    const detail = detailView(
      row,
      this.#rows.columns,
      () => this.#rows.json(index),
      this.#context,
      () => this.draw(),
    );
    const cell = element("td", { colspan: String(this.#columns.shown.length + 1), class: "detail" }, detail);
    this.#open = { index, element: element("tr", { class: "opened", "aria-rowindex": String(index + 2) }, cell) };
    this.rowElement(index)?.cells[0]?.setAttribute("aria-expanded", "true");
    this.draw();
    this.draw(); // with the height that it has now
  }
  close(): boolean {
    const open = this.#open;
    if (!open) return false;
    this.rowElement(open.index)?.cells[0]?.setAttribute("aria-expanded", "false");
    open.element.remove();
    this.#open = undefined;
    this.draw();
    return true;
  }
  /** The row of which an element is a detail. */
  openRowOf(target: Element): number | undefined {
    return this.#open?.element.contains(target) ? this.#open.index : undefined;
  }

  /** Indices of the rows to draw: the first one, and the one after the last. */
  #range(): readonly [first: number, last: number] {
    const { total } = this;
    if (!this.isVirtual) return [0, total];
    const open = this.#open;
    const top = this.box.scrollTop;
    const before =
      open && top > (open.index + 1) * rowHeight ? Math.min(this.#openHeight, top - (open.index + 1) * rowHeight) : 0;
    const first = Math.max(0, Math.min(Math.floor((top - before) / rowHeight), total - maxRowsInBox) - overscan);
    return [first, Math.min(total, first + maxRowsInBox + 2 * overscan)];
  }

  #rowAt(index: number): HTMLTableRowElement {
    const row = this.#rows.at(index);
    const drawn = this.#drawn.get(index);
    if (drawn && (!drawn.isEmpty || !row)) return drawn.element;
    drawn?.element.remove();
    const { columns } = this.#rows;
    const made = element(
      "tr",
      { "aria-rowindex": String(index + 2), ...(row?.some(({ struck }) => struck) && { class: "struck" }) },
      element("td", {
        class: "opener",
        tabindex: "-1",
        "aria-expanded": String(this.isOpen(index)),
        "aria-label": `Row ${index + 1}, details`,
      }),
      ...this.#columns.shown.map((at, place) => {
        const [value, column] = [row?.[at], columns[at]];
        return value && column
          ? cellView(value, column, this.#decimals[place] ?? 0)
          : element("td", { tabindex: "-1" }, "…");
      }),
    );
    this.#drawn.set(index, { element: made, isEmpty: row === undefined });
    return made;
  }

  #drawHead(): void {
    const { columns, order } = this.#rows;
    const sample = Array.from({ length: Math.min(this.total, 100) }, (_, index) => this.#rows.at(index));
    this.#decimals = this.#columns.shown.map((at) => decimalsIn(sample, at));
    const heads = this.#columns.shown.map((at) => {
      const { name = "", align = "left", unit } = columns[at] ?? {};
      const sorted = order.sort?.column === at ? (order.sort.descending ? "descending" : "ascending") : "none";
      const label = element(
        "span",
        {},
        name,
        unit === undefined ? undefined : element("span", { class: "unit" }, `, ${unit}`),
      );
      return element(
        "th",
        {
          scope: "col",
          class: align,
          tabindex: "-1",
          "aria-sort": sorted,
          draggable: "true",
          title: "Sort. Drag, or Alt+← and Alt+→, to move",
        },
        label,
      );
    });
    const opener = element(
      "th",
      { scope: "col", class: "opener", tabindex: "-1" },
      element("span", { class: "unseen" }, "Details"),
    );
    this.#head.setAttribute("aria-rowindex", "1");
    this.#head.replaceChildren(opener, ...heads);
    this.table.classList.toggle("virtual", this.isVirtual);
    this.box.classList.toggle("virtual", this.isVirtual);
    this.#group.replaceChildren();
    setWidth(this.table);
    if (this.isVirtual) this.#fixWidths(sample);
  }

  /** Gives each column a width by its texts, so that columns stay where they are while rows come and go. */
  #fixWidths(sample: readonly ReturnType<TableRows["at"]>[]): void {
    const counts = this.#columns.shown.map((at, place) => {
      const { name = "", unit = "" } = this.#rows.columns[at] ?? {};
      const lengths = sample.map((row) => {
        const value = row?.[at];
        const fraction =
          value?.number === undefined ? 0 : (this.#decimals[place] ?? 0) - (value.number.split(".")[1]?.length ?? -1);
        return value ? cellText(value).length + Math.max(0, fraction) : 0;
      });
      const longest = Math.max(name.length + (unit === "" ? 0 : unit.length + 2) + 2, ...lengths);
      return Math.ceil(1.08 * Math.max(widths.least, Math.min(widths.most, longest)));
    });
    const made = counts.map((count) => {
      const column = element("col");
      setWidth(column, count, 24);
      return column;
    });
    const opener = element("col");
    setWidth(opener, 0, 24);
    this.#group.replaceChildren(opener, ...made);
    const sum = counts.reduce((all, count) => all + count, 0);
    setWidth(this.table, sum, 24 * (counts.length + 1));
  }
}

function spacer(): HTMLTableRowElement {
  return element("tr", { "aria-hidden": "true", class: "spacer" }, element("td", {}));
}

function setSpace(row: HTMLTableRowElement, height: number): void {
  row.hidden = height <= 0;
  const [cell] = row.cells;
  if (cell) setHeight(cell, height);
}

/** Arranges children. Does not touch those that are in place: one of them may have the focus. */
function arrange(parent: HTMLElement, children: readonly HTMLElement[]): void {
  const wanted = new Set<Node>(children);
  for (const child of [...parent.childNodes]) if (!wanted.has(child)) child.remove();
  let next = parent.firstChild;
  for (const child of children) {
    if (child === next) next = next.nextSibling;
    else parent.insertBefore(child, next);
  }
}
