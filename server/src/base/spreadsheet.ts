/**
 * Returns a value for a cell of a spreadsheet. Text that a spreadsheet would run as a formula begins with an apostrophe;
 * some languages have wide forms of the signs.
 */
export function spreadsheetText(value: string): string {
  return /^\s*(?:[=+@＝＋＠]|[-－](?!\d+(?:\.\d+)?$))/.test(value) ? `'${value}` : value;
}
