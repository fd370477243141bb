import type { FolderEntry, HostQuestion, MethodAnswer, MethodQuestion, Written } from "../base/ports.ts";

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
  /** Those that are set. */
  readonly values: Readonly<Record<string, string>>;
}

/** `rpcNotebook/readFile`, server → client. */
export interface ReadFileParams {
  readonly uri: string;
}

/** Base64 of the bytes; `null` where there is no such file. */
export type ReadFileResult = { readonly base64: string } | null;

/**
 * `rpcNotebook/writeFile`, server → client: replaces or creates a file that is not on the disk of the server, a snapshot or
 * a file of endpoints.
 */
export interface WriteFileParams {
  readonly uri: string;
  /** The text that the file must still have; `null` if it must not exist. */
  readonly before: string | null;
  readonly text: string;
}

export type WriteFileResult = Written;

/** `rpcNotebook/readFolder`, server → client: what stands directly in a folder, links left out. */
export interface ReadFolderParams {
  readonly uri: string;
}

/** `null` where there is no such folder. */
export type ReadFolderResult = { readonly entries: readonly FolderEntry[] } | null;

/** `rpcNotebook/approveHost`, server → client: may requests, and these values, go there? `site` is to be shown whole. */
export type ApproveHostParams = HostQuestion;

export interface ApproveHostResult {
  readonly approved: boolean;
}

/** `rpcNotebook/approveMethods`, server → client: may methods be sent there that write, or that are not known to only read? */
export interface ApproveMethodsParams extends MethodQuestion {
  /** Of `writes`, an `always` counts as `once`, and nothing is remembered. */
  readonly effect: "writes" | "unknown";
}

export interface ApproveMethodsResult {
  readonly approved: MethodAnswer;
}
