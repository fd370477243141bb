import { plural } from "../../../server/src/base/text.ts";
import { copyFrom } from "./copy.ts";
import { element, filterInput } from "./dom.ts";
import { Grid } from "./grid.ts";
import { referenceButton, showMenu } from "./menu.ts";
import { maxCopiedRows, ShownColumns, TableRows } from "./tableRows.ts";
import { markdownTable, rowsJson, tabSeparated } from "./tableText.ts";
import { shortened } from "./text.ts";
import type { Column, RenderContext, RowsToSave, TableSection } from "./types.ts";
import { referenceOf } from "./value.ts";

/** Rows from which on a filter is shown. */
const minFilteredRows = 6;

/**
 * A table: what all rows share, kinds with their numbers, a filter, and the rows. It is one stop for the Tab key; arrow
 * keys go from cell to cell, Enter sorts, opens a menu or opens a row, Escape closes it.
 */
export function tableView(section: TableSection, context: RenderContext): HTMLElement {
  return new TableView(section, context).view;
}

class TableView {
  readonly view: HTMLElement;
  readonly #section: TableSection;
  readonly #context: RenderContext;
  readonly #name: string;
  readonly #rows: TableRows;
  readonly #columns = new ShownColumns();
  readonly #grid: Grid;
  readonly #caption = element("p", { class: "caption" });
  readonly #note = element("p", { class: "count", role: "status" });
  #known: readonly Column[] | undefined;

  constructor(section: TableSection, context: RenderContext) {
    this.#section = section;
    this.#context = context;
    this.#name = section.title ?? "Rows";
    let isReady = false;
    this.#rows = new TableRows(section, context.ask, () => isReady && this.#changed());
    this.#grid = new Grid(this.#name, this.#rows, this.#columns, context, (column) => this.#sortBy(column));
    this.view = element("section", { class: "table" }, this.#caption, this.#tools(), this.#grid.box);
    isReady = true;
    this.#changed();
  }

  /** Rows have come: others, or more of the same. */
  #changed(): void {
    const { columns } = this.#rows;
    const isOther = columns !== this.#known && JSON.stringify(columns) !== JSON.stringify(this.#known);
    if (isOther) {
      this.#columns.reset(columns);
      this.#drawCaption();
    }
    this.#known = columns;
    if (isOther || this.#isStale) this.#grid.restart();
    else this.#grid.draw();
    this.#isStale = false;
    this.#note.textContent = this.#noteText();
  }
  /** The drawn rows are of another order. */
  #isStale = true;

  #reorder(change: () => void): void {
    this.#isStale = true;
    change();
    this.#note.textContent = this.#noteText();
  }

  #sortBy(column: number): void {
    const { filter, sort } = this.#rows.order;
    const isSame = sort?.column === column;
    const next = isSame && sort.descending ? undefined : { column, descending: isSame };
    this.#reorder(() => this.#rows.reorder({ filter, sort: next }));
  }

  #noteText(): string {
    const { total, order, isDropped, isWaiting } = this.#rows;
    const kept = isDropped ? "; run the cell again to see the other rows" : "";
    if (isWaiting) return "Searching…";
    if (order.filter !== "" && total === 0) return `No matching rows${kept}`;
    const all = this.#section.kinds?.find(({ rest }) => rest === this.#rows.rest)?.count ?? this.#section.total;
    return `${countNote(total, all)}${kept}`;
  }

  #drawCaption(): void {
    const parts = this.#rows.columns.flatMap(({ name, shared }) => {
      if (!shared) return [];
      const reference = referenceOf(shared);
      const text = shortened(shared.text, 42);
      return [
        element(
          "span",
          { class: "fact" },
          element("span", { class: "quiet" }, `${name} `),
          reference ? referenceButton(text, reference, this.#context) : text,
        ),
      ];
    });
    this.#caption.replaceChildren(...parts);
    this.#caption.hidden = parts.length === 0;
  }

  #tools(): HTMLElement {
    const { title, total, kinds = [], rest } = this.#section;
    const { act } = this.#context;
    const hasKinds = this.#rows.canAsk && kinds.length > 1 && total >= minFilteredRows;
    return element(
      "div",
      { class: "bar" },
      title === undefined ? undefined : element("h4", {}, title),
      ...(hasKinds ? this.#chips(kinds) : []),
      total < minFilteredRows || this.#context.isLive ? undefined : this.#filter(),
      this.#note,
      element("span", { class: "space" }),
      total < 2 ? undefined : linkButton("Columns", (button) => this.#columnMenu(button)),
      linkButton("Copy", (button) => this.#copyMenu(button)),
      act && rest !== undefined && this.#rows.canAsk
        ? linkButton("Save All…", () => {
            const filtered = this.#filtered();
            act({
              kind: "save-rows",
              output: this.#context.output,
              all: { rest, total },
              ...(filtered && { filtered }),
            });
          })
        : undefined,
    );
  }

  /** The rows that the table shows, if a kind was chosen or a filter was typed. */
  #filtered(): RowsToSave | undefined {
    const { rest, total, order } = this.#rows;
    const { filter } = order;
    if (rest === undefined || (rest === this.#section.rest && filter === "")) return undefined;
    return { rest, total, ...(filter !== "" && { filter }) };
  }

  #chips(kinds: NonNullable<TableSection["kinds"]>): readonly HTMLElement[] {
    const chips = kinds.map(({ name, count, rest }) => {
      const chip = element(
        "button",
        { type: "button", class: "chip", "aria-pressed": "false" },
        `${name} ${count.toLocaleString("en")}`,
      );
      chip.addEventListener("click", () => {
        const isOn = chip.getAttribute("aria-pressed") === "true";
        for (const other of chips) other.setAttribute("aria-pressed", String(other === chip && !isOn));
        this.#reorder(() => this.#rows.choose(isOn ? undefined : rest));
      });
      return chip;
    });
    return chips;
  }

  #filter(): HTMLElement {
    return filterInput(this.#name, (text) => {
      const { sort, filter: last } = this.#rows.order;
      const filter = text.trim();
      if (filter !== last) this.#reorder(() => this.#rows.reorder({ filter, sort }));
    });
  }

  #columnMenu(button: HTMLElement): void {
    const entries = this.#rows.columns.map(({ name }, at) => ({
      label: name === "" ? "(no name)" : name,
      checked: this.#columns.shown.includes(at),
      run: () => {
        this.#columns.toggle(at);
        this.#grid.restart(false);
      },
    }));
    showMenu(button, "Columns", entries);
  }

  #copyMenu(button: HTMLElement): void {
    const copy = async (write: typeof tabSeparated): Promise<void> => {
      const { columns } = this.#rows;
      const shown = this.#columns.shown.flatMap((at) => columns[at] ?? []);
      const rows = (await this.#rows.all()).map((row) => this.#columns.shown.flatMap((at) => row[at] ?? []));
      await copyFrom(button, this.#context.copy, write(shown, rows));
    };
    const more = this.#rows.total > maxCopiedRows ? ` (first ${maxCopiedRows.toLocaleString("en")} rows)` : "";
    showMenu(button, "Copy", [
      { label: `Copy as TSV${more}`, run: () => void copy(tabSeparated) },
      { label: `Copy as JSON${more}`, run: () => void copy(rowsJson) },
      { label: `Copy as Markdown${more}`, run: () => void copy(markdownTable) },
    ]);
  }
}

function linkButton(label: string, press: (button: HTMLElement) => void): HTMLElement {
  const button = element("button", { type: "button", class: "link" }, label);
  button.addEventListener("click", () => press(button));
  return button;
}

/** @example countNote(212, 4722); //=> "212 of 4,722 rows" */
export function countNote(shown: number, total: number): string {
  const all = plural(total, "row");
  return shown < total ? `${shown.toLocaleString("en")} of ${all}` : all;
}
