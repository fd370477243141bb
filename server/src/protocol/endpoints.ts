import type { FilePlace } from "../base/text.ts";
import type { CellOutput } from "../report/cellOutput.ts";

// Messages about endpoints: listing, adding and measuring them.

/** `rpcNotebook/endpoints`: lists the endpoints that a document can use. */
export interface EndpointsParams {
  readonly uri: string;
}

export interface EndpointsResult {
  readonly endpoints: readonly EndpointChoice[];
  /** Whether an endpoint is configured. The built-in one does not count. */
  readonly configured: boolean;
  /** The test network if the main one is used, and the main one else. */
  readonly other?: string;
  /** The endpoint that a run would use now; absent if none is chosen. */
  readonly current?: EndpointChoice & {
    readonly why: string;
    /** `recorded` if a recording answers. */
    readonly badge?: string;
  };
}

export interface EndpointChoice {
  readonly name: string;
  readonly host: string;
  /** The source of its address: a file, a setting, built in. */
  readonly origin: string;
  /** The place of its name, if that is in a file. */
  readonly place?: FilePlace;
}

/** `rpcNotebook/checkAddress`: checks an address that a person types for an endpoint. Sends nothing. */
export interface CheckAddressParams {
  readonly text: string;
}

/** `fault`: a sentence that says what to type instead. `grant`: the approval that typing it gives, to be stored unchanged. `isPrivate`: it seems to contain a key. */
export type CheckAddressResult = { readonly fault: string } | { readonly grant: string; readonly isPrivate: boolean };

/** `rpcNotebook/addEndpoint`: adds an endpoint to a file in the project of a document. */
export interface AddEndpointParams {
  readonly uri: string;
  readonly name: string;
  readonly address: string;
  /** Whether it goes into the file that git ignores. */
  readonly isPrivate: boolean;
}

export type AddEndpointResult =
  | { readonly added: true }
  /** The document has no folder: the client adds it to the setting `rpcNotebook.endpoints`. */
  | { readonly inSettings: true }
  /** Says in one or two sentences why a person has to change this file. */
  | { readonly refused: string; readonly uri: string };

/** `rpcNotebook/probe`: measures what an endpoint can do. Completions and warnings use what it measured. */
export interface ProbeParams {
  /** The URI of the notebook, one of its cells, or the text. The endpoint of its header is probed. */
  readonly uri: string;
  /** In place of that one. */
  readonly endpoint?: string;
}

/** `null` if there is no such document. */
export type ProbeResult = CellOutput | null;

/**
 * `rpcNotebook/audit`: compares what an endpoint shows as pre-confirmed with what is sealed. Cancelling it ends it early,
 * with the result until then.
 */
export interface AuditParams extends ProbeParams {
  /** Milliseconds. */
  readonly forMs: number;
}

/** `rpcNotebook/compare`: runs a cell's request at several blocks, or at two endpoints, side by side. */
export interface CompareParams {
  /** The URI of the cell's own document, of its notebook, or of the text. */
  readonly uri: string;
  /** Ordinal of the cell, a header not counted; absent if the document or `offset` says which. */
  readonly index?: number;
  /** In the document, in UTF-16 code units. */
  readonly offset?: number;
  /** Absent for `pending`, `latest`, `safe` and `finalized`. */
  readonly tags?: readonly string[];
  /** In place of the notebook's. */
  readonly endpoint?: string;
  /** Name or address of the other endpoint. The request is then sent to both, unchanged. */
  readonly with?: string;
}

/** `null` if there is no cell. */
export type CompareResult = CellOutput | null;

/** `rpcNotebook/pickEndpoint`, a notification: the picker's choice for a document; `null` takes it back. */
export interface PickEndpoint {
  readonly uri: string;
  readonly name: string | null;
}
