/**
 * The interfaces that a host provides to the core. The adapters in `node/` and `browser/` implement them; nothing else
 * in the server touches a network, a disk or a clock.
 */

import type { ListedItems } from "./lazyList.ts";
import type { NameRules } from "./uri.ts";

/** One HTTP exchange to make. */
export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds for the whole exchange, the last byte of the body included. */
  readonly timeoutMs: number;
  /** Bytes of the body, decompressed; counted while it streams. */
  readonly maxBytes: number;
  /** It only reads, so a redirect may have it sent again. Absent for everything that may change something. */
  readonly repeatable?: boolean;
  /** Name of the endpoint, for recordings. */
  readonly endpoint?: string;
  /** Id of the recording that answers first. */
  readonly replay?: string | undefined;
}

/** When an exchange began and how long it took, in milliseconds; `startedAt` since 1970. */
export interface ExchangeTiming {
  readonly startedAt: number;
  readonly durationMs: number;
}

/** An HTTP answer, whatever its status. */
export interface HttpResponse {
  readonly kind: "response";
  readonly status: number;
  /** Names in lower case; repeated headers joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded as UTF-8. If there is a {@link list}, it is put together at the first access. */
  readonly body: string;
  readonly bytes: number;
  /** A long list of logs in the body, which need not be read as a whole. */
  readonly list?: ListedItems | undefined;
  /** Absent if the caller has to measure it. */
  readonly timing?: ExchangeTiming;
  /** Says what answered in place of the endpoint, for people. */
  readonly source?: string | undefined;
}

/** The reason why a whole answer did not come. */
export type FaultReason =
  | "cancelled"
  | "cors"
  | "dns"
  | "large-headers"
  | "no-socket"
  | "proxy"
  | "redirect"
  | "refused"
  | "reset"
  | "timeout"
  | "tls"
  | "too-large"
  | "truncated"
  | "unsendable";

export interface TransportFault {
  readonly kind: "fault";
  readonly reason: FaultReason;
  /** The host's message, without URL or credentials. */
  readonly detail: string;
  /** The status line came before the fault. */
  readonly status?: number;
  /** `false` if the endpoint cannot have received any of the request. Absent if that is not known. */
  readonly sent?: boolean;
  /** Absent if the caller has to measure it. */
  readonly timing?: ExchangeTiming;
}

/**
 * Makes one POST. Never rejects, never retries, follows no redirect to another origin, and always settles: at the latest
 * when its time is over or the signal aborts.
 */
export interface Transport {
  post(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse | TransportFault>;
}

export interface DownloadRequest {
  readonly url: string;
  /** Bytes, decompressed. */
  readonly maxBytes: number;
  /** Milliseconds for the whole exchange. */
  readonly timeoutMs: number;
  /** The body of an HTTP 404 counts too: in some APIs it says what is not there. */
  readonly readsNotFound?: boolean;
}

/** Downloads files. Never rejects, and sends nothing but the address. */
export interface Downloads {
  /** @returns The bytes, an HTTP status that is not 200, or why there was no answer. */
  get(request: DownloadRequest, signal: AbortSignal): Promise<Uint8Array | number | TransportFault>;
}

/** A WebSocket to open. */
export interface SocketRequest {
  readonly url: string;
  /** Name of the endpoint, for recordings. */
  readonly endpoint?: string;
  /** Sent with the handshake where the host can: browsers cannot. */
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds until it is open. */
  readonly timeoutMs: number;
  /** Bytes of one message; a larger one ends the connection. */
  readonly maxBytes: number;
}

/** The events of an open socket. `closed` comes once, and last. */
export interface SocketEvents {
  message(text: string, bytes: number): void;
  closed(fault: TransportFault): void;
}

export interface OpenSocket {
  readonly kind: "open";
  /** Sends a text. Ignored after the socket has closed. */
  send(text: string): void;
  /** Ends it at once; `closed` still comes. */
  close(): void;
}

/** Opens WebSockets. Never rejects, never tries twice, follows no redirect, and settles as {@link Transport} does. */
export interface Sockets {
  open(request: SocketRequest, events: SocketEvents, signal: AbortSignal): Promise<OpenSocket | TransportFault>;
}

/** Keeps what is quicker to read than to make again. Anything in it may be gone. */
export interface Cache {
  /** @param key - Letters, digits and hyphens. */
  read(key: string): Promise<string | undefined>;
  write(key: string, text: string): Promise<void>;
}

/** Reads files by URI. What is not there, or may not be read, is `undefined`. */
export interface Files extends NameRules {
  /** @param use - `replace` if the file is read only to be replaced. */
  read(uri: string, use?: "replace"): Promise<Uint8Array | undefined>;
  /** Returns whether a file was read to be used, whatever path it had. Absent if the host does not keep that. */
  readonly wasRead?: (uri: string) => boolean;
  /** Says that what was read of a file to be replaced is used all the same. */
  readonly markRead?: (uri: string) => void;
  /**
   * Lists the direct entries of a folder, without links. Absent if the host does not support folders.
   *
   * @param versions - `false` if file versions are not needed: a host has to look at each file to find them.
   */
  readonly list?: (uri: string, versions?: boolean) => Promise<readonly FolderEntry[] | undefined>;
  /**
   * Returns whether links lead from a path to a file outside of all these folders, or to a file of git. Absent if the host has no
   * links. Never rejects.
   */
  readonly leadsOut?: (uri: string, folders: readonly string[]) => Promise<boolean>;
  /**
   * Replaces the content of a file as a whole, or creates the file: afterwards it has either its old content or the new
   * one. Absent if the host writes no files. Never rejects.
   */
  readonly write?: (uri: string, replacement: Replacement) => Promise<Written>;
  /** Deletes a file that has this content. Absent if the host writes no files. Never rejects. */
  readonly remove?: (uri: string, content: { readonly before: string; readonly within: string }) => Promise<Written>;
  /** Returns why a file cannot be written, before there is a text for it. Absent if the host cannot tell. */
  readonly writeFault?: (uri: string, within: string) => Promise<WriteFault | undefined>;
  /**
   * Opens a file of any size that grows at its end, for one process at a time. Creates nothing before it is cut. Absent
   * if the host has no such files. Never rejects.
   *
   * @param within - URI of a folder. A file that is outside of it once links are followed is not opened.
   */
  readonly grow?: (uri: string, within: string) => Promise<GrowingFile | WriteFault>;
  /** Reads a part of a file of any size; `undefined` if the file is shorter or cannot be read. */
  readonly part?: (uri: string, start: number, end: number) => Promise<FilePart | undefined>;
  /** Returns the bytes of a file of any size; `undefined` if there is no regular file. */
  readonly sizeOf?: (uri: string) => Promise<number | undefined>;
}

/** A file that grows at its end. Its operations never reject. They fail if something else changes the file. */
export interface GrowingFile {
  /** Bytes. */
  readonly size: number;
  /** Creates the file if there is none, and keeps so many of its bytes. */
  cut(size: number): Promise<WriteFault | undefined>;
  /** Writes bytes and texts, in UTF-8, at the end, and flushes them to the disk. @returns Their SHA-256. */
  append(parts: Iterable<string | Uint8Array>): Promise<string | WriteFault>;
  close(): Promise<void>;
}

export interface FilePart {
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/** New content for a file, in UTF-8. */
export interface Replacement {
  /** The content that the file must still have; `undefined` for a file that must not exist yet. */
  readonly before: string | undefined;
  readonly text: string;
  /** URI of a folder. A file that is outside of it once links are followed is not written. */
  readonly within: string;
  /** Whether to create the folder of the file, and those above it. */
  readonly createsFolders?: boolean;
}

export type Written =
  | { readonly kind: "written" }
  /** The file has other content than `before`, or exists although it must not. It was not written. */
  | { readonly kind: "changed" }
  | ({ readonly kind: "failed" } & WriteFault);

/** The reason why a file was not written. Its old content is unchanged. */
export interface WriteFault {
  readonly reason: WriteFaultReason;
  /** For `leads-out`, where the link leads; for `busy`, the name of the lock; else the code of an error that has no reason of its own. */
  readonly detail: string;
}

export type WriteFaultReason =
  | "busy"
  | "denied"
  | "disk-full"
  | "git"
  | "in-use"
  | "leads-out"
  | "name-too-long"
  | "no-folder"
  | "not-a-file"
  | "other"
  | "quota"
  | "read-only"
  | "reserved-name"
  | "too-large"
  | "untrusted"
  | "unsupported";

export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder";
  /** Another one for every change of a file; absent where the host does not know, or was not asked. */
  readonly version?: string;
}

/** Reads a table that comes with the program. Asked once, when something is met that it may know. */
export type ReadTable = () => Promise<string | undefined>;

/** The variables of the process that runs us. */
export interface Environment {
  variable(name: string): string | undefined;
  names(): readonly string[];
}

/** Where an editor keeps secrets. Never rejects; what is not there is left out. */
export interface Secrets {
  names(): Promise<readonly string[]>;
  read(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export interface Clock {
  /** Milliseconds that only grow, at one rate, even when the time of day is set. For durations and deadlines: only differences mean anything. */
  now(): number;
  /** The time of day in milliseconds since 1970. For what people read, and to compare with times that others wrote. */
  date(): number;
  /**
   * Resolves after `ms`, or at once when the signal aborts.
   *
   * @param isLimit - How long others may take, not how long we pause: a clock of tests does not shorten it.
   */
  sleep(ms: number, signal: AbortSignal, isLimit?: boolean): Promise<void>;
}

/** When something began, by both readings of a {@link Clock}. */
export interface Moment {
  readonly date: number;
  readonly now: number;
}

export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string, cause?: unknown): void;
}

/** The words of a question. Editors show these sentences and these buttons, and no others. */
export interface Wording {
  /** Names the exact site, unless there are several requests. */
  readonly question: string;
  /** Sentences that a person needs for an answer: a risk, the addresses behind names. */
  readonly detail: readonly string[];
  /** Sentences for a dialog, which has room. */
  readonly more?: string;
  /** The buttons of a yes, the narrowest first. */
  readonly yes: readonly string[];
  /** The button of a no, for dialogs that have none of their own. */
  readonly no: string;
}

/**
 * Whether requests, and values of the host, may go somewhere. Every text is safe to show as plain text: `site` is exact
 * and never masked, all else is on one line, cut and without hidden characters.
 */
export interface HostQuestion {
  readonly words: Wording;
  /** Scheme, host and port, never the whole URL: `https://rpc.example`. */
  readonly site: string;
  /** The values would go there without encryption, so that anyone on the way can read them. */
  readonly inClear: boolean;
  /** Says which endpoint this is and where its address comes from, in a sentence. */
  readonly source: string;
  /** Secrets and variables that would go along and may not yet: `$secret.KEY`. */
  readonly values: readonly string[];
  /** The grants of a yes, to be stored unchanged and passed in again in the next session. */
  readonly grants: readonly string[];
}

/** Requests of a run that sign, broadcast or change the node. Safe to show, as {@link HostQuestion} is. */
export interface WriteQuestion {
  readonly words: Wording;
  readonly writes: readonly WriteItem[];
}

export interface WriteItem {
  /** Begins with a verb: "Send 1 ether from alice to bob". */
  readonly what: string;
  readonly method: string;
  readonly site: string;
  readonly endpoint: string;
  /** The addresses behind names: "alice is 0x…". */
  readonly names: readonly string[];
}

/** Many requests of one cell. Safe to show, as {@link HostQuestion} is. */
export interface CostQuestion {
  readonly words: Wording;
  readonly site: string;
  readonly endpoint: string;
  readonly requests: number;
  /** Of their answers, by a sample; absent if there was none. */
  readonly bytes?: number;
  /** At the rate of the endpoint, or by the sample; absent if there is neither. */
  readonly seconds?: number;
}

/** Methods of a run that nothing says only read. Safe to show, as {@link HostQuestion} is. */
export interface MethodQuestion {
  readonly words: Wording;
  readonly site: string;
  readonly endpoint: string;
  readonly methods: readonly string[];
  /** The grants of a permanent yes, to be stored unchanged. */
  readonly grants: readonly string[];
}

/** Whether a lookup host may be asked about contracts in results. Safe to show, as {@link HostQuestion} is. */
export interface LookupQuestion {
  readonly words: Wording;
  readonly site: string;
  /** The grant of a permanent yes and that of a permanent no, to be stored unchanged. */
  readonly always: string;
  readonly never: string;
}

/** `once` is for the results that are shown, the others also for later ones: in this workspace, or everywhere. */
export type LookupAnswer = "no" | "once" | "workspace" | "always" | "never";

/** `once` is for this run, `always` for this site from now on. */
export type MethodAnswer = "no" | "once" | "always";

/** Asks a person. A host without one answers `false`. */
export interface Consent {
  /** Never asks: the options of a command have already decided. */
  readonly byOptions?: true | undefined;
  allowHost(question: HostQuestion, signal: AbortSignal): Promise<boolean>;
  /** The answer holds for these requests only. */
  allowWrites(question: WriteQuestion, signal: AbortSignal): Promise<boolean>;
  allowMethods(question: MethodQuestion, signal: AbortSignal): Promise<MethodAnswer>;
  allowCost(question: CostQuestion, signal: AbortSignal): Promise<boolean>;
  /** Absent if results are not drawn again. */
  allowLookup?(question: LookupQuestion, signal: AbortSignal): Promise<LookupAnswer>;
}
