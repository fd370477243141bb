import type { Clock, Consent, Files, Log, Transport } from "./base/ports.ts";
import type { CodeLens } from "./features/codeLens.ts";
import type { Completion } from "./features/completion.ts";
import type { Diagnostic } from "./features/diagnostics.ts";
import type { Hover } from "./features/hover.ts";
import type { CellFinished, CellStarted, EndpointsResult, RunParams, RunResult, Settings } from "./protocol.ts";

/** What a main lends to the service: the ports, and what is known at the start. */
export interface Host {
  readonly transport: Transport;
  readonly files: Files;
  readonly clock: Clock;
  readonly consent: Consent;
  readonly log: Log;
  readonly trusted: boolean;
  readonly settings: Settings;
  readonly approvedHosts: readonly string[];
}

/** A cell of an open notebook document. The header is a code cell like the others: first, and marked or recognised. */
export interface NotebookCellText {
  /** URI of the cell's own document. */
  readonly uri: string;
  readonly kind: "code" | "markdown";
  readonly text: string;
  /** Metadata says that it is the header; absent after copy and paste, when its shape decides. */
  readonly header?: boolean;
}

export interface RunEvents {
  started(event: Omit<CellStarted, "runId">): void;
  finished(event: Omit<CellFinished, "runId">): void;
}

/**
 * The façade: documents in, features and runs out. URIs name text documents, notebooks and cell documents alike;
 * offsets and spans count UTF-16 code units from the start of the document named.
 */
export interface Service {
  openText(uri: string, text: string): void;
  changeText(uri: string, text: string): void;
  openNotebook(uri: string, cells: readonly NotebookCellText[]): void;
  changeNotebook(uri: string, cells: readonly NotebookCellText[]): void;
  close(uri: string): void;
  /** URIs of the cells of an open notebook that holds this cell or is this notebook; else the URI alone. */
  siblings(uri: string): readonly string[];

  completion(uri: string, offset: number): readonly Completion[];
  hover(uri: string, offset: number): Hover | undefined;
  diagnostics(uri: string): readonly Diagnostic[];
  codeLenses(uri: string): readonly CodeLens[];

  run(params: Omit<RunParams, "runId">, events: RunEvents, signal: AbortSignal): Promise<RunResult>;
  endpoints(uri: string): Promise<EndpointsResult>;
  pickEndpoint(uri: string, name: string | null): void;
  trust(): void;
  configure(settings: Settings): void;
}
