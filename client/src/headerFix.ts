/** An edit that brings the header back to the top, as a code cell. */
export type HeaderFix<C> =
  | { readonly kind: "restore"; readonly header: C }
  | { readonly kind: "move"; readonly header: C; readonly from: number }
  | { readonly kind: "convert"; readonly header: C };

/**
 * Returns the edit that brings the header back after a change.
 *
 * @param cells - All cells after the change.
 * @param removed - Cells that the change removed.
 * @param isCode - Distinguishes a header that has become Markdown.
 * @returns `undefined` if the header is first and a code cell, or there was none.
 */
export function headerFix<C>(
  cells: readonly C[],
  removed: readonly C[],
  isHeader: (cell: C) => boolean,
  isCode: (cell: C) => boolean,
): HeaderFix<C> | undefined {
  const from = cells.findIndex(isHeader);
  const header = from < 0 ? removed.find(isHeader) : cells[from];
  if (header === undefined) return undefined;
  if (from < 0) return { kind: "restore", header };
  if (from > 0) return { kind: "move", header, from };
  return isCode(header) ? undefined : { kind: "convert", header };
}
