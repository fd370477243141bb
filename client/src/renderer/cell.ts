import { element, padDigits } from "./dom.ts";
import { shortened } from "./text.ts";
import type { Column, Shown } from "./types.ts";
import { everything, referenceOf } from "./value.ts";

/** Characters of hex in a cell: enough to tell addresses and hashes apart. */
const cellLimit = 14;
/** Hex as long as an address, also inside of other text. A tooltip shows the whole text. */
const longHex = /0x[0-9a-fA-F]{13,}/g;
/** Characters on one line. Longer text wraps, if its table lets it. */
const lineLimit = 40;
/** Decimals for which a column has room; a number with more begins further left. */
const maxDecimals = 9;

export function cellText(value: Shown): string {
  return value.number ?? (value.short ?? value.text).replace(longHex, (hex) => shortened(hex, cellLimit));
}

/** Digits after the point for which a column has room. */
export function decimalsIn(rows: readonly (readonly Shown[] | undefined)[], column: number): number {
  const lengths = rows.map((row) => row?.[column]?.number?.split(".")[1]?.length ?? 0);
  return Math.min(maxDecimals, Math.max(0, ...lengths));
}

/** A cell of a table. Decimal points are below each other. */
export function cellView(value: Shown, { align, unit }: Column, decimals: number): HTMLTableCellElement {
  const text = cellText(value);
  const wraps = text.length > lineLimit ? " wraps" : "";
  const cell = element("td", {
    tabindex: "-1",
    class: `${align} ${value.role ?? "plain"}${wraps}`,
    title: everything(value),
    ...(referenceOf(value) && { "aria-haspopup": "menu" }),
  });
  const [whole = "", fraction] = value.number === undefined ? [] : text.split(".");
  if (value.number === undefined || unit === undefined) {
    cell.append(text);
    return cell;
  }
  cell.append(
    whole,
    fraction === undefined ? "" : element("span", whole === "0" ? {} : { class: "fraction" }, `.${fraction}`),
  );
  const missing = decimals - (fraction?.length ?? -1) - (decimals === 0 ? 1 : 0);
  if (missing > 0) padDigits(cell, missing);
  return cell;
}
