import type { ExportTarget } from "../convert/exportModel.ts";
import type { PageCell } from "../convert/htmlPage.ts";
import type { ShellHost } from "../convert/shells.ts";

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
export interface ExportParams extends WireFormParams, ExportTarget {
  /** All cells, whatever `index` and `offset` say. */
  readonly all?: boolean;
}

/** `rpcNotebook/exportTargets`: lists what cells can be written as, the best for this host first. Sends nothing. */
export type ExportTargetsParams = ShellHost;

export interface ExportTargetsResult {
  readonly targets: readonly (ExportTarget & { readonly label: string })[];
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

/** `rpcNotebook/exportPage`: writes a notebook with the results that it shows as one HTML page. Sends nothing. */
export interface ExportPageParams {
  readonly title: string;
  readonly cells: readonly PageCell[];
  /** The program that draws the results: the bundle `dist/page.js`. */
  readonly script: string;
}

/** `null` if it could not be made. */
export type ExportPageResult = { readonly text: string } | null;

/** `rpcNotebook/import`: reads requests of another tool, for a notebook. */
export interface ImportParams {
  readonly text: string;
  /** The document that the requests are put into; its endpoints are named. */
  readonly uri?: string;
}

export interface ImportResult {
  /** Formatted. */
  readonly cells: readonly { readonly kind: "request" | "markdown"; readonly text: string }[];
  /** Sentences that say where in the text something was left out. */
  readonly notes: readonly string[];
  /** An address that needs a key was left out: a person has to choose an endpoint. */
  readonly needsEndpoint?: true;
  /** Says what was converted and where the requests go; absent if no request can be sent. */
  readonly summary?: string;
}

/** `rpcNotebook/explain`: says what a text may be, and returns cells that ask about it. Sends nothing. */
export interface ExplainParams {
  readonly text: string;
  /** The document that the cells are put into. */
  readonly uri?: string;
}

export interface ExplainResult {
  /** The best first. One without cells says why there are none. */
  readonly readings: readonly {
    readonly name: string;
    readonly what: string;
    /** Formatted. */
    readonly cells: ImportResult["cells"];
    /** Says why its requests do not run at once: they are not known to only read. */
    readonly unsent?: string;
    /** It asks for one transaction or block, and has failed if that does not exist. */
    readonly isLookup?: true;
    /** Index of the reading to run then. */
    readonly otherwise?: number;
  }[];
  /** Index of the reading to take without a question: the first that has cells. */
  readonly best?: number;
  /** Says why the text has no reading, or which part of it was left out. */
  readonly note?: string;
}

/** `rpcNotebook/templates`: returns requests to begin a document with. Sends nothing. */
export interface TemplatesParams {
  readonly uri: string;
}

export interface TemplatesResult {
  readonly templates: readonly {
    readonly label: string;
    readonly detail: string;
    /** A snippet: text with tab stops. */
    readonly insert: string;
  }[];
}
