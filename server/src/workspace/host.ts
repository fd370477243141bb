import type { ReadCode } from "../abi/guessedAbi.ts";
import type {
  Cache,
  Clock,
  Consent,
  Downloads,
  Environment,
  Files,
  Log,
  ReadTable,
  Secrets,
  Sockets,
  Transport,
} from "../base/ports.ts";
import type { Gate } from "../gate/gate.ts";
import type { WatchesChanged } from "../protocol/background.ts";
import type { CellRedrawn } from "../protocol/runs.ts";
import type { Settings } from "../protocol/settings.ts";
import type { Recording } from "../recording/recording.ts";
import type { OpenTracer } from "../trace/task.ts";

/** What a main program provides to the service: all that follows, and what reaches the network. */
export interface Host extends Surroundings, Network {}

export interface Network {
  readonly transport: Transport;
  /** Absent if no WebSocket can be opened. */
  readonly sockets?: Sockets | undefined;
}

/** What says which project a file belongs to. */
export interface ProjectHost {
  readonly files: Files;
  /** URIs of the workspace folders. */
  readonly roots: readonly string[];
}

/** The ports of a platform for everything but the network. */
export interface Platform {
  readonly files: Files;
  readonly clock: Clock;
  /** Without it, only the bundled signatures are decoded. */
  readonly signatures?: ReadTable | undefined;
  /** Absent where nothing can be kept between sessions. */
  readonly cache?: Cache | undefined;
  /** Absent in a browser. */
  readonly downloads?: Downloads | undefined;
  /** Absent in a browser. */
  readonly environment?: Environment | undefined;
  /** Starts a thread that computes the calls inside a call. */
  readonly openTracer?: OpenTracer | undefined;
  /** Finds functions in code, in a thread; absent in a browser. */
  readonly readCode?: ReadCode | undefined;
}

/** What a main program gives beside the ports of its platform, and the state of the workspace. */
interface Surroundings extends Platform, ProjectHost {
  /** Absent if there is no secret storage. Secrets then come from the environment and `.env`. */
  readonly secrets?: Secrets | undefined;
  /** Keeps which state calls needed, for later commands; absent where a recording shows what was asked. */
  readonly traceKeys?: Cache | undefined;
  readonly consent: Consent;
  readonly log: Log;
  /** Answers everything, in place of the network. */
  readonly replay?: Recording | undefined;
  /** This program's version, for recordings. */
  readonly version?: string | undefined;
  readonly trusted: boolean;
  readonly settings: Settings;
  /** URI of the notebook that was open last in the session before. */
  readonly lastNotebook?: string | undefined;
  /** Approvals of earlier sessions, as the `grants` of questions. */
  readonly approvedHosts: readonly string[];
  /** Called when features may return something else for a document although its text has not changed. */
  changed(uri: string): void;
  /** Called when live hints have changed, or to ask whether they are still visible; absent if none are shown. */
  readonly hinted?: (() => void) | undefined;
  /** Called with a result that has names now; absent if results are not drawn again. */
  readonly redrawn?: ((event: CellRedrawn) => void) | undefined;
  /** Tells a person something for which no request waits; absent if nobody would see it. */
  readonly notify?: ((text: string) => void) | undefined;
  /** Called when watches have changed; absent if there are none. */
  readonly watchesChanged?: ((event: WatchesChanged) => void) | undefined;
}

/** The service's own host. It sends through its gate; its folders, its trust and its settings are always the current ones. */
export interface WorkspaceHost extends Surroundings {
  readonly gate: Gate;
  roots: readonly string[];
  trusted: boolean;
  settings: Settings;
}
