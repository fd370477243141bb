// Messages about a cell in the form of another tool.

/** `rpcNotebook/wireForm`: what a cell would send now. Sends nothing. */
export interface WireFormParams {
  /** URI of the cell's own document, of its notebook, or of the text. */
  readonly uri: string;
  /** Ordinal of the cell, a header not counted; absent where the document or `offset` says which. */
  readonly index?: number;
  /** In the document, in UTF-16 code units. */
  readonly offset?: number;
}

/** `null` where there is no cell. */
export type WireFormResult = { readonly text: string } | { readonly unsent: string } | null;

/** `rpcNotebook/export`: a cell, or all of a document, written for another tool. Sends nothing. */
export interface ExportParams extends WireFormParams {
  readonly to: "curl" | "cast" | "viem";
  /** All cells, whatever `index` and `offset` say. */
  readonly all?: boolean;
}

/** `null` where there is no cell. */
export interface ExportResult {
  readonly text: string;
  /** What could not be written as it stands. */
  readonly notes: readonly ExportNote[];
}

interface ExportNote {
  /** Ordinal of the cell, a header not counted. */
  readonly index: number;
  readonly what: string;
}

/** `rpcNotebook/import`: reads requests of another tool, to be put into a notebook. */
export interface ImportParams {
  readonly text: string;
}

export interface ImportResult {
  /** Laid out; Markdown as itself. */
  readonly cells: readonly { readonly kind: "request" | "markdown"; readonly text: string }[];
  /** Sentences, each with its place in the text. */
  readonly notes: readonly string[];
}
