/** How the header gets back to the top. */
export type HeaderFix<C> =
  | { readonly kind: "restore"; readonly header: C }
  | { readonly kind: "move"; readonly header: C; readonly from: number };

/**
 * What a change did to the header, as an edit that mends it.
 *
 * @param cells - All cells after the change.
 * @param removed - Cells that the change took away.
 * @returns `undefined` where the header stands first, or there never was one.
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
