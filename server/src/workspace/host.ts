import type {
  Clock,
  Consent,
  Environment,
  Files,
  Log,
  ReadSignatures,
  Secrets,
  Sockets,
  Transport,
} from "../base/ports.ts";
import type { Ticked } from "../protocol/background.ts";
import type { Settings } from "../protocol/settings.ts";

/** What a main lends to the service: the ports, and what is known at the start. */
export interface Host {
  readonly transport: Transport;
  /** Absent where no WebSocket can be opened. */
  readonly sockets?: Sockets | undefined;
  readonly files: Files;
  /** A host without it decodes the best known signatures only. */
  readonly signatures?: ReadSignatures | undefined;
  /** Absent where there is none: in a browser. */
  readonly environment?: Environment | undefined;
  /** Absent where nobody keeps secrets: they come from the environment and `.env` then. */
  readonly secrets?: Secrets | undefined;
  readonly clock: Clock;
  readonly consent: Consent;
  readonly log: Log;
  /** URIs of the workspace folders. */
  readonly roots: readonly string[];
  readonly trusted: boolean;
  readonly settings: Settings;
  /** Hosts, and values that may go to them, that were allowed before: as the `grants` of questions name them. */
  readonly approvedHosts: readonly string[];
  /** Told when what features say of a document has changed though its text has not. */
  changed(uri: string): void;
  /** Told when live hints say something else, or nobody knows whether they are still seen; absent where none are. */
  readonly hinted?: (() => void) | undefined;
  /** Told of what is watched; absent where nobody watches. */
  readonly ticked?: ((event: Ticked) => void) | undefined;
}
