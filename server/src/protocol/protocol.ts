import type { Markdown } from "../base/markdown.ts";
import type { FolderEntry, HostQuestion, MethodAnswer, MethodQuestion, Written } from "../base/ports.ts";
import type { FilePlace, LineColumn } from "../base/text.ts";
import type { Report, TableSection } from "../report/report.ts";

/**
 * Types of our own LSP requests and of what the client hands over. Types only: both ends import them, and neither
 * gets any code of the other.
 */

/** `initializationOptions`; every member may be left out by other editors. */
export interface InitializationOptions {
  /** The editor trusts this workspace. Default true: a person started the server there. */
  readonly trusted?: boolean;
  /** The client answers `rpcNotebook/readFile`, `rpcNotebook/readFolder` and `rpcNotebook/writeFile`, for workspaces that are not on this machine's disk. Files that are, the server writes itself. */
  readonly readsFiles?: boolean;
  /** URI of the table of signatures, which a server in a worker reads by `rpcNotebook/readFile` when it needs it. */
  readonly signatures?: string;
  /** The client answers `rpcNotebook/approveHost`, and remembers the answer. Else `window/showMessageRequest` asks. */
  readonly approvesHosts?: boolean;
  /** The client has the command `rpcNotebook.runCell` (arguments: URI, cell index), so code lenses call that. */
  readonly runsCells?: boolean;
  /** The client shows results under cells and answers `rpcNotebook/refreshResults`, to ask then for `rpcNotebook/staleness`. */
  readonly marksStaleResults?: boolean;
  /** The client answers `rpcNotebook/secretNames` and `rpcNotebook/readSecrets`, and has the command `rpcNotebook.setSecret`. */
  readonly keepsSecrets?: boolean;
  /** What was granted in earlier sessions: `grants` of questions that got a yes. */
  readonly approvedHosts?: readonly string[];
  readonly settings?: Settings;
  /** URI of a folder, with a slash at its end, where `docs/problems.md` can be read. Problems then link there. */
  readonly docs?: string;
}

/** Settings under `rpcNotebook`, and VS Code's proxy settings; also the payload of `workspace/didChangeConfiguration`. */
export interface Settings {
  readonly rpcNotebook?: {
    /** The person's own. What files of the workspace set belongs in `workspace`. */
    readonly endpoint?: string;
    readonly endpoints?: Readonly<Record<string, unknown>>;
    /** Methods outside of the catalogue that only read, by name or as `namespace_*`. The person's own. */
    readonly readMethods?: readonly string[];
    /** Paths of OpenRPC documents, from the workspace folder. */
    readonly openrpc?: readonly string[];
    /** Seconds for one exchange. */
    readonly timeout?: number;
    /** Megabytes of one answer. */
    readonly maxResponseSize?: number;
    /** Ask contracts for the symbol and decimals of amounts in answers; true by default. */
    readonly tokenLookup?: boolean;
    /**
     * Whether hints say what requests would give now, in documents of which cells have been run: not, where nothing
     * limits the rate, or everywhere; `off` by default.
     */
    readonly liveHints?: "off" | "on" | "always";
  };
  /** The person's own, or the machine's. */
  readonly http?: { readonly proxy?: string; readonly noProxy?: readonly string[]; readonly proxyStrictSSL?: boolean };
  /** What files of the workspace set. They come with the repository, so every site in them is asked about. */
  readonly workspace?: {
    readonly endpoint?: string;
    readonly endpoints?: Readonly<Record<string, unknown>>;
  };
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
  /** Wins over every other choice of endpoint. Does not approve it. */
  readonly endpoint?: string;
  readonly stream?: StreamBounds;
  /**
   * - `check`: compare with the snapshot; cells that ask to be compared fail where nothing is recorded of them.
   * - `show`: compare as far as something is recorded.
   * - `update`: write the snapshot afresh.
   *
   * Absent for a run without it; from an editor that is as `show`.
   */
  readonly snapshot?: "check" | "show" | "update";
}

/** How much of a subscription cell is wanted where nobody stops it. */
export interface StreamBounds {
  /** Milliseconds. */
  readonly forMs?: number;
  readonly rows?: number;
}

export interface RunResult {
  readonly ok: number;
  readonly failed: number;
  readonly cancelled: boolean;
  /** Absent where no snapshot was looked at. */
  readonly snapshot?: SnapshotResult;
}

export interface SnapshotResult {
  /** A sentence each: what was compared or recorded, what is stale. */
  readonly notes: readonly string[];
  /** Why it could not be read or written. */
  readonly fault?: string;
}

/** `rpcNotebook/cellStarted`, a notification: the cell's request goes out now. */
export interface CellStarted {
  readonly runId: string;
  readonly cell: CellRef;
}

/** `rpcNotebook/cellWaiting`, a notification: the cell waits for the endpoint, or for what it expects. */
export interface CellWaiting extends CellStarted {
  /** A sentence or two, to be shown until the next comes or the cell ends. */
  readonly why: string;
  /** For the renderer: what has come so far, where that can be shown. */
  readonly reports?: readonly Report[];
}

/** `rpcNotebook/cellFinished`, a notification. One comes for every cell of the run, also for those never sent. */
export interface CellFinished extends CellStarted {
  readonly output: CellOutput;
  /** By which snapshots and tests know the cell. */
  readonly key: string;
  /** What was expected and did not come. Empty for a cell that failed in another way. */
  readonly failures: readonly FailedCheck[];
}

/** An expectation or a snapshot that was missed. */
export interface FailedCheck {
  readonly message: string;
  /** Both for a comparison side by side; absent where there is nothing to set beside the other. */
  readonly expected?: string;
  readonly actual?: string;
  /** Of the member of `expect`, else of the cell. */
  readonly place?: FileRange;
}

/** A range in a document of the client. */
export interface FileRange {
  readonly uri: string;
  readonly start: LineColumn;
  readonly end: LineColumn;
}

/** `rpcNotebook/tests`: the cells of a notebook that say what must hold. A file that is not open is read; nothing is sent. */
export interface TestsParams {
  readonly uri: string;
}
export interface TestsResult {
  readonly tests: readonly CellTest[];
}
export interface CellTest {
  readonly key: string;
  readonly title: string;
  /** Ordinal of the cell, a header not counted: for `rpcNotebook/run`, which takes files that are not open too. */
  readonly index: number;
  readonly place: FileRange;
}

/** `rpcNotebook/staleness`: whether what a notebook shows under a cell is still what the cell would give. Sends nothing. */
export interface StalenessParams {
  /** Of the cell's document. */
  readonly uri: string;
}
/** `null` where nothing is known against it. */
export type StalenessResult = {
  readonly label: string;
  /** Sentences. */
  readonly why: string;
} | null;

/** `rpcNotebook/refreshResults`, server → client, without parameters: results may have become stale, or fresh. */

/** `rpcNotebook/streamRows`, a notification: a subscription cell as it looks now. At most five a second come for a cell. */
export interface StreamRows extends CellStarted {
  readonly output: CellOutput;
}

/** `rpcNotebook/stream`, a notification to the server: what is wanted of a subscription cell that runs. */
export interface StreamControl {
  /** URI of the notebook or the text document. */
  readonly uri: string;
  readonly cell: CellRef;
  readonly paused?: boolean;
  /** Only rows that contain this text are shown; empty for all. */
  readonly filter?: string;
  readonly stop?: boolean;
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
  | { readonly stream: StreamControl }
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
/** `fault`: a sentence of what to type instead. `grant`: what typing it allows, to be remembered as it is. `isPrivate`: it seems to contain a key. */
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

/** `rpcNotebook/address`: what the chain says now of an address in a file that is no notebook. */
export interface AddressParams {
  /** Of the file; its endpoint is looked for from there. */
  readonly uri: string;
  /** The line that the pointer is on. */
  readonly text: string;
  /** In the line, in UTF-16 code units. */
  readonly offset: number;
}
/** `null` where there is no address, or nothing may be asked. */
export type AddressResult = {
  readonly address: string;
  /** What a notebook calls it. */
  readonly name?: string;
  /** In the line. */
  readonly span: { readonly start: number; readonly end: number };
  /** Untrusted. */
  readonly markdown: Markdown;
} | null;

/** `rpcNotebook/label`: gives an address a name in the header of a notebook, as an edit that can be undone. */
export interface LabelParams {
  /** Of a notebook or one of its cells; of any other file for the notebook that was opened last. */
  readonly uri: string;
  readonly address: string;
  readonly name: string;
}
export type LabelResult = { readonly notebook: string } | { readonly refused: string };

/** `rpcNotebook/watch`: looks at something again and again, and tells of it by `rpcNotebook/ticked`. */
export interface WatchParams {
  /** Chosen by the client; a watch with the same one is replaced. */
  readonly id: string;
  /** Of a notebook, a cell or any file; the endpoint is looked for from there. */
  readonly uri: string;
  /** An address, or a cell by its ordinal or by `uri`. */
  readonly address?: string;
  readonly index?: number;
}
export type WatchResult =
  /** `name` is what a notebook calls the address. */
  { readonly endpoint: string; readonly name?: string } | { readonly refused: string };

/** `rpcNotebook/unwatch`, a notification. */
export interface Unwatch {
  readonly id: string;
}

/** `rpcNotebook/showWatches`, a notification: whether anybody looks at what is watched. */
export interface ShowWatches {
  readonly visible: boolean;
}

/** `rpcNotebook/ticked`, a notification: what has changed of what is watched at one endpoint. */
export interface Ticked {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly endpoint: string;
  /** Number of the latest block, in decimal. */
  readonly head?: string;
  /** Milliseconds since the tick before. */
  readonly sinceLast?: number;
  /** How new state comes, in a few words: "pre-confirmed, every 200 ms"; empty where that is not known. */
  readonly cadence: string;
  /** The kind of subscription that stayed silent while blocks came, so that a timer took its place. */
  readonly silent?: string;
  readonly changed: readonly {
    readonly id: string;
    readonly value: string;
    readonly detail?: string;
    readonly ok: boolean;
    /** The last values as bars; empty where they were all the same. */
    readonly spark: string;
  }[];
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

/** `rpcNotebook/pickEndpoint`, a notification: the picker's choice for a document; `null` takes it back. */
export interface PickEndpoint {
  readonly uri: string;
  readonly name: string | null;
}

/** `rpcNotebook/trusted`, a notification without parameters: the workspace has become trusted. */

/** `rpcNotebook/secretsChanged`, a notification without parameters: a secret was set or deleted. */

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
