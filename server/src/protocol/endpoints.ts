import type { Wording } from "../base/ports.ts";
import type { FilePlace } from "../base/text.ts";
import type { CellOutput } from "../report/report.ts";

// Messages about endpoints: listing, adding and measuring them.

/** `rpcNotebook/endpoints`: lists the endpoints that a document can use. */
export interface EndpointsParams {
  readonly uri: string;
}

export interface EndpointsResult {
  readonly endpoints: readonly EndpointChoice[];
  /** Whether an endpoint is configured. The built-in one does not count. */
  readonly configured: boolean;
  /**
   * The endpoint that a document takes which names none: the one that was picked last, else the only configured one.
   * Absent if something is named, even if that cannot be used.
   */
  readonly usual?: string;
  /** The endpoint that is named but cannot be used. No other one may be used in its place, unless a person says so. */
  readonly unusable?: UnusableEndpoint;
  /** The test network if the main one is used, and the main one else. */
  readonly other?: string;
  /** The endpoint that a run would use now; absent if none is chosen. */
  readonly current?: EndpointChoice & {
    /** Says where it is written, in a sentence. */
    readonly source: string;
    /** Says what chose it, in a sentence. */
    readonly why: string;
    /** `recorded` if a recording answers. */
    readonly badge?: string;
    /** The question before a probe of it; absent if a probe sends nothing. */
    readonly probe?: Wording;
  };
}

export interface UnusableEndpoint {
  readonly name: string;
  /** Says why it cannot be used, in a sentence. */
  readonly what: string;
  /** Says what to do, in a sentence. */
  readonly todo: string;
  /** A person picked it; otherwise a file or a setting names it. */
  readonly isPicked: boolean;
}

export interface EndpointChoice {
  readonly name: string;
  /** Empty if the endpoint cannot be used. */
  readonly host: string;
  /** A run would use it now. */
  readonly isCurrent?: true;
  /** The source of its address: a file, a setting, built in. */
  readonly origin: string;
  /** The place of its name, if that is in a file. */
  readonly place?: FilePlace;
  /** Says why it cannot be used, in a sentence. */
  readonly broken?: string;
  /** The secret that has to be set for it. */
  readonly secret?: string;
}

/** `rpcNotebook/checkAddress`: checks an address that a person types for an endpoint. Sends nothing. */
export interface CheckAddressParams {
  readonly text: string;
  /** A document whose endpoints may have this address already. */
  readonly uri?: string;
}

/**
 * `fault`: a sentence that says what to type instead. `grant`: the approval that typing it gives, to be stored unchanged.
 * `isPrivate`: it seems to contain a key. `known`: the name of an endpoint of the document that has this address.
 */
export type CheckAddressResult =
  | { readonly fault: string }
  | { readonly grant: string; readonly isPrivate: boolean; readonly known?: string };

/** `rpcNotebook/localPort`: finds out what listens at a port of this machine. Sends `eth_chainId` there. */
export interface LocalPortParams {
  readonly port: number;
}

/**
 * - `chain`: a node answers.
 * - `taken`: another program does, or something is silent.
 * - `free`: nothing listens.
 * - `unknown`: the workspace is not trusted, so nothing was sent.
 */
export interface LocalPortResult {
  readonly state: "chain" | "taken" | "free" | "unknown";
}

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

/** `rpcNotebook/contractStorage`: lists what a contract stores, at one block or at two with the differences. */
export interface ContractStorageParams extends ProbeParams {
  /** A contract whose compiler has written a storage layout: `Vault`, or `src/Vault.sol:Vault`. */
  readonly contract: string;
  /** The address, or the label or the variable of one. */
  readonly address: string;
  /** Tags or quantities. */
  readonly blocks: readonly string[];
}

/** `rpcNotebook/storageContracts`: what may be asked for there. */
export interface StorageContractsParams {
  readonly uri: string;
}

export interface StorageContractsResult {
  /** Those with a storage layout. */
  readonly contracts: readonly string[];
  /** Addresses that have names. */
  readonly addresses: readonly { readonly name: string; readonly address: string }[];
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

/** `rpcNotebook/findWhen`: finds the first block of a range at which what a cell expects holds. */
export interface FindWhenParams extends Pick<CompareParams, "uri" | "index" | "offset" | "endpoint"> {
  /** The first and the last block: a quantity or a tag. */
  readonly range: readonly [string, string];
}

/** `null` if there is no cell. */
export type FindWhenResult = CellOutput | null;

/** `null` if there is no cell. */
export type CompareResult = ComparedOutput | null;

/** A comparison, and the texts of the answers that differ from the next older one. */
export interface ComparedOutput extends CellOutput {
  readonly pairs: readonly ComparedPair[];
}

/** Two answers that differ. */
export interface ComparedPair {
  readonly before: ComparedSide;
  readonly after: ComparedSide;
}

export interface ComparedSide {
  readonly name: string;
  /** The answer in one line, for a list. */
  readonly value: string;
  /** The answer as a text for a diff. */
  readonly text: string;
}

/** `rpcNotebook/pickEndpoint`, a notification: the picker's choice for a document; `null` takes it back. */
export interface PickEndpoint {
  /** `rpc-notebook:files` for all files that are not notebooks. */
  readonly uri: string;
  readonly name: string | null;
}
