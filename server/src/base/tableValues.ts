/** A value that rows are sorted by. */
export type SortKey = string | number | bigint;

/**
 * Returns the key of a cell: a number sorts by its value, other text as people read it, in any case.
 *
 * @param plain - The value for programs: `1000.5`.
 * @param text - The value for people: `1,000.5 DUSD`.
 */
export function sortKey(plain: string, text: string): SortKey {
  if (!/^-?\d+(?:\.\d+)?$/.test(plain)) return text.toLowerCase();
  const number = Number(plain);
  return Number.isSafeInteger(number) || plain.includes(".") ? number : BigInt(plain);
}

/** Compares two keys: numbers come before texts. */
export function compareKeys(a: SortKey, b: SortKey): number {
  const [isTextA, isTextB] = [typeof a === "string", typeof b === "string"];
  if (isTextA !== isTextB) return isTextA ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Text that a spreadsheet would run as a formula, also behind apostrophes; some languages have wide forms of the signs. */
const formula = /^'*\s*(?:[=+@＝＋＠]|[-－](?!\d+(?:\.\d+)?$))/;

/** Returns a value for a cell of a spreadsheet. What could run as a formula begins with an apostrophe more. */
export function spreadsheetText(value: string): string {
  return formula.test(value) ? `'${value}` : value;
}

/** Returns the value that {@link spreadsheetText} was made of. */
export function valueOfSpreadsheetText(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
}
