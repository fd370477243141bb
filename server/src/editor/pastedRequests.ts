import { lineColumns, replaced } from "../base/text.ts";
import { importText } from "../convert/importText.ts";
import { formatCell } from "../features/formatting.ts";
import { readCell } from "../notebook/readCell.ts";
import type { ImportResult } from "../protocol/conversion.ts";

/** Converts a request that another tool has copied into cells. They use the endpoint of the notebook they are put into. */
export function pasted(text: string): ImportResult {
  const { cells, notes } = importText(text);
  const placeOf = lineColumns(text);
  return {
    cells: cells.map(({ kind, text: written }) => {
      if (kind === "markdown") return { kind, text: written };
      return { kind, text: replaced(written, formatCell(readCell(written), { indent: "  " })) };
    }),
    notes: notes.map(({ at, what }) => {
      const { line, column } = placeOf(at);
      return `Line ${line}, column ${column}: ${what}`;
    }),
  };
}
