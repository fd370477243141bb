import type { FilePlace } from "../base/text.ts";
import type { CellOutput } from "../report/cellOutput.ts";

// Messages about endpoints: which there are, adding one, and what one does.

/** `rpcNotebook/endpoints`: what the picker offers for a document. */
export interface EndpointsParams {
  readonly uri: string;
}

export interface EndpointsResult {
  readonly endpoints: readonly EndpointChoice[];
  /** Somebody has named an endpoint; the one that is built in does not count. */
  readonly configured: boolean;
  /** The network one click away: from the main one to the test network, and back. */
  readonly other?: string;
  /** What a run would use now; absent where nothing is configured. */
  readonly current?: EndpointChoice & { readonly why: string };
}

export interface EndpointChoice {
  readonly name: string;
  readonly host: string;
  /** Where its address is written: a file, a setting, built in. */
  readonly origin: string;
  /** Of its name, where that is a file. */
  readonly place?: FilePlace;
}

/** `rpcNotebook/judgeAddress`: what somebody types as the address of an endpoint. Sends nothing. */
export interface JudgeAddressParams {
  readonly text: string;
}

/** `fault`: a sentence about what to type instead. `grant`: what typing it allows, to be remembered as it is. `isPrivate`: it seems to contain a key. */
export type JudgeAddressResult = { readonly fault: string } | { readonly grant: string; readonly isPrivate: boolean };

/** `rpcNotebook/addEndpoint`: gives an endpoint a name in the project of a document, in a file. */
export interface AddEndpointParams {
  readonly uri: string;
  readonly name: string;
  readonly address: string;
  /** In the file that stays out of version control. */
  readonly isPrivate: boolean;
}

export type AddEndpointResult =
  | { readonly added: true }
  /** There is no folder for it: it belongs into the setting `rpcNotebook.endpoints`. */
  | { readonly inSettings: true }
  /** A sentence or two; a person has to change this file. */
  | { readonly refused: string; readonly uri: string };

/** `rpcNotebook/probe`: finds out what an endpoint does. What was found counts for completions and warnings. */
export interface ProbeParams {
  /** Of the notebook, one of its cells, or the text: the endpoint that its header has chosen is probed. */
  readonly uri: string;
  /** In place of that one. */
  readonly endpoint?: string;
}

/** `null` where there is no such document. */
export type ProbeResult = CellOutput | null;

/**
 * `rpcNotebook/audit`: holds what an endpoint shows as pre-confirmed against what is sealed. Cancelling it ends it early,
 * with what was found until then.
 */
export interface AuditParams extends ProbeParams {
  /** Milliseconds. */
  readonly forMs: number;
}

/** `rpcNotebook/compare`: runs a cell's request at several blocks, or at two endpoints, side by side. */
export interface CompareParams {
  /** Of the cell's own document, of its notebook, or of the text. */
  readonly uri: string;
  /** Ordinal of the cell, a header not counted; absent where the document or `offset` says which. */
  readonly index?: number;
  /** In the document, in UTF-16 code units. */
  readonly offset?: number;
  /** Absent for `pending`, `latest`, `safe` and `finalized`. */
  readonly tags?: readonly string[];
  /** In place of the one that the notebook has chosen. */
  readonly endpoint?: string;
  /** The other endpoint, by name or address; the request then goes to both as it stands. */
  readonly with?: string;
}

/** `null` where there is no cell. */
export type CompareResult = CellOutput | null;

/** `rpcNotebook/pickEndpoint`, a notification: the picker's choice for a document; `null` takes it back. */
export interface PickEndpoint {
  readonly uri: string;
  readonly name: string | null;
}
