/** A cell, by its document in a notebook or by its ordinal among the cells of a text (a header is not counted). */
export type CellRef = { readonly uri: string } | { readonly index: number };
