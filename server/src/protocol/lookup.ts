import type { Wording } from "../base/ports.ts";

/** `rpcNotebook/lookup`: the question before a contract is looked up. Sends nothing, and asks no endpoint. */
export interface LookupParams {
  /** As in {@link AddContractParams}: the entry of its endpoint may name the host. */
  readonly uri: string;
  readonly address: string;
}

export type LookupResult = { readonly words: Wording; readonly host: string } | { readonly refused: string };

/** `rpcNotebook/lookUpNames`: looks up the contracts in the results of a notebook. Asks a person first, and draws results again. */
export interface LookUpNamesParams {
  /** The URI of the notebook or one of its cells. */
  readonly uri: string;
}

export interface LookUpNamesResult {
  /** Says in a sentence what was looked up, or why names are missing. */
  readonly note?: string;
  /** Whether there is something to save to the project. */
  readonly canSave?: boolean;
}

/** `rpcNotebook/saveContracts`: writes what lookup hosts said about the contracts of a notebook as files of the project. Sends nothing. */
export interface SaveContractsParams {
  /** The URI of the notebook or one of its cells. */
  readonly uri: string;
}

export interface SaveContractsResult {
  /** Says in a sentence what was written, or what was not. */
  readonly note: string;
  /** URIs of the files. */
  readonly files: readonly string[];
}

/** `rpcNotebook/addContract`: looks up a contract and adds its file to the project. Only after a person has agreed. */
export interface AddContractParams {
  /** The URI of a notebook or one of its cells. For any other file, the endpoint of the notebook that was opened last is asked. */
  readonly uri: string;
  readonly address: string;
  /** Asks no lookup host, and guesses the ABI from the code of the contract. */
  readonly guess?: boolean;
}

export type AddContractResult =
  /** `uri` is that of the file. */
  | { readonly uri: string; readonly text: string; readonly notes: readonly string[] }
  /** `canGuess` if nobody has verified the contract. */
  | { readonly refused: string; readonly canGuess?: boolean };

/**
 * `rpcNotebook/openSource`: asks for the verified sources of a contract, after a question, unless they are kept. Their texts are
 * answers to `workspace/textDocumentContent`, which sends nothing.
 */
export interface OpenSourceParams {
  /** The URI of a notebook or one of its cells. For any other file, the endpoint of the notebook that was opened last is asked. */
  readonly uri: string;
  readonly address: string;
}

export type OpenSourceResult = { readonly files: readonly SourceDocument[] } | { readonly refused: string };

/** A read-only document with a source file. */
export interface SourceDocument {
  readonly uri: string;
  /** As its compiler was told, on one line. */
  readonly name: string;
  /** Of its contract. */
  readonly address: string;
}
