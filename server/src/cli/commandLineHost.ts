import type { Replay } from "../recording/replay.ts";
import type { Host } from "../workspace/host.ts";
import type { Terminal } from "./terminal.ts";

/** The permissions that the options of a command give. */
export interface HostOptions {
  readonly files: readonly string[];
  /** The file or folder that it writes. */
  readonly out?: string | undefined;
  readonly record?: string | undefined;
  readonly speedscope?: string | undefined;
  readonly reportFile?: string | undefined;
  readonly save?: readonly { readonly path: string }[];
  readonly allowWrites?: boolean;
  /** Cells may send many requests. */
  readonly yes?: boolean;
  readonly allowHosts?: readonly string[];
  readonly allowMethods?: readonly string[];
  /** The host at which contracts are looked up. */
  readonly lookup?: string | undefined;
  /** The recording that answers in place of the network. */
  readonly replay?: string | undefined;
  /** Seconds for one exchange. */
  readonly timeout?: number | undefined;
}

/** The bytes of a recording's file, or the reason why it was not read. */
export type RecordingFile = Uint8Array | "missing" | "too-large";

/** The ports that the process lends to the command line. */
export interface CommandLineHost {
  readonly terminal: Terminal;
  readonly version: string;
  /** Aborts on the first Ctrl-C. Reading it takes over the signals of the process: before that, one ends it at once. */
  readonly signal: AbortSignal;
  /** Reads standard input to its end; `undefined` if that is a terminal. */
  input(): Promise<string | undefined>;
  /** Loads the network and the disk. Commands that need neither start faster without. */
  host(options: HostOptions): Promise<Host>;
  /** Reads the file of a recording, in another thread. */
  recording(path: string): Promise<RecordingFile>;
  /** Reads the bundle that draws the results of an exported page. */
  pageScript(): Promise<string>;
  /** Serves a replay on a port of this machine. Rejects if the port is in use. */
  serve(replay: Replay, port: number): Promise<{ readonly url: string; close(): Promise<void> }>;
  lsp(): Promise<void>;
}
