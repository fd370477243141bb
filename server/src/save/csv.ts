import { spreadsheetText } from "../base/tableValues.ts";

/**
 * A line of CSV. White space at the ends of a value is in quotes, since readers trim.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4180
 */
export function csvLine(values: readonly string[]): string {
  return values
    .map((value) => {
      if (/^0x[0-9a-f]*$/.test(value)) return value; // the most frequent of large files
      const safe = spreadsheetText(value);
      return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    })
    .join(",");
}
