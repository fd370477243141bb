// Messages about a cell in the form of another tool.

/** `rpcNotebook/wireForm`: returns what a cell would send now. Sends nothing. */
export interface WireFormParams {
  /** URI of the cell's own document, of its notebook, or of the text. */
  readonly uri: string;
  /** Ordinal of the cell, a header not counted; absent if the document or `offset` says which. */
  readonly index?: number;
  /** In the document, in UTF-16 code units. */
  readonly offset?: number;
}

/** `null` if there is no cell. */
export type WireFormResult = { readonly text: string } | { readonly unsent: string } | null;

/** `rpcNotebook/export`: writes a cell, or all cells of a document, for another tool. Sends nothing. */
export interface ExportParams extends WireFormParams {
  readonly to: "curl" | "cast" | "viem";
  /** All cells, whatever `index` and `offset` say. */
  readonly all?: boolean;
}

/** `null` if there is no cell. */
export interface ExportResult {
  readonly text: string;
  /** Things that the other tool cannot express. */
  readonly notes: readonly ExportNote[];
}

interface ExportNote {
  /** Ordinal of the cell, a header not counted. */
  readonly index: number;
  readonly what: string;
}

/** `rpcNotebook/import`: reads requests of another tool, for a notebook. */
export interface ImportParams {
  readonly text: string;
}

export interface ImportResult {
  /** Formatted. */
  readonly cells: readonly { readonly kind: "request" | "markdown"; readonly text: string }[];
  /** Sentences that say where in the text something was left out. */
  readonly notes: readonly string[];
}
