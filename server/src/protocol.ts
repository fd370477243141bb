import type { FolderEntry } from "./base/ports.ts";
import type { FilePlace } from "./base/text.ts";
import type { Report, TableSection } from "./report/report.ts";

/**
 * Types of our own LSP requests and of what the client hands over. Types only: both ends import them, and neither
 * gets any code of the other.
 */

/** `initializationOptions`; every member may be left out by other editors. */
export interface InitializationOptions {
  /** The editor trusts this workspace. Default true: a person started the server there. */
  readonly trusted?: boolean;
  /** The client answers `rpcNotebook/readFile` and `rpcNotebook/readFolder`, for workspaces that are not on this machine's disk. */
  readonly readsFiles?: boolean;
  /** URI of the table of signatures, which a server in a worker reads by `rpcNotebook/readFile` when it needs it. */
  readonly signatures?: string;
  /** The client answers `rpcNotebook/approveHost`, and remembers the answer. Else `window/showMessageRequest` asks. */
  readonly approvesHosts?: boolean;
  /** The client has the command `rpcNotebook.runCell` (arguments: URI, cell index), so code lenses call that. */
  readonly runsCells?: boolean;
  /** Hosts approved in earlier sessions. */
  readonly approvedHosts?: readonly string[];
  readonly settings?: Settings;
  /** URI of a folder, with a slash at its end, where `docs/problems.md` can be read. Problems then link there. */
  readonly docs?: string;
}

/** Settings under `rpcNotebook`, and VS Code's proxy settings; also the payload of `workspace/didChangeConfiguration`. */
export interface Settings {
  readonly rpcNotebook?: {
    readonly endpoint?: string;
    readonly endpoints?: Readonly<Record<string, unknown>>;
    /** Paths of OpenRPC documents, from the workspace folder. */
    readonly openrpc?: readonly string[];
    /** Seconds for one exchange. */
    readonly timeout?: number;
    /** Megabytes of one answer. */
    readonly maxResponseSize?: number;
    /** Ask contracts for the symbol and decimals of amounts in answers; true by default. */
    readonly tokenLookup?: boolean;
  };
  readonly http?: { readonly proxy?: string; readonly noProxy?: readonly string[]; readonly proxyStrictSSL?: boolean };
}

/** A cell, by its document in a notebook or by its ordinal among the cells of a text (a header is not counted). */
export type CellRef = { readonly uri: string } | { readonly index: number };

/** `rpcNotebook/run`: runs cells and what they refer to. Resolves when all is done; cancel by `$/cancelRequest`. */
export interface RunParams {
  /** Chosen by the client; comes back in every notification of this run. */
  readonly runId: string;
  /** URI of the notebook or the text document. */
  readonly uri: string;
  /** Cells to run; absent for all of them. */
  readonly cells?: readonly CellRef[];
  /** Wins over every other choice of endpoint. */
  readonly endpoint?: string;
}

export interface RunResult {
  readonly ok: number;
  readonly failed: number;
  readonly cancelled: boolean;
}

/** `rpcNotebook/cellStarted`, a notification: the cell's request goes out now. */
export interface CellStarted {
  readonly runId: string;
  readonly cell: CellRef;
}

/** `rpcNotebook/cellFinished`, a notification. One comes for every cell of the run, also for those never sent. */
export interface CellFinished extends CellStarted {
  readonly output: CellOutput;
}

/** A finished cell, ready to show in three forms of the same result. */
export interface CellOutput {
  readonly ok: boolean;
  /** For the renderer. One a request: a batch has several. */
  readonly reports: readonly Report[];
  readonly text: string;
  /** The JSON-RPC answer as it came, pretty-printed; cut with a note when very large. */
  readonly json: string;
  readonly startedAt: number;
  readonly durationMs: number;
}

/** `rpcNotebook/rows`: rows of a table beyond those that its output carries. */
export interface RowsParams {
  /** `rest` of the table. */
  readonly rest: string;
  /** The row to begin at, counted from 0. */
  readonly from: number;
  /** Rows at most; a page of the server's is smaller. */
  readonly count: number;
  /** Only rows in which this text occurs, in any case; in what is shown or in its wire form. */
  readonly filter?: string;
}
/** `null` where the rows are not kept any more: the cell has run again, or many others have. */
export type RowsResult = {
  readonly rows: TableSection["rows"];
  /** Where the next page begins; `null` after the last row. A page may be empty and not the last. */
  readonly next: number | null;
} | null;

/** Messages of the notebook's webview to the client. */
export type FromRenderer =
  | { readonly copy: string }
  /** @param asked - Comes back with the answer. */
  | { readonly rows: RowsParams; readonly asked: number };
/** The client's answer in a message to the webview. */
export interface ToRenderer {
  readonly asked: number;
  readonly result: RowsResult;
}

/** `rpcNotebook/endpoints`: what the picker offers for a document. */
export interface EndpointsParams {
  readonly uri: string;
}

export interface EndpointsResult {
  readonly endpoints: readonly EndpointChoice[];
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

/** `rpcNotebook/pickEndpoint`, a notification: the picker's choice for a document; `null` takes it back. */
export interface PickEndpoint {
  readonly uri: string;
  readonly name: string | null;
}

/** `rpcNotebook/trusted`, a notification without parameters: the workspace has become trusted. */

/** `rpcNotebook/readFile`, server → client. */
export interface ReadFileParams {
  readonly uri: string;
}
/** Base64 of the bytes; `null` where there is no such file. */
export type ReadFileResult = { readonly base64: string } | null;

/** `rpcNotebook/readFolder`, server → client: what stands directly in a folder, links left out. */
export interface ReadFolderParams {
  readonly uri: string;
}
/** `null` where there is no such folder. */
export type ReadFolderResult = { readonly entries: readonly FolderEntry[] } | null;

/** `rpcNotebook/approveHost`, server → client: may requests go to this host? */
export interface ApproveHostParams {
  readonly host: string;
  readonly endpoint: string;
  readonly origin: string;
}
export interface ApproveHostResult {
  readonly approved: boolean;
}
