import { shortHex } from "../base/text.ts";
import type { Shown, TableSection } from "../report/report.ts";
import { inlineText } from "../report/shown.ts";
import { columnsOf, pad } from "../report/text.ts";
import type { StreamUpdate } from "../run/result/streamView.ts";
import type { Terminal } from "./terminal.ts";

/** Prints rows of subscriptions when they arrive, and events of their connections. */
export interface StreamRows {
  text(event: StreamUpdate, terminal: Terminal): string;
}

/**
 * Prints the names of columns above the first row, and again when another cell or other columns follow. Columns are as wide
 * as the widest value so far, so that rows align.
 */
export function openStreamRows(): StreamRows {
  let headed = "";
  let widths: readonly number[] = [];
  let short = false;
  return {
    text({ index, output: { reports }, rows, connectionMessages }, terminal) {
      const lines = connectionMessages.map((what) => terminal.paint("dim", what));
      const [report] = reports;
      const table = report?.sections.find((section): section is TableSection => section.kind === "table");
      if (rows.length === 0 || !report || !table) return lines.join("\n");
      const { columns } = table;
      const names = columns.map(({ name }) => name);
      const head = [index, ...names].join("\n");
      const isNew = head !== headed;
      headed = head;
      if (isNew) [widths, short] = [names.map(columnsOf), false];
      const texts = (): readonly (readonly string[])[] =>
        rows.map((row) => columns.map((_, at) => (short ? shortened(shown(row[at])) : shown(row[at]))));
      const grown = (): readonly number[] =>
        texts().reduce((before, row) => row.map((text, at) => Math.max(before[at] ?? 0, columnsOf(text))), widths);
      if (!short && terminal.width !== undefined && lengthOf(grown()) > terminal.width)
        [widths, short] = [names.map(columnsOf), true];
      widths = grown();
      const line = (cells: readonly string[]): string =>
        cells
          .map((text, at) => pad(text, widths[at] ?? 0, columns[at]?.align ?? "left"))
          .join("  ")
          .trimEnd();
      if (isNew) lines.push(terminal.paint("bold", report.title));
      if (isNew && names.length > 1) lines.push(terminal.paint("dim", line(names)));
      return [...lines, ...texts().map(line)].join("\n");
    },
  };
}

function lengthOf(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + one + 2, -2);
}

function shortened(text: string): string {
  return text.replace(/0x[0-9a-fA-F]{16,}/g, shortHex);
}

function shown(value: Shown | undefined): string {
  return value ? inlineText(value) : "";
}
