import type { LastResult, Scope } from "./analysis/scope.ts";
import type { JsonValue } from "./base/json.ts";
import type { Span } from "./base/span.ts";
import { bundledCatalog } from "./catalog/catalog.ts";
import {
  type CellPlace,
  type Document,
  type DocumentSpan,
  located,
  notebookDocument,
  placeIn,
  placesIn,
  textDocument,
} from "./documents.ts";
import { type CodeAction, codeActions } from "./features/codeActions.ts";
import { type CodeLens, codeLenses } from "./features/codeLens.ts";
import { type Completion, completion } from "./features/completion.ts";
import { definition } from "./features/definition.ts";
import { type Diagnostic, diagnostics, fileDiagnostics } from "./features/diagnostics.ts";
import { type FoldingRange, foldingRanges } from "./features/folding.ts";
import { type FormattingOptions, formatCell, formatFile } from "./features/formatting.ts";
import { type Hover, hover } from "./features/hover.ts";
import { type InlayHint, inlayHints } from "./features/inlayHints.ts";
import { links } from "./features/links.ts";
import type { CellEdit, FilePlace } from "./features/location.ts";
import { references } from "./features/references.ts";
import { type Renameable, rename, renameable } from "./features/rename.ts";
import { selectionRanges } from "./features/selectionRanges.ts";
import { type SemanticToken, semanticTokens } from "./features/semanticTokens.ts";
import { type SignatureHelp, signatureHelp } from "./features/signatureHelp.ts";
import { type DocumentSymbol, symbols } from "./features/symbols.ts";
import { type WireForm, wireForm } from "./features/wireForm.ts";
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

/** A place in an open document, or in a file that is not one of ours. */
export type Location = DocumentSpan | FilePlace;

export interface TextEdit extends DocumentSpan {
  readonly insert: string;
}

export interface Highlight {
  readonly span: Span;
  readonly kind: "declaration" | "use";
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
  signatureHelp(uri: string, offset: number): SignatureHelp | undefined;
  diagnostics(uri: string): readonly Diagnostic[];
  /** What can be done about a range: fixes of the problems in it, the best first, then what else may be wanted. */
  codeActions(
    uri: string,
    range: Span,
  ): readonly (Omit<CodeAction, "edits"> & { readonly edits: readonly TextEdit[] })[];
  codeLenses(uri: string): readonly CodeLens[];
  inlayHints(uri: string, range: Span): readonly InlayHint[];
  semanticTokens(uri: string): readonly SemanticToken[];
  symbols(uri: string): readonly DocumentSymbol[];
  foldingRanges(uri: string): readonly FoldingRange[];
  /** The ranges around an offset, the innermost first, each in the next. */
  selectionRanges(uri: string, offset: number): readonly Span[];
  links(uri: string): readonly { readonly span: Span; readonly target: string; readonly tooltip: string }[];
  definition(uri: string, offset: number): readonly Location[];
  references(uri: string, offset: number, includeDeclaration: boolean): readonly Location[];
  /** Those of the same document. */
  highlights(uri: string, offset: number): readonly Highlight[];
  renameable(uri: string, offset: number): Renameable | undefined;
  /** @returns Edits in all documents of the notebook, or why there are none. */
  rename(uri: string, offset: number, name: string): readonly TextEdit[] | { readonly refused: string };
  formatting(uri: string, options: FormattingOptions): readonly TextEdit[];
  /** The exact text that a cell would send now, or why it cannot be sent. */
  wireForm(uri: string, index: number): WireForm | undefined;

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
      catalog: bundledCatalog,
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
    look: (place: CellPlace, offset: number, scope: Scope, document: Document) => T,
  ): T | undefined => {
    const document = documentOf(uri);
    const place = document && placeIn(document, uri, offset);
    const inCell = place?.toCell(offset);
    return document && place && inCell !== undefined ? look(place, inCell, scopeOf(document), document) : undefined;
  };
  const inDocument = <T>(uri: string, look: (document: Document) => readonly T[]): readonly T[] => {
    const document = documentOf(uri);
    return document ? look(document) : [];
  };
  /** Looks at every cell that a range of a document touches, with the part of it that lies there. */
  const within = <T>(
    uri: string,
    range: Span,
    look: (place: CellPlace, range: Span, scope: Scope, document: Document) => readonly T[],
  ): readonly T[] =>
    inDocument(uri, (document) => {
      const scope = scopeOf(document);
      return placesIn(document, uri, range).flatMap(({ place, range }) => look(place, range, scope, document));
    });
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
    signatureHelp: (uri, offset) => at(uri, offset, ({ cell }, inCell, scope) => signatureHelp(cell, inCell, scope)),
    codeActions: (uri, range) =>
      within(uri, range, (place, inCell, scope, document) =>
        codeActions(place.cell, inCell, scope).map(({ edits, fixes, ...action }) => ({
          ...action,
          ...(fixes && { fixes: { ...fixes, span: place.toDocument(fixes.span) } }),
          edits: edits.flatMap((edit) => textEdit(document, edit)),
        })),
      ),
    inlayHints: (uri, range) =>
      within(uri, range, (place, _, scope) =>
        inlayHints(place.cell, scope).map((hint) => ({ ...hint, span: place.toDocument(hint.span) })),
      ).filter(({ span }) => range.start <= span.start && span.start <= range.end),
    semanticTokens: (uri) =>
      [...everywhere(uri, (cell, scope) => semanticTokens(cell, scope))].sort((a, b) => a.span.start - b.span.start),
    symbols: (uri) => inDocument(uri, ({ places }) => places.filter((place) => place.uri === uri).flatMap(symbolsOf)),
    foldingRanges: (uri) => everywhere(uri, (cell) => foldingRanges(cell)),
    selectionRanges: (uri, offset) =>
      at(uri, offset, (place, inCell) => selectionRanges(place.cell, inCell).map(place.toDocument)) ?? [],
    links: (uri) =>
      everywhere(uri, (cell, scope) => links(cell, scope)).map(({ target, ...link }) => ({
        ...link,
        target: "url" in target ? target.url : new URL(target.path, owners.get(uri) ?? uri).href,
      })),
    definition: (uri, offset) =>
      at(uri, offset, ({ cell }, inCell, scope, document) =>
        definition(cell, inCell, scope).flatMap((found): readonly Location[] =>
          "uri" in found ? [found] : located(document, found),
        ),
      ) ?? [],
    references: (uri, offset, includeDeclaration) =>
      at(uri, offset, ({ cell }, inCell, scope, document) =>
        references(cell, inCell, scope)
          .filter(({ kind }) => includeDeclaration || kind === "use")
          .flatMap((use) => located(document, use)),
      ) ?? [],
    highlights: (uri, offset) =>
      at(uri, offset, ({ cell }, inCell, scope, document) =>
        references(cell, inCell, scope).flatMap((use) =>
          located(document, use).flatMap((place) => (place.uri === uri ? { span: place.span, kind: use.kind } : [])),
        ),
      ) ?? [],
    renameable: (uri, offset) =>
      at(uri, offset, (place, inCell, scope) => {
        const found = renameable(place.cell, inCell, scope);
        return found && { ...found, span: place.toDocument(found.span) };
      }),
    rename: (uri, offset, name) =>
      at(uri, offset, ({ cell }, inCell, scope, document) => {
        const edits = rename(cell, inCell, name, scope);
        return "refused" in edits ? edits : edits.flatMap((edit) => textEdit(document, edit));
      }) ?? { refused: "There is nothing to rename here." },
    formatting: (uri, options) =>
      inDocument(uri, ({ file, places }) =>
        file
          ? formatFile(file, options).map((edit) => ({ uri, ...edit }))
          : places
              .filter((place) => place.uri === uri)
              .flatMap(({ cell }) => formatCell(cell, options).map((edit) => ({ uri, ...edit }))),
      ),
    wireForm(uri, index) {
      const document = documentOf(uri);
      const cell = document?.cells[index];
      return document && cell && wireForm(cell, scopeOf(document));
    },
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

function symbolsOf({ cell, index, toDocument }: CellPlace): readonly DocumentSymbol[] {
  const moved = (symbol: DocumentSymbol): DocumentSymbol => ({
    ...symbol,
    span: toDocument(symbol.span),
    selection: toDocument(symbol.selection),
    children: symbol.children.map(moved),
  });
  return symbols(cell, index === undefined ? undefined : index + 1).map(moved);
}

function textEdit(document: Document, { insert, ...at }: CellEdit): readonly TextEdit[] {
  return located(document, at).map((place) => ({ ...place, insert }));
}

function indicesOf(document: Document, refs: readonly CellRef[]): readonly number[] {
  return refs.flatMap((ref) => {
    if ("index" in ref) return [ref.index];
    return document.places.find((place) => place.uri === ref.uri)?.index ?? [];
  });
}
