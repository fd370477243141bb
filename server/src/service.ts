import type { LastResult, Scope } from "./analysis/scope.ts";
import type { JsonValue } from "./base/json.ts";
import type { Span } from "./base/span.ts";
import { type CellPlace, type Document, notebookDocument, placeIn, textDocument } from "./documents.ts";
import { type CodeLens, codeLenses } from "./features/codeLens.ts";
import { type Completion, completion } from "./features/completion.ts";
import { type Diagnostic, diagnostics, fileDiagnostics } from "./features/diagnostics.ts";
import { type Hover, hover } from "./features/hover.ts";
import type { Host } from "./host.ts";
import type { Cell } from "./notebook/cell.ts";
import { headerValues } from "./notebook/header.ts";
import { cellKeys } from "./notebook/key.ts";
import type { CellRef, EndpointsResult, RunParams, RunResult, Settings } from "./protocol.ts";
import { openRoutes, type Routes } from "./routes.ts";
import { openCourier } from "./run/courier.ts";
import { type FinishedCell, finishedCell, lastResult } from "./run/finished.ts";
import { nameOf, plan } from "./run/plan.ts";
import { run } from "./run/run.ts";

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
  /** The ordinals of all cells that the run takes in, in the order of the notebook; comes before everything else. */
  planned?(indices: readonly number[]): void;
  /** The cell's request goes out now. */
  started(event: { readonly cell: CellRef }): void;
  /** Comes once for every planned cell, also for those never sent. */
  finished(event: FinishedCell): void;
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
  /** Resolves when the files that stand beside the document have been read. */
  settled(uri: string): Promise<void>;
  /** Ordinal of the cell with this key, name or number from 1. */
  cellIndex(uri: string, key: string): number | undefined;
  cellNames(uri: string): readonly string[];

  completion(uri: string, offset: number): readonly Completion[];
  hover(uri: string, offset: number): Hover | undefined;
  diagnostics(uri: string): readonly Diagnostic[];
  codeLenses(uri: string): readonly CodeLens[];

  /**
   * Runs cells and what they refer to.
   *
   * @param variables - Win over those of the header.
   */
  run(
    params: Omit<RunParams, "runId">,
    events: RunEvents,
    signal: AbortSignal,
    variables?: ReadonlyMap<string, JsonValue>,
  ): Promise<RunResult>;
  endpoints(uri: string): Promise<EndpointsResult>;
  pickEndpoint(uri: string, name: string | null): void;
  trust(): void;
  configure(settings: Settings): void;
}

/** Creates a service. All state is its open documents and their last outcomes. */
export function createService(host: Host): Service {
  const documents = new Map<string, Document>();
  /** The notebook of each cell document. */
  const owners = new Map<string, string>();
  /** Last results by document and cell key. */
  const results = new Map<string, Map<string, LastResult>>();
  const keys = new WeakMap<Document, readonly string[]>();
  const routes: Routes = openRoutes(host);

  const documentOf = (uri: string): Document | undefined => documents.get(owners.get(uri) ?? uri);
  const keysOf = (document: Document): readonly string[] => {
    const known = keys.get(document) ?? cellKeys(document.cells);
    keys.set(document, known);
    return known;
  };
  const keep = (document: Document): void => {
    documents.set(document.uri, document);
    for (const place of document.places) if (place.uri !== document.uri) owners.set(place.uri, document.uri);
    routes.follow(document);
  };
  /** Last results of the cells that still are there: those that are gone leave nothing behind. */
  const resultsOf = (document: Document): Map<string, LastResult> => {
    const keys = new Set(keysOf(document));
    const kept = new Map([...(results.get(document.uri) ?? [])].filter(([key]) => keys.has(key)));
    results.set(document.uri, kept);
    return kept;
  };
  const scopes = new WeakMap<Document, Scope>();
  const scopeOf = (document: Document): Scope => {
    const { endpoint, endpoints } = routes.known(document);
    const known = scopes.get(document);
    if (known && known.endpoint === endpoint && known.endpoints === endpoints) return known;
    const scope: Scope = {
      header: document.header,
      cells: document.cells,
      variables: headerValues(document.header).variables,
      endpoints,
      endpoint,
      lastResult: (cell) => {
        const key = keysOf(document)[document.cells.indexOf(cell)];
        return key === undefined ? undefined : results.get(document.uri)?.get(key);
      },
    };
    scopes.set(document, scope);
    return scope;
  };
  /** Looks at the cell under an offset; spans of what comes back count in the document. */
  const at = <T>(
    uri: string,
    offset: number,
    look: (place: CellPlace, offset: number, scope: Scope) => T,
  ): T | undefined => {
    const document = documentOf(uri);
    const place = document && placeIn(document, uri, offset);
    const inCell = place?.toCell(offset);
    return document && place && inCell !== undefined ? look(place, inCell, scopeOf(document)) : undefined;
  };
  const everywhere = <T extends { readonly span: Span }>(
    uri: string,
    look: (cell: Cell, scope: Scope, index: number | undefined) => readonly T[],
  ): readonly T[] => {
    const document = documentOf(uri);
    if (!document) return [];
    const scope = scopeOf(document);
    return document.places
      .filter((place) => place.uri === uri)
      .flatMap((place) =>
        look(place.cell, scope, place.index).map((one) => ({ ...one, span: place.toDocument(one.span) })),
      );
  };

  return {
    openText: (uri, text) => keep(textDocument(uri, text)),
    changeText: (uri, text) => keep(textDocument(uri, text, documents.get(uri))),
    openNotebook: (uri, cells) => keep(notebookDocument(uri, cells)),
    changeNotebook: (uri, cells) => keep(notebookDocument(uri, cells, documents.get(uri))),
    close(uri) {
      for (const [cell, owner] of owners) if (owner === uri) owners.delete(cell);
      documents.delete(uri);
      routes.forget(uri);
    },
    siblings(uri) {
      const document = documentOf(uri);
      return document && !document.file ? document.places.map((place) => place.uri) : [uri];
    },
    settled: (uri) => routes.settled(owners.get(uri) ?? uri),
    cellIndex(uri, key) {
      const document = documentOf(uri);
      if (!document) return undefined;
      const byName = document.cells.findIndex((cell, index) => nameOf(cell) === key || keysOf(document)[index] === key);
      if (byName >= 0) return byName;
      const number = /^\d+$/.test(key) ? Number(key) - 1 : -1;
      const cell = document.cells[number];
      return cell && cell.kind !== "markdown" ? number : undefined; // there is nothing to run in Markdown
    },
    cellNames: (uri) => documentOf(uri)?.cells.flatMap((cell) => nameOf(cell) ?? []) ?? [],

    completion: (uri, offset) =>
      at(uri, offset, (place, inCell, scope) =>
        completion(place.cell, inCell, scope).map((one) => ({
          ...one,
          span: place.toDocument(one.span),
          ...(one.also && { also: one.also.map((edit) => ({ ...edit, span: place.toDocument(edit.span) })) }),
        })),
      ) ?? [],
    hover: (uri, offset) =>
      at(uri, offset, (place, inCell, scope) => {
        const found = hover(place.cell, inCell, scope);
        return found && { ...found, span: place.toDocument(found.span) };
      }),
    diagnostics: (uri) => [
      ...fileDiagnostics(documentOf(uri)?.faults ?? []),
      ...everywhere(uri, (cell, scope) => diagnostics(cell, scope)),
    ],
    codeLenses: (uri) =>
      everywhere(uri, (cell, scope, index) => (index === undefined ? [] : codeLenses(cell, scope, index))),

    async run({ uri, cells, endpoint }, events, signal, variables = new Map()) {
      const document = documentOf(uri);
      if (!document) return { ok: 0, failed: 0, cancelled: false };
      const steps = plan(document.cells, cells && indicesOf(document, cells));
      events.planned?.(steps.map(({ index }) => index));
      const header = headerValues(document.header);
      const courierHost = await routes.courierHost(document, endpoint);
      const courier = await openCourier(
        steps.map(({ cell }) => cell),
        courierHost,
        signal,
      );
      const remembered = resultsOf(document);
      const places = new Map(document.places.map((place) => [place.index, place]));
      const ended = await run(
        steps,
        {
          clock: host.clock,
          courier,
          variables: new Map([...header.variables, ...variables]),
          started: ({ index }) => events.started({ cell: document.refs[index] ?? { index } }),
          finished: (ended) => {
            const { index } = ended.step;
            const finished = finishedCell(ended, {
              ref: document.refs[index] ?? { index },
              key: keysOf(document)[index] ?? String(index + 1),
              labels: header.labels,
              toDocument: (at) => places.get(index)?.toDocument(at) ?? at,
            });
            remembered.set(finished.key, lastResult(finished));
            events.finished(finished);
          },
        },
        signal,
      );
      const ok = ended.filter((one) => one.ok).length;
      return { ok, failed: ended.length - ok, cancelled: signal.aborted };
    },
    async endpoints(uri) {
      const document = documentOf(uri);
      return routes.choices(document, document?.uri ?? uri);
    },
    pickEndpoint: (uri, name) => routes.pick(owners.get(uri) ?? uri, name ?? undefined),
    trust: () => routes.trust(documents.values()),
    configure: (settings) => routes.configure(settings, documents.values()),
  };
}

function indicesOf(document: Document, refs: readonly CellRef[]): readonly number[] {
  return refs.flatMap((ref) => {
    if ("index" in ref) return [ref.index];
    return document.places.find((place) => place.uri === ref.uri)?.index ?? [];
  });
}
