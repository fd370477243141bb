import type { Uri } from "vscode";
import { l10n } from "vscode";
import { inform, warn } from "./messages.ts";
import { type RunParts, runDocument } from "./runDocument.ts";

/**
 * Runs cells and writes the results into the snapshot beside the file. Runs only when a person asks for it.
 *
 * @param document - A notebook, the text of one, or a cell of a notebook.
 * @param index - Ordinal of the cell in a text; absent for all of them.
 */
export async function updateSnapshot(parts: RunParts, document: Uri, index?: number): Promise<void> {
  const result = await runDocument(parts, document, l10n.t("Updating the snapshot"), { snapshot: "update" }, index);
  const { notes = [], fault } = result?.snapshot ?? {};
  if (fault !== undefined) void warn(fault);
  else if (notes.length > 0) void inform(notes.join(" "));
}
