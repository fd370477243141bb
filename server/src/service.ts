import { type AbiScope, withFunctions } from "./abi/abiScope.ts";
import type { AbiItem } from "./abi/item.ts";
import { addedEndpoint } from "./addingEndpoint.ts";
import { abiItems, abiScope } from "./analysis/abi.ts";
import type { Scope } from "./analysis/scope.ts";
import { isAddress } from "./base/hex.ts";
import type { JsonValue } from "./base/json.ts";
import { openMask } from "./base/mask.ts";
import { type Span, span, touches } from "./base/span.ts";
import type { FilePlace } from "./base/text.ts";
import { openCatalogs } from "./catalogs.ts";
import { compareCell } from "./comparing.ts";
import { openContracts } from "./contracts.ts";
import type { ExportForm } from "./convert/exported.ts";
import {
  type CellPlace,
  type Document,
  type DocumentSpan,
  located,
  type NotebookCellText,
  notebookDocument,
  type TextEdit,
  textDocument,
  textEdits,
  toCell,
  toDocument,
} from "./documents.ts";
import type { EndpointFault } from "./endpoints/resolve.ts";
import { exportOf } from "./exporting.ts";
import { addressAt } from "./features/addressAt.ts";
import { type CodeAction, codeActions } from "./features/codeActions.ts";
import { type CodeLens, codeLenses } from "./features/codeLens.ts";
import { type Completion, completion } from "./features/completion.ts";
import { definition } from "./features/definition.ts";
import {
  type Diagnostic,
  diagnostics,
  endpointDiagnostics,
  type FileDiagnostic,
  fileDiagnostics,
} from "./features/diagnostics.ts";
import { type FoldingRange, fileFoldingRanges, foldingRanges } from "./features/folding.ts";
import { type FormattingOptions, formatCell, formatFile } from "./features/formatting.ts";
import { type Hover, hover } from "./features/hover.ts";
import { type InlayHint, inlayHints } from "./features/inlayHints.ts";
import { links } from "./features/links.ts";
import { addressNames } from "./features/naming.ts";
import { references } from "./features/references.ts";
import { type Renameable, rename, renameable } from "./features/rename.ts";
import { backgroundRequest, requestAt } from "./features/requestAt.ts";
import { fileSelectionRanges, selectionRanges } from "./features/selectionRanges.ts";
import { type SemanticToken, semanticTokens } from "./features/semanticTokens.ts";
import { type SignatureHelp, signatureHelp } from "./features/signatureHelp.ts";
import { staleReason } from "./features/staleness.ts";
import { type DocumentSymbol, symbols } from "./features/symbols.ts";
import { newLabel } from "./features/variables.ts";
import { requestsOf, type WireForm, wireForm } from "./features/wireForm.ts";
import type { Host } from "./host.ts";
import { openKeptRows } from "./keptRows.ts";
import { addressIn } from "./live/addressIn.ts";
import { openWatchers } from "./live/watchers.ts";
import { openLiveHints } from "./liveHints.ts";
import { type Around, openLiveHovers } from "./liveHovers.ts";
import { type CellFeature, openLooks } from "./looks.ts";
import { decodeFile } from "./notebook/bytes.ts";
import type { Cell } from "./notebook/cell.ts";
import { headerValues } from "./notebook/header.ts";
import { cellNumbers } from "./notebook/number.ts";
import { probeEndpoint } from "./probing.ts";
import type {
  AddEndpointParams,
  AddEndpointResult,
  AddressParams,
  AddressResult,
  CellOutput,
  CellTest,
  CompareParams,
  EndpointsResult,
  ExportResult,
  LabelParams,
  RowsParams,
  RowsResult,
  RunParams,
  RunResult,
  Settings,
  StreamControl,
  WatchParams,
  WatchResult,
} from "./protocol.ts";
import { openResults } from "./results.ts";
import { openRoutes } from "./routes.ts";
import { noSockets, openLines, withSockets } from "./rpc/lines.ts";
import { maskedLog } from "./run/masked.ts";
import { nameOf } from "./run/plan.ts";
import { openTokenNames } from "./run/tokens.ts";
import { type RunEvents, type RunSupport, runCells, statedTokens } from "./running.ts";
import { openScopes } from "./scopes.ts";
import { type Knowing, openSignatures } from "./signatures.ts";
import { openStreams } from "./streaming.ts";
import { cellTests } from "./tests.ts";
import { openWatching } from "./watching.ts";
import { writablePlace } from "./writablePlace.ts";

/** A place in an open document, or in a file that is not one of ours. */
export type Location = DocumentSpan | FilePlace;

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
  /** Ordinal of the cell with this key, name or number from 1, Markdown not counted. */
  cellIndex(uri: string, key: string): number | undefined;
  cellNames(uri: string): readonly string[];
  /** How many cells a document has, Markdown not counted. */
  cellCount(uri: string): number;

  /** For looks at the features below: the table of signatures is loaded first where they meet what only it may know. */
  readonly knowing: Knowing;
  /** What is declared for a document by its header and by the contracts of the workspace. */
  abi(uri: string): { readonly items: readonly AbiItem[]; readonly scope: AbiScope } | undefined;
  completion(uri: string, offset: number): readonly Completion[];
  hover(uri: string, offset: number): Hover | undefined;
  signatureHelp(uri: string, offset: number): SignatureHelp | undefined;
  /** Looks at an address or a cell again and again, and tells the host of it. */
  watch(params: WatchParams): Promise<WatchResult>;
  unwatch(id: string): void;
  /** What gives an address a name in the header of a notebook; that of the last one opened for any other file. */
  label(
    params: LabelParams,
  ): { readonly notebook: string; readonly edits: readonly TextEdit[] } | { readonly refused: string };
  /** Nothing is asked while nobody looks. */
  showWatches(visible: boolean): void;
  /** What the chain says now of the address under the cursor, as Markdown; `undefined` where nothing may be asked. */
  liveHover(uri: string, offset: number, signal: AbortSignal): Promise<string | undefined>;
  /** The same for a file that is no notebook. */
  addressHover(params: AddressParams, signal: AbortSignal): Promise<AddressResult>;
  diagnostics(uri: string): readonly Diagnostic[];
  /** What is wrong in the files of endpoints that the open documents go by, as they were read last. */
  fileDiagnostics(): readonly FileDiagnostic[];
  /** What can be done about a range: fixes of the problems in it, the best first, then what else may be wanted. */
  codeActions(
    uri: string,
    range: Span,
  ): readonly (Omit<CodeAction, "edits"> & { readonly edits: readonly TextEdit[] })[];
  codeLenses(uri: string): readonly CodeLens[];
  inlayHints(uri: string, range: Span): readonly InlayHint[];
  /** @param range - Absent for all of the document. */
  semanticTokens(uri: string, range?: Span): readonly SemanticToken[];
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
  /** @param range - The cells that it touches are laid out, and nothing else; absent for all of the document. */
  formatting(uri: string, options: FormattingOptions, range?: Span): readonly TextEdit[];
  /** Ordinal of the cell at a place; `undefined` for the header and where there is none. */
  cellAt(uri: string, offset: number): number | undefined;
  /** The exact text that a cell would send now, or why it cannot be sent. */
  wireForm(uri: string, index: number): WireForm | undefined;
  /**
   * A cell, or all of a document, written for another tool.
   *
   * @param index - Of the cell; `undefined` for all.
   */
  exported(uri: string, index: number | undefined, form: ExportForm): Promise<ExportResult | undefined>;

  /**
   * Runs cells and what they refer to, also of a file that is not open.
   *
   * @param variables - Win over those of the header.
   */
  run(
    params: Omit<RunParams, "runId">,
    events: RunEvents,
    signal: AbortSignal,
    variables?: ReadonlyMap<string, JsonValue>,
  ): Promise<RunResult>;
  /** Pauses, filters or stops a subscription cell that runs. */
  stream(control: StreamControl): void;
  /** The cells that say what must hold, also of a file that is not open. */
  tests(uri: string): Promise<readonly CellTest[]>;
  /** What speaks against a result that is shown under the cell of a notebook, the last one that a run has given it. */
  staleness(uri: string): { readonly label: string; readonly why: string } | undefined;
  /** Rows of a table beyond those that its output carries. */
  rows(params: RowsParams, signal: AbortSignal): Promise<RowsResult>;
  /**
   * Finds out what the endpoint of a document's header does; what was found counts for completions and warnings.
   *
   * @param endpoint - In place of that one.
   */
  probe(uri: string, endpoint: string | undefined, signal: AbortSignal): Promise<CellOutput | undefined>;
  /**
   * Runs a cell's request at several blocks, or at two endpoints; nothing of it stays.
   *
   * @param variables - Win over those of the header.
   */
  compare(
    params: CompareParams,
    signal: AbortSignal,
    variables?: ReadonlyMap<string, JsonValue>,
  ): Promise<CellOutput | undefined>;
  endpoints(uri: string): Promise<EndpointsResult>;
  /** What is wrong with an endpoint that somebody names for a document, by name or address. */
  endpointFault(uri: string, name: string): Promise<EndpointFault | undefined>;
  /** What to write so that an endpoint has a name in the project of a document. */
  addEndpoint(params: AddEndpointParams): Promise<AddEndpointResult>;
  pickEndpoint(uri: string, name: string | null): void;
  trust(): void;
  configure(settings: Settings): void;
}

/** Creates a service. All state is its open documents and their last outcomes. */
export function createService(given: Host): Service {
  const mask = openMask();
  const lines = openLines(given.sockets ?? noSockets, given.clock);
  const streams = openStreams();
  const host: Host = { ...given, transport: withSockets(given.transport, lines), log: maskedLog(given.log, mask) };
  const documents = new Map<string, Document>();
  /** The notebook of each cell document. */
  const owners = new Map<string, string>();
  const routes = openRoutes(host, mask);
  const catalogs = openCatalogs(host);
  const results = openResults();
  const keptRows = openKeptRows(host.clock);
  const tokenNames = openTokenNames(host.clock);
  const contracts = openContracts(host);
  const liveHovers = openLiveHovers(host.clock, routes);
  const watchers = openWatchers(host.clock, lines);
  const watching = openWatching(watchers, routes, (event) => host.ticked?.(mask.value(event)));
  const hinting = { clock: host.clock, routes, watchers, hinted: () => host.hinted?.() };
  const liveHints = openLiveHints(hinting, host.settings);
  const signatures = openSignatures(host);
  const knowing: Knowing = (look) => signatures(() => contracts.knowing(look));
  const scopes = openScopes(routes, catalogs, contracts, results);
  const documentOf = (uri: string): Document | undefined => documents.get(owners.get(uri) ?? uri);
  const { at, within, everywhere } = openLooks(documentOf, scopes);

  /** Of several notebooks, the one that a file beside them goes by. */
  const lastOpened = (): Document | undefined => [...documents.values()].at(-1);
  const forgetCells = (uri: string): void => {
    for (const cell of documents.get(uri)?.uris ?? []) if (owners.get(cell) === uri) owners.delete(cell);
  };
  const keep = (document: Document): void => {
    const { uri, uris, file } = document;
    if (documents.get(uri)?.uris !== uris) {
      forgetCells(uri);
      for (const cell of file ? [] : uris) owners.set(cell, uri);
    }
    documents.set(uri, document);
    routes.follow(document);
    catalogs.follow(document);
    contracts.follow(document);
  };
  /** A notebook that no editor has opened. */
  const fromFile = async (uri: string): Promise<Document | undefined> => {
    const bytes = await host.files.read(uri);
    const decoded = bytes && decodeFile(bytes);
    return decoded && "text" in decoded ? textDocument(uri, decoded.text) : undefined;
  };
  /** Contracts of the workspace are looked for when somebody first wants to know something, and not before. */
  const needContracts = (uri: string): void => {
    const document = documentOf(uri);
    if (document) contracts.need(document);
  };
  const inDocument = <T>(uri: string, look: (document: Document) => readonly T[]): readonly T[] => {
    const document = documentOf(uri);
    return document ? look(document) : [];
  };

  const liveHint = ({ cell, index }: CellPlace, scope: Scope, document: Document): readonly InlayHint[] => {
    const request = index === undefined || !liveHints.isOn(document.uri) ? undefined : backgroundRequest(cell, scope);
    if (!request || index === undefined || !cell.root) return [];
    const label = liveHints.of(request, index, scope.catalog, aroundOf(cell, scope, document, request.called));
    const end = cell.root.offset + cell.root.length;
    return label === undefined ? [] : [{ span: span(end, end), label: mask.text(label), kind: "live" }];
  };

  const close = (uri: string): void => {
    forgetCells(uri);
    documents.delete(uri);
    scopes.forget(uri);
    routes.forget(uri);
    catalogs.forget(uri);
    keptRows.forget(uri);
    liveHints.forget(uri);
    contracts.forget(uri);
  };
  const support: RunSupport = {
    clock: host.clock,
    routes,
    catalogs,
    contracts,
    results,
    keptRows,
    knowing,
    tokenNames,
    mask,
    files: host.files,
    lines,
    streams,
  };
  const runDocument = (
    document: Document,
    ...[params, events, signal, variables = new Map()]: Parameters<Service["run"]>
  ): Promise<RunResult> => runCells(document, params, variables, events, signal, support);

  return {
    openText: (uri, text) => keep(textDocument(uri, text)),
    changeText: (uri, text) => keep(textDocument(uri, text, documents.get(uri))),
    openNotebook: (uri, cells) => keep(notebookDocument(uri, cells)),
    changeNotebook: (uri, cells) => keep(notebookDocument(uri, cells, documents.get(uri))),
    close,
    siblings: (uri) => documentOf(uri)?.uris ?? [uri],
    async settled(uri) {
      const owner = owners.get(uri) ?? uri;
      await Promise.all([routes.settled(owner), catalogs.settled(owner), contracts.settled(owner)]);
    },
    cellIndex(uri, key) {
      const document = documentOf(uri);
      if (!document) return undefined;
      const keys = results.keysOf(document);
      const byName = document.cells.findIndex((cell, index) => nameOf(cell) === key || keys[index] === key);
      if (byName >= 0) return byName;
      const byNumber = /^[1-9]\d*$/.test(key) ? cellNumbers(document.cells).indexOf(Number(key)) : -1;
      return byNumber < 0 ? undefined : byNumber;
    },
    cellCount: (uri) => Math.max(0, ...cellNumbers(documentOf(uri)?.cells ?? [])),
    cellNames: (uri) => documentOf(uri)?.cells.flatMap((cell) => nameOf(cell) ?? []) ?? [],

    knowing,
    abi(uri) {
      needContracts(uri);
      const document = documentOf(uri);
      const cell = document?.header ?? document?.cells[0];
      const around = document && { header: document.header, abis: contracts.known(document) };
      return cell && around && { items: abiItems(cell, around), scope: abiScope(cell, around) };
    },
    completion(uri, offset) {
      needContracts(uri);
      const document = documentOf(uri);
      const found = document && writablePlace(document, uri, offset);
      const inCell = found && toCell(found.place, offset);
      if (!document || !found || inCell === undefined) return [];
      const { place, shape } = found;
      return completion(place.cell, inCell, scopes.of(document).scope, shape).map((one) => ({
        ...moved(one, place),
        ...(one.also && { also: one.also.map((edit) => moved(edit, place)) }),
      }));
    },
    hover(uri, offset) {
      needContracts(uri);
      return at(uri, offset, (place, inCell, scope) => {
        const found = hover(place.cell, inCell, scope);
        return found && moved(found, place);
      });
    },
    async liveHover(uri, offset, signal) {
      const found = at(uri, offset, ({ cell }, inCell, scope, document) => {
        const request = requestAt(cell, inCell, scope);
        const around = aroundOf(cell, scope, document, request?.called);
        return { around, address: addressAt(cell, inCell, scope)?.address, request };
      });
      if (!found) return undefined;
      const { address, request, around } = found;
      const markdown = await (address === undefined
        ? request && liveHovers.simulation(request, around, signal)
        : liveHovers.address(address, around, signal));
      return markdown && mask.text(markdown);
    },
    async watch({ id, uri, address, index }) {
      const document = documentOf(uri);
      const scope = document && scopes.of(document).scope;
      const beside = document ?? lastOpened();
      const labels = beside ? addressNames(scopes.of(beside).scope) : new Map<string, string>();
      const around = { document, uri: document?.uri ?? uri, labels };
      if (address !== undefined) {
        const watched = await watching.address(id, address, around);
        const name = labels.get(address.toLowerCase());
        const result =
          "refused" in watched && beside && !document
            ? await watching.address(id, address, { document: beside, uri: beside.uri, labels })
            : watched;
        return "refused" in result || name === undefined ? result : { ...result, name };
      }
      const cell = document?.cells[index ?? document.placesIn(uri)[0]?.index ?? -1];
      if (!cell || !scope) return { refused: "There is no request here." };
      const requests = requestsOf(cell, scope);
      if ("unsent" in requests) return { refused: requests.unsent };
      const [request, ...more] = requests;
      if (!request || more.length > 0) return { refused: "One request can be watched, not a batch." };
      return watching.request(id, request, scope.catalog, { ...around, cell });
    },
    label({ uri, address, name }) {
      const document = documentOf(uri) ?? lastOpened();
      if (!document) return { refused: "Open a notebook first: names of addresses stand in its header." };
      const wanted = name.trim();
      if (!isAddress(address) || wanted === "") return { refused: "That is no address with a name." };
      const edit = newLabel(address, wanted, scopes.of(document).scope);
      const edits = edit && textEdits(document, [edit]);
      return edits ? { notebook: document.uri, edits } : { refused: "The header of the notebook cannot be added to." };
    },
    unwatch: (id) => watching.remove(id),
    showWatches: (visible) => watching.show(visible),
    async addressHover({ uri, text, offset }, signal) {
      const found = addressIn(text, offset);
      if (!found) return null;
      const beside = lastOpened();
      const scope = beside && scopes.of(beside).scope;
      const names = scope ? addressNames(scope) : new Map<string, string>();
      const { address, span } = found;
      const name = names.get(address.toLowerCase());
      const markdown =
        (await liveHovers.address(address, { document: undefined, uri, names, name }, signal)) ??
        (beside && (await liveHovers.address(address, { document: beside, uri: beside.uri, names, name }, signal)));
      return markdown === undefined
        ? null
        : { address, span, markdown: mask.text(markdown), ...(name !== undefined && { name }) };
    },
    diagnostics(uri) {
      const faults = documentOf(uri)?.faults ?? [];
      const found = everywhere(uri, diagnostics);
      if (found.some(({ code }) => ofAbis.has(code))) needContracts(uri);
      return faults.length === 0 ? found : [...fileDiagnostics(faults), ...found];
    },
    fileDiagnostics: () => endpointDiagnostics(routes.problems()),
    signatureHelp(uri, offset) {
      needContracts(uri);
      return at(uri, offset, ({ cell }, inCell, scope) => signatureHelp(cell, inCell, scope));
    },
    codeActions: (uri, range) =>
      within(uri, range, (place, inCell, scope, document) =>
        codeActions(place.cell, inCell, scope).flatMap(({ edits, fixes, ...action }) => {
          const made = textEdits(document, edits);
          return made ? [{ ...action, ...(fixes && { fixes: moved(fixes, place) }), edits: made }] : [];
        }),
      ),
    inlayHints: (uri, range) =>
      within(uri, range, (place, _, scope, document) =>
        [...inlayHints(place.cell, scope), ...liveHint(place, scope, document)].map((hint) => moved(hint, place)),
      ).filter(({ span }) => range.start <= span.start && span.start <= range.end),
    semanticTokens(uri, range) {
      const found = range
        ? within(uri, range, (place, _, scope) => semanticTokens(place.cell, scope).map((one) => moved(one, place)))
        : everywhere(uri, semanticTokens);
      return documentOf(uri)?.file ? [...found].sort((a, b) => a.span.start - b.span.start) : found;
    },
    symbols: (uri) => [...everywhere(uri, symbolsOfCell, movedSymbol)].sort((a, b) => a.span.start - b.span.start),
    foldingRanges(uri) {
      const file = documentOf(uri)?.file;
      return [...(file ? fileFoldingRanges(file) : []), ...everywhere(uri, foldingRanges)];
    },
    selectionRanges(uri, offset) {
      const inCell =
        at(uri, offset, (place, at) => selectionRanges(place.cell, at).map((one) => toDocument(place, one))) ?? [];
      const file = documentOf(uri)?.file;
      return file ? fileSelectionRanges(file, inCell, offset) : inCell;
    },
    links: (uri) =>
      everywhere(uri, links).flatMap(({ target, ...link }) => {
        const [written, base] = "url" in target ? [target.url] : [target.path, owners.get(uri) ?? uri];
        return URL.canParse(written, base) ? [{ ...link, target: new URL(written, base).href }] : [];
      }),
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
        return found && moved(found, place);
      }),
    rename: (uri, offset, name) =>
      at(uri, offset, ({ cell }, inCell, scope, document) => {
        const edits = rename(cell, inCell, name, scope);
        if ("refused" in edits) return edits;
        return textEdits(document, edits) ?? { refused: "The header cannot be changed here." };
      }) ?? { refused: "There is nothing to rename here." },
    formatting: (uri, options, range) =>
      inDocument(uri, (document) => {
        const edits = document.file
          ? formatFile(document.file, options)
          : document.placesIn(uri).flatMap(({ cell }) => formatCell(cell, options));
        const cells = range && within(uri, range, spansOf);
        const wanted = cells ? edits.filter(({ span }) => cells.some((cell) => touches(cell, span.end))) : edits;
        return wanted.map((edit) => ({ uri, ...edit }));
      }),
    cellAt: (uri, offset) => documentOf(uri)?.placeAt(uri, offset)?.index,
    wireForm(uri, index) {
      needContracts(uri);
      const document = documentOf(uri);
      const cell = document?.cells[index];
      return document && cell && wireForm(cell, scopes.of(document).scope);
    },
    async exported(uri, index, form) {
      const document = documentOf(uri);
      return document && exportOf(document, index, form, scopes.of(document).scope, routes);
    },
    codeLenses: (uri) => everywhere(uri, lensesOfCell),

    async run(params, events, signal, variables) {
      const open = documentOf(params.uri);
      const document = open ?? (await fromFile(params.uri));
      if (!document) return { ok: 0, failed: 0, cancelled: false };
      if (!open) keep(document);
      else liveHints.wake(document.uri);
      try {
        return await runDocument(document, params, events, signal, variables);
      } finally {
        if (!open && documents.get(document.uri) === document) close(document.uri);
      }
    },
    async tests(uri) {
      const document = documentOf(uri) ?? (await fromFile(uri));
      return document ? cellTests(document, results.keysOf(document)) : [];
    },
    stream({ uri, cell, ...control }) {
      const document = documentOf(uri);
      const index = "index" in cell ? cell.index : (document?.placesIn(cell.uri)[0]?.index ?? -1);
      const key = document && results.keysOf(document)[index];
      if (key !== undefined) streams.control(document?.uri ?? uri, key, control);
    },
    staleness(uri) {
      const document = documentOf(uri);
      const place = document?.placesIn(uri)[0];
      if (!document || place?.index === undefined) return undefined;
      const last = scopes.of(document).scope.lastResult(place.cell);
      return last && !last.stale
        ? undefined
        : { label: "stale", why: `This result is stale: ${staleReason(last?.stale)}` };
    },
    rows: async (params, signal) => mask.value(await keptRows.page(params, signal)),
    async probe(uri, endpoint, signal) {
      const document = documentOf(uri);
      return document && probeEndpoint(document, endpoint, signal, { clock: host.clock, routes, mask });
    },
    async compare({ uri, index, offset, ...compared }, signal, variables = new Map()) {
      const document = documentOf(uri);
      const at = index ?? document?.placeAt(uri, offset ?? 0)?.index;
      return document && at !== undefined ? compareCell(document, at, compared, variables, signal, support) : undefined;
    },
    async endpoints(uri) {
      const document = documentOf(uri) ?? (await fromFile(uri));
      return routes.choices(document, document?.uri ?? uri);
    },
    async endpointFault(uri, name) {
      const document = documentOf(uri);
      return document && routes.faultOf(document, name);
    },
    addEndpoint: (params) => addedEndpoint(params, host),
    pickEndpoint: (uri, name) => routes.pick(owners.get(uri) ?? uri, name ?? undefined),
    trust() {
      routes.trust(documents.values());
      catalogs.trust(documents.values());
      contracts.trust(documents.values());
    },
    configure(settings) {
      routes.configure(settings, documents.values());
      liveHints.configure(settings);
      catalogs.configure(settings, documents.values());
      contracts.changed(documents.values());
    },
  };
}

/** @param called - Functions that a request calls: what comes back is read by them first. */
function aroundOf(cell: Cell, scope: Scope, document: Document, called: readonly AbiItem[] = []): Around {
  return {
    document,
    uri: document.uri,
    cell,
    names: addressNames(scope),
    scope: withFunctions(abiScope(cell, scope), called),
    tokens: statedTokens(headerValues(document.header)),
  };
}

/** What contracts of the workspace may mend. */
const ofAbis: ReadonlySet<string> = new Set(["unknown-function", "unknown-event"]);

const lensesOfCell: CellFeature<CodeLens> = (cell, scope, index) =>
  index === undefined ? [] : codeLenses(cell, scope, index);

/** Something found in a cell, with its span in the document. */
function moved<Found extends { readonly span: Span }>(found: Found, place: CellPlace): Found {
  return { ...found, span: toDocument(place, found.span) };
}

/** Where a cell's text stands in its document; the header of a file stands around the cells. */
function spansOf({ at, cell }: CellPlace): readonly Span[] {
  if (typeof at === "number") return [{ start: at, end: at + cell.text.length }];
  const { span, cut } = at;
  return [
    { start: span.start, end: cut.start },
    { start: cut.end, end: span.end },
  ];
}

const symbolsOfCell: CellFeature<DocumentSymbol> = (cell, scope, index) =>
  symbols(cell, index === undefined ? undefined : cellNumbers(scope.cells)[index], scope);

function movedSymbol(symbol: DocumentSymbol, place: CellPlace): DocumentSymbol {
  return {
    ...moved(symbol, place),
    selection: toDocument(place, symbol.selection),
    children: symbol.children.map((child) => movedSymbol(child, place)),
  };
}
