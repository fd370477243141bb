import type { Cell } from "../notebook/cell.ts";
import type { Exported, ExportForm, ExportScope } from "./exportModel.ts";
import { toShell } from "./toShell.ts";
import { toViem } from "./toViem.ts";

/**
 * Writes cells for another tool. Never throws. What could not be written is a note, and a comment in the text.
 *
 * @param cells - Some of those of the scope, the header not among them.
 */
export function exportCells(cells: readonly Cell[], form: ExportForm, around: ExportScope): Exported {
  return form === "viem" ? toViem(cells, around) : toShell(cells, form, around);
}
