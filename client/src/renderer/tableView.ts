import type { Copy } from "./copy.ts";
import { announce, copyButton } from "./copy.ts";
import { element } from "./dom.ts";
import { shortened } from "./hex.ts";
import { pagesOf } from "./pages.ts";
import type { AskRows, Shown, TableSection } from "./types.ts";
import { everything, exactText } from "./value.ts";

/** Characters of hex in a cell: enough to tell addresses and hashes apart. */
const cellLimit = 14;

/** Hex as long as an address, also inside of other text. A tooltip shows the whole text. */
const longHex = /0x[0-9a-fA-F]{13,}/g;
/** Characters on one line. Longer text wraps. */
const lineLimit = 40;

/**
 * A table in a box that scrolls by itself. It is one stop for the Tab key; arrow keys go from cell to cell, Enter and
 * the usual key for copying copy the wire form of the cell. Further rows are requested page by page.
 */
export function tableView(section: TableSection, copy: Copy, ask: AskRows): HTMLElement {
  const name = section.title ?? "Rows";
  const body = element("tbody");
  const table = element(
    "table",
    { role: "grid", "aria-label": name, "aria-rowcount": String(section.total + 1) },
    element("thead", {}, element("tr", {}, ...section.columns.map(heading))),
    body,
  );
  const note = element("p", { class: "count", role: "status" });
  const more = element("button", { type: "button", class: "more" }, "Show more rows");
  const pages = pagesOf(section, ask);
  const draw = (rows: readonly (readonly Shown[])[]): void => {
    body.append(...rows.map((row) => rowView(row, section)));
    note.textContent = pages.note();
    more.hidden = pages.ended();
  };
  const next = async (): Promise<void> => {
    more.disabled = true;
    const added = await pages.next();
    more.disabled = false;
    if (added) draw(added);
  };
  more.addEventListener("click", () => void next());
  draw(pages.first());
  walkable(table, pages.shown, copy);
  const restart = (text: string): void => {
    pages.restart(text);
    body.replaceChildren();
    draw(text === "" ? pages.first() : []);
    if (text !== "") void next();
  };
  return element(
    "section",
    { class: "table" },
    element(
      "div",
      { class: "bar" },
      section.title === undefined ? undefined : element("h4", {}, section.title),
      note,
      section.rest === undefined || ask === undefined ? undefined : filterView(name, restart),
      copyButton(
        copy,
        () => tabSeparated(section, pages.shown()),
        "Copy the rows shown, separated by tabs",
        "Copy rows",
      ),
    ),
    element("div", { class: "scroll" }, table),
    more,
  );
}

/** Milliseconds without a key after which a filter is applied. */
const debounceMs = 250;

function filterView(name: string, restart: (text: string) => void): HTMLElement {
  const input = element("input", {
    type: "search",
    class: "filter",
    placeholder: "Filter",
    "aria-label": `Filter ${name}: rows that contain this text`,
    spellcheck: "false",
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = "";
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const text = input.value.trim();
      if (text !== last) restart(text);
      last = text;
    }, debounceMs);
  });
  // The notebook would handle the key.
  input.addEventListener("keydown", (event) => event.stopPropagation());
  return input;
}

/** Returns rows for other programs: a header line, and wire forms separated by tabs. */
export function tabSeparated(section: TableSection, rows = section.rows): string {
  const line = (cells: readonly string[]): string => cells.map((cell) => cell.replace(/[\t\r\n]+/g, " ")).join("\t");
  return [line(section.columns.map((column) => column.name)), ...rows.map((row) => line(row.map(exactText)))].join(
    "\n",
  );
}

function heading(column: { readonly name: string; readonly align: string }): HTMLElement {
  return element("th", { scope: "col", class: column.align }, column.name);
}

function rowView(row: readonly Shown[], section: TableSection): HTMLElement {
  return element(
    "tr",
    row.some(({ struck }) => struck) ? { class: "struck" } : {},
    ...row.map((value, index) => {
      const text = value.text.replace(longHex, (hex) => shortened(hex, cellLimit));
      const wraps = text.length > lineLimit ? " wraps" : "";
      const role = `${section.columns[index]?.align ?? "left"} ${value.role ?? "plain"}${wraps}`;
      return element("td", { tabindex: "-1", class: role, title: everything(value) }, text);
    }),
  );
}

const steps: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** Arrow keys, Home, End and Enter, with one cell in the tab order at a time. */
function walkable(table: HTMLTableElement, shown: () => readonly (readonly Shown[])[], copy: Copy): void {
  const [body] = table.tBodies;
  let current = body?.rows[0]?.cells[0];
  current?.setAttribute("tabindex", "0");
  // A filter removes the cell that was in the tab order.
  new MutationObserver(() => {
    if (current?.isConnected === false) go(body?.rows[0]?.cells[0]);
  }).observe(table, { childList: true, subtree: true });
  const go = (next: HTMLTableCellElement | undefined): void => {
    if (next === undefined) return;
    current?.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    current = next;
  };
  const currentValue = (): Shown | undefined => {
    const row = current?.parentElement;
    return row instanceof HTMLTableRowElement ? shown()[row.sectionRowIndex]?.[current?.cellIndex ?? 0] : undefined;
  };
  table.addEventListener("copy", (event) => {
    const value = currentValue();
    if (value === undefined || getSelection()?.isCollapsed === false) return;
    event.clipboardData?.setData("text/plain", exactText(value));
    event.preventDefault();
  });
  table.addEventListener("focusin", (event) => {
    if (event.target instanceof HTMLTableCellElement) go(event.target);
  });
  table.addEventListener("keydown", (event) => {
    const row = current?.parentElement;
    if (current === undefined || body === undefined || !(row instanceof HTMLTableRowElement)) return;
    const at = row.sectionRowIndex;
    const value = currentValue();
    if (event.key === "Enter" && value !== undefined) {
      void copy(exactText(value)).then((copied) => announce(table, copied ? "Copied" : "Copying is not allowed here"));
    } else {
      const [down, right] = steps[event.key] ?? [0, 0];
      const last = row.cells.length - 1;
      const column = event.key === "Home" ? 0 : event.key === "End" ? last : current.cellIndex + right;
      const next = body.rows[at + down]?.cells[column];
      if (next === undefined || next === current) return;
      next.focus();
    }
    // The notebook would move to another cell.
    event.preventDefault();
    event.stopPropagation();
  });
}
