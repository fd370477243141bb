import { quantity } from "../base/hex.ts";
import { formatUnits, roundedUnits } from "../base/units.ts";
import type { Column, Shown, TableSection } from "./report.ts";
import { tableSource } from "./table.ts";

/** The columns of a table on a screen: with their units, and with what all rows share. */
export function screenColumns(section: TableSection): readonly Column[] {
  const source = tableSource(section);
  const shared = section.columns.map(({ name }, at) => name !== "#" && source?.isShared(at) === true);
  const isAnyShared = shared.some((one) => one) && !shared.every((one) => one);
  return section.columns.map((column, at) => {
    const cells = section.rows.flatMap((row) => row[at] ?? []);
    const unit = unitOf(cells);
    const [first] = cells;
    return {
      ...column,
      ...(unit !== undefined && { unit }),
      ...(isAnyShared && shared[at] && first && { shared: first }),
    };
  });
}

/** A row of a table on a screen: amounts in the units of their columns, and values for other programs. */
export function screenRow(row: readonly Shown[], columns: readonly Column[]): readonly Shown[] {
  return row.map((cell, at) => {
    const number = numberIn(cell, columns[at]?.unit);
    const plain = plainText(cell);
    const isNew = plain !== (cell.raw ?? cell.text);
    return { ...cell, ...(number !== undefined && { number }), ...(isNew && { plain }) };
  });
}

/** Decimals of the units of ether. */
const etherUnits: ReadonlyMap<string, number> = new Map([
  ["ether", 18],
  ["gwei", 9],
  ["wei", 0],
]);

interface ExactAmount {
  /** In the smallest unit. */
  readonly value: bigint;
  readonly symbol: string;
  readonly decimals: number;
}

/** Reads an amount as reports write it: nothing in its text is rounded. */
function amountOf({ text, raw, also, role }: Shown): ExactAmount | undefined {
  const [, sign = "", whole = "", fraction = "", symbol] =
    (role === "amount" && /^([-−]?)([\d,]+)(?:\.(\d+))? (.+)$/.exec(text)) || [];
  if (symbol === undefined) return undefined;
  const decimals = etherUnits.get(symbol) ?? tokenDecimals(also);
  if (decimals === undefined || fraction.length > decimals) return undefined;
  if (!etherUnits.has(symbol) && raw === undefined) return undefined;
  const size = BigInt(whole.replaceAll(",", "") + fraction.padEnd(decimals, "0"));
  return { value: sign === "" ? size : -size, symbol, decimals };
}

function tokenDecimals(also: Shown["also"]): number | undefined {
  const [, places] = also?.map((one) => /in units of 10\^−(\d+)$/.exec(one)).find((match) => match !== null) ?? [];
  return places === undefined ? undefined : Number(places);
}

/** The unit that all amounts of a column have; that of the largest if it is ether. */
function unitOf(cells: readonly Shown[]): string | undefined {
  const amounts: ExactAmount[] = [];
  for (const cell of cells) {
    const amount = amountOf(cell);
    if (amount) amounts.push(amount);
    else if (cell.text !== "" && !cell.text.startsWith("unlimited ")) return undefined;
  }
  const symbols = new Set(amounts.map(({ symbol }) => symbol));
  const [only] = symbols;
  if (symbols.size === 1) return only;
  return [...etherUnits.keys()].find((unit) => symbols.has(unit) && [...symbols].every((one) => etherUnits.has(one)));
}

function numberIn(cell: Shown, unit: string | undefined): string | undefined {
  const amount = unit === undefined ? undefined : amountOf(cell);
  if (!amount || unit === undefined) return undefined;
  if (amount.symbol === unit) return numberOf(amount.value, amount.decimals);
  const [from, to] = [etherUnits.get(amount.symbol), etherUnits.get(unit)];
  return from === undefined || to === undefined ? undefined : numberOf(amount.value, to);
}

function numberOf(value: bigint, decimals: number): string {
  return roundedUnits(value, decimals) ?? formatUnits(value, decimals);
}

/**
 * The value for other programs, in one unit a column: decimal digits, amounts in the smallest unit, times in ISO 8601,
 * and the wire form of addresses and bytes.
 */
export function plainText(cell: Shown): string {
  const { text, raw, role } = cell;
  const amount = amountOf(cell);
  if (amount) return amount.value.toString();
  if (role === "time") return text.endsWith(" UTC") ? `${text.slice(0, -4).replace(" ", "T")}Z` : text;
  if (raw === undefined) return /^\d{1,3}(?:,\d{3})+$/.test(text) ? text.replaceAll(",", "") : text;
  if (role === "address" || role === "hash" || role === "bytes" || role === "name") return raw;
  if (!/^[-−]?\d/.test(text)) return role === "amount" ? raw : text;
  return quantity(raw)?.toString() ?? raw;
}

/** The unit of the plain values of a column, for the head of a file. */
export function plainUnit(cells: readonly Shown[]): string | undefined {
  const units = new Set(
    cells.flatMap((cell) => {
      const amount = amountOf(cell);
      if (!amount) return [];
      return etherUnits.has(amount.symbol) ? "wei" : `10^-${amount.decimals} ${amount.symbol}`;
    }),
  );
  const [only] = units;
  return units.size === 1 ? only : undefined;
}
