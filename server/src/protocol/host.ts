import type {
  CostQuestion,
  FolderEntry,
  HostQuestion,
  LookupAnswer,
  LookupQuestion,
  MethodAnswer,
  MethodQuestion,
  WriteQuestion,
  Written,
} from "../base/ports.ts";

// Requests from the server to the editor.

/** `rpcNotebook/secretNames`, server → client: the names of all secrets that the client keeps. */
export interface SecretNamesResult {
  readonly names: readonly string[];
}

/** `rpcNotebook/readSecrets`, server → client, for secrets that a run or an endpoint names. */
export interface ReadSecretsParams {
  readonly names: readonly string[];
}

export interface ReadSecretsResult {
  /** The secrets that are set. */
  readonly values: Readonly<Record<string, string>>;
}

/** `rpcNotebook/readFile`, server → client. */
export interface ReadFileParams {
  readonly uri: string;
}

/** Base64 of the bytes; `null` if there is no such file. */
export type ReadFileResult = { readonly base64: string } | null;

/**
 * `rpcNotebook/writeFile`, server → client: replaces or creates a file that is not on the server's disk: a snapshot or a file
 * of endpoints.
 */
export interface WriteFileParams {
  readonly uri: string;
  /** The text that the file must still have; `null` if it must not exist. */
  readonly before: string | null;
  readonly text: string;
}

export type WriteFileResult = Written;

/** `rpcNotebook/readFolder`, server → client: lists a folder without its subfolders' contents and without links. */
export interface ReadFolderParams {
  readonly uri: string;
}

/** `null` if there is no such folder. */
export type ReadFolderResult = { readonly entries: readonly FolderEntry[] } | null;

/** `rpcNotebook/approveHost`, server → client: asks whether requests, and these values, may be sent there. Show `site` whole. */
export type ApproveHostParams = HostQuestion;

export interface ApproveHostResult {
  readonly approved: boolean;
}

/** `rpcNotebook/approveWrites`, server → client: asks whether these requests, which sign, broadcast or change the node, may be sent. */
export type ApproveWritesParams = WriteQuestion;

export interface ApproveWritesResult {
  readonly approved: boolean;
}

/** `rpcNotebook/approveCost`, server → client: asks whether one cell may send so many requests. */
export type ApproveCostParams = CostQuestion;

export interface ApproveCostResult {
  readonly approved: boolean;
}

/** `rpcNotebook/approveLookup`, server → client: asks whether a lookup host may be asked about contracts in results. */
export type ApproveLookupParams = LookupQuestion;

export interface ApproveLookupResult {
  readonly approved: LookupAnswer;
}

/** `rpcNotebook/approveMethods`, server → client: asks whether methods that may write may be sent there. */
export type ApproveMethodsParams = MethodQuestion;

export interface ApproveMethodsResult {
  readonly approved: MethodAnswer;
}
