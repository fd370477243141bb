/** An edit that brings the header back to the top. */
export type HeaderFix<C> =
  | { readonly kind: "restore"; readonly header: C }
  | { readonly kind: "move"; readonly header: C; readonly from: number };

/**
 * Returns the edit that brings the header back after a change.
 *
 * @param cells - All cells after the change.
 * @param removed - Cells that the change removed.
 * @returns `undefined` if the header is first, or there was none.
 */
export function headerFix<C>(
  cells: readonly C[],
  removed: readonly C[],
  isHeader: (cell: C) => boolean,
): HeaderFix<C> | undefined {
  const from = cells.findIndex(isHeader);
  const header = from < 0 ? removed.find(isHeader) : cells[from];
  if (header === undefined || from === 0) return undefined;
  return from < 0 ? { kind: "restore", header } : { kind: "move", header, from };
}
