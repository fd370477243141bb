import { spreadsheetText } from "../../../server/src/base/tableValues.ts";
import type { Column, Shown } from "./types.ts";

type Rows = readonly (readonly Shown[])[];

/** The value for other programs: digits, an address, an ISO time. */
export function plainText({ plain, raw, text }: Shown): string {
  return plain ?? raw ?? text;
}

/** Returns rows for a spreadsheet: a line with the names, then values separated by tabs. */
export function tabSeparated(columns: readonly Column[], rows: Rows): string {
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell) => cell.replace(/[\t\r\n]+/g, " ").replace(/^ +(?=\S)/, ""))
      .map(spreadsheetText)
      .join("\t");
  return [line(columns.map(({ name }) => name)), ...rows.map((row) => line(row.map(plainText)))].join("\n");
}

export function rowsJson(columns: readonly Column[], rows: Rows): string {
  const objects = rows.map((row) =>
    Object.fromEntries(row.map((cell, at) => [columns[at]?.name ?? "", plainText(cell)])),
  );
  return JSON.stringify(objects, null, 2);
}

/** Returns rows as a table for Markdown, with the texts that people read. */
export function markdownTable(columns: readonly Column[], rows: Rows): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replace(/[\\|`<*_[\]]/g, "\\$&").replace(/\s+/g, " ")).join(" | ")} |`;
  return [
    line(columns.map(({ name }) => name)),
    `|${columns.map(({ align }) => (align === "right" ? " ---: " : " --- ")).join("|")}|`,
    ...rows.map((row) => line(row.map(({ text }) => text))),
  ].join("\n");
}
