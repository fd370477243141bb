import { endpointDirective } from "../analysis/cellEndpoint.ts";
import type { JsonValue } from "../base/json.ts";
import type { Mask } from "../base/mask.ts";
import type { Cache, Clock, Files } from "../base/ports.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { RowFile } from "../evaluate/rowFile.ts";
import type { LogSink } from "../gate/endpointQueue.ts";
import type { Cell } from "../notebook/cell.ts";
import type { HeaderValues } from "../notebook/header.ts";
import type { Labels } from "../report/shown.ts";
import type { OpenTracer } from "../trace/task.ts";
import type { DescriptorTable } from "../workspace/descriptors.ts";
import type { Document } from "../workspace/documents.ts";
import type { KnownContracts } from "../workspace/knownContracts.ts";
import type { LabelFiles } from "../workspace/labelFiles.ts";
import type { OpenrpcCatalogs } from "../workspace/openrpcCatalogs.ts";
import type { ProjectContracts } from "../workspace/projectContracts.ts";
import type { Routes } from "../workspace/routes.ts";
import type { RunRoutes } from "../workspace/runRoutes.ts";
import type { SignatureTable } from "../workspace/signatures.ts";
import type { CellRun, Ready } from "./cellRun.ts";
import type { TokenNames } from "./observe/tokens.ts";
import type { CellLocator } from "./plan.ts";
import type { AssumedState } from "./prepare/statePlaces.ts";
import type { ResultNames } from "./result/resultNames.ts";
import type { Results } from "./result/results.ts";
import type { RowStore } from "./result/rowStore.ts";
import type { StreamControls } from "./result/streamControls.ts";
import type { RunRecordings } from "./runRecordings.ts";

/** Everything that a run uses and that stays when it ends. */
export interface RunSupport {
  readonly routes: Routes;
  readonly catalogs: OpenrpcCatalogs;
  readonly contracts: ProjectContracts;
  readonly labelFiles: LabelFiles;
  readonly clock: Clock;
  readonly results: Results;
  readonly rowStore: RowStore;
  readonly signatures: SignatureTable;
  readonly descriptors: DescriptorTable;
  readonly tokenNames: TokenNames;
  readonly knownContracts: KnownContracts;
  /** Absent if results are not drawn again. */
  readonly resultNames?: ResultNames | undefined;
  readonly assumedState: AssumedState;
  readonly mask: Mask;
  readonly files: Files;
  /** URIs of the workspace folders. */
  readonly roots: readonly string[];
  /** This program's version. */
  readonly version?: string | undefined;
  readonly recordings: RunRecordings;
  /** Starts a thread that computes the calls inside a call; absent in a browser. */
  readonly openTracer?: OpenTracer | undefined;
  /** Keeps which state calls needed. */
  readonly traceKeys?: Cache | undefined;
  readonly streamControls: StreamControls;
  /** Opens what takes the logs of a cell with `save`. */
  saveLogs(cell: SavedCell): LogSink;
  /** Returns what is sent in place of a judged cell; `undefined` if nothing is. */
  readonly replacementFor?: ((judged: CellRun, ready: Ready) => Ready | undefined) | undefined;
}

/** A cell whose logs go to a file. */
export interface SavedCell {
  readonly document: Document;
  readonly cell: Cell;
  /** The path of the file, as the cell has it. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** Called with how far it is, in words without a full stop. */
  onProgress(text: string): void;
}

/** One run of a document. */
export interface DocumentRun {
  readonly document: Document;
  /** Its labels include those of files around the document. */
  readonly header: HeaderValues;
  readonly locator: CellLocator;
  readonly routes: RunRoutes;
  /** Those of the header, and those that win over them. */
  readonly variables: ReadonlyMap<string, JsonValue>;
  /** Names of addresses, by the address in lower case: labels, and variables that hold one. */
  readonly names: Labels;
  /** The rows that cells take from files, by their paths. */
  readonly rowFiles: ReadonlyMap<string, RowFile>;
  readonly signal: AbortSignal;
  readonly support: RunSupport;
}

/** Returns every name that a placeholder may have. */
export function placeholderNames({ variables, locator }: DocumentRun): readonly string[] {
  return [...variables.keys(), ...locator.names()];
}

/** Returns the chain that a cell's requests go to, as far as its endpoint, the header or an earlier answer says. */
export function chainOf(run: DocumentRun, cell: Cell): bigint | undefined {
  const resolved = run.routes.endpointOf(cell);
  return "endpoint" in resolved ? chainAt(run, cell, resolved.endpoint) : undefined;
}

/** Like {@link chainOf}, for one endpoint. */
export function chainAt({ routes, header }: DocumentRun, cell: Cell, endpoint: Endpoint): bigint | undefined {
  const fromHeader = endpointDirective(cell) === undefined ? header.chainId : undefined;
  return endpoint.chainId ?? fromHeader ?? routes.memoryOf(endpoint).probed?.chainId;
}
