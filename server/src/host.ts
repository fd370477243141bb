import type { Clock, Consent, Files, Log, ReadSignatures, Transport } from "./base/ports.ts";
import type { Settings } from "./protocol.ts";

/** What a main lends to the service: the ports, and what is known at the start. */
export interface Host {
  readonly transport: Transport;
  readonly files: Files;
  /** A host without it decodes the best known signatures only. */
  readonly signatures?: ReadSignatures | undefined;
  readonly clock: Clock;
  readonly consent: Consent;
  readonly log: Log;
  /** URIs of the workspace folders. */
  readonly roots: readonly string[];
  readonly trusted: boolean;
  readonly settings: Settings;
  readonly approvedHosts: readonly string[];
  /** Told when what features say of a document has changed though its text has not. */
  changed(uri: string): void;
}
