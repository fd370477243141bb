import { type LiveFeatures, openLiveFeatures } from "../background/liveFeatures.ts";
import type { JsonValue } from "../base/json.ts";
import { masked } from "../base/markdown.ts";
import { type Mask, openMask } from "../base/mask.ts";
import { openAnalysisContexts } from "../editor/analysisContexts.ts";
import { openCellQueries } from "../editor/cellQueries.ts";
import { type LanguageFeatures, openLanguageFeatures } from "../editor/languageFeatures.ts";
import type { EndpointFault } from "../endpoints/resolve.ts";
import { cellTests } from "../execution/cellTests.ts";
import { compareCell } from "../execution/compareCell.ts";
import { auditEndpoint, probeEndpoint } from "../execution/probeEndpoint.ts";
import { openResults } from "../execution/results.ts";
import { openRowStore } from "../execution/rowStore.ts";
import { type RunEvents, type RunSupport, runCells } from "../execution/runCells.ts";
import { openStreams } from "../execution/streams.ts";
import { staleReason } from "../features/staleness.ts";
import { writingIf } from "../files/updateFile.ts";
import type { Audit } from "../live/audit.ts";
import { decodeFile } from "../notebook/bytes.ts";
import { cellNumbers } from "../notebook/number.ts";
import type { AddEndpointParams, AddEndpointResult, CompareParams, EndpointsResult } from "../protocol/endpoints.ts";
import type { CellTest, RowsParams, RowsResult, RunParams, RunResult, StreamControl } from "../protocol/runs.ts";
import type { Settings } from "../protocol/settings.ts";
import type { CellOutput } from "../report/cellOutput.ts";
import { noSockets, openSocketPool, withSockets } from "../rpc/socketPool.ts";
import { maskedLog } from "../run/maskRun.ts";
import { nameOf } from "../run/plan.ts";
import { openTokenNames } from "../run/tokens.ts";
import { type Document, type NotebookCellText, notebookDocument, textDocument } from "../workspace/documents.ts";
import type { Host } from "../workspace/host.ts";
import { openOpenrpcCatalogs } from "../workspace/openrpcCatalogs.ts";
import { openContracts } from "../workspace/projectContracts.ts";
import { openRoutes } from "../workspace/routes.ts";
import { saveEndpoint } from "../workspace/saveEndpoint.ts";
import { openSignatures } from "../workspace/signatures.ts";

/**
 * The façade: documents in, features and runs out. URIs name text documents, notebooks and cell documents alike;
 * offsets and spans count UTF-16 code units from the start of the document named.
 */
export interface Service extends LanguageFeatures, LiveFeatures {
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
  /** The last pass over a text that leaves: values of the host are hidden in it. */
  hidden(text: string): string;
  /**
   * Waits for what stands beside a newly opened document, one second at most.
   *
   * @returns `undefined` if it is known; else whether it is in the end.
   */
  opening(uri: string): Promise<boolean> | undefined;
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
   * Holds what an endpoint shows as pre-confirmed against what is sealed.
   *
   * @param forMs - Milliseconds.
   * @param progress - Called after each sealed block, with what was found until then.
   */
  audit(
    uri: string,
    options: { readonly endpoint?: string | undefined; readonly forMs: number },
    signal: AbortSignal,
    progress?: (found: Audit) => void,
  ): Promise<CellOutput | undefined>;
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
  /** Lets requests of a document go to an endpoint that a person names by hand, or says what is wrong with it. */
  chooseEndpoint(uri: string, name: string): Promise<EndpointFault | undefined>;
  /** Gives an endpoint a name in the project of a document. */
  addEndpoint(params: AddEndpointParams): Promise<AddEndpointResult>;
  pickEndpoint(uri: string, name: string | null): void;
  trust(): void;
  configure(settings: Settings): void;
}

/** Characters beyond which an edit is read when something is asked of the text, and not at once. */
const longText = 500_000;

/** Creates a service. All state is its open documents and their last outcomes. */
export function createService(given: Host): Service {
  const mask = openMask();
  const lines = openSocketPool(given.sockets ?? noSockets, given.clock);
  const streams = openStreams();
  const host: Host = { ...given, transport: withSockets(given.transport, lines), log: maskedLog(given.log, mask) };
  const documents = new Map<string, Document>();
  /** The notebook of each cell document. */
  const owners = new Map<string, string>();
  const routes = openRoutes(host, mask);
  const catalogs = openOpenrpcCatalogs(host);
  const results = openResults();
  const keptRows = openRowStore(host.clock);
  const tokenNames = openTokenNames(host.clock);
  const signatures = openSignatures(host);
  const contracts = openContracts(host, signatures);
  const scopes = openAnalysisContexts(routes, catalogs, contracts, results);
  /** The newest text of long files that were edited and not looked at since: many edits cost one reading. */
  const edited = new Map<string, string>();
  const readEdited = (uri: string): void => {
    const text = edited.get(uri);
    if (text !== undefined && edited.delete(uri)) keep(textDocument(uri, text, documents.get(uri)));
  };
  const documentOf = (uri: string): Document | undefined => {
    const owner = owners.get(uri) ?? uri;
    readEdited(owner);
    return documents.get(owner);
  };
  const looks = openCellQueries(documentOf, scopes);
  const lastOpened = (): Document | undefined => [...documents.values()].at(-1);
  const live = openLiveFeatures({ host, routes, scopes, signatures, lines, mask, looks, documentOf, lastOpened });
  const { hintOf, hints, ...liveFeatures } = live;
  const ownerOf = (uri: string): string => owners.get(uri) ?? uri;
  const language = openLanguageFeatures({ documentOf, ownerOf, looks, scopes, contracts, signatures, routes, hintOf });

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

  const close = (uri: string): void => {
    forgetCells(uri);
    edited.delete(uri);
    documents.delete(uri);
    scopes.forget(uri);
    routes.forget(uri);
    catalogs.forget(uri);
    keptRows.forget(uri);
    hints.forget(uri);
    contracts.forget(uri);
  };
  let { trusted } = host;
  const support: RunSupport = {
    clock: host.clock,
    routes,
    catalogs,
    contracts,
    signatures,
    results,
    keptRows,
    tokenNames,
    mask,
    files: writingIf(() => trusted, host.files),
    roots: host.roots,
    lines,
    streams,
  };
  const runDocument = (
    document: Document,
    ...[params, events, signal, variables = new Map()]: Parameters<Service["run"]>
  ): Promise<RunResult> => runCells(document, params, variables, events, signal, support);

  return {
    ...language,
    ...liveFeatures,
    ...maskedFeatures(language, mask),
    hidden: mask.text,
    openText(uri, text) {
      edited.delete(uri);
      keep(textDocument(uri, text));
    },
    changeText(uri, text) {
      edited.set(uri, text);
      if (text.length <= longText) readEdited(uri);
    },
    openNotebook: (uri, cells) => keep(notebookDocument(uri, cells)),
    changeNotebook: (uri, cells) => keep(notebookDocument(uri, cells, documents.get(uri))),
    close,
    siblings: (uri) => documentOf(uri)?.uris ?? [uri],
    opening(uri) {
      const first = routes.first(ownerOf(uri));
      const patience = new AbortController();
      const late = (): Promise<boolean> => host.clock.sleep(1_000, patience.signal).then(() => false);
      return first && Promise.race([first.then(() => true), late()]).finally(() => patience.abort());
    },
    async settled(uri) {
      const owner = ownerOf(uri);
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
    async run(params, events, signal, variables) {
      const open = documentOf(params.uri);
      const document = open ?? (await fromFile(params.uri));
      if (!document) return { ok: 0, failed: 0, cancelled: false };
      if (!open) keep(document);
      else hints.wake(document.uri);
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
    async audit(uri, { endpoint, forMs }, signal, progress) {
      const document = documentOf(uri);
      const support = { clock: host.clock, routes, mask, lines, progress };
      return document && auditEndpoint(document, { endpoint, forMs }, signal, support);
    },
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
    async chooseEndpoint(uri, name) {
      const document = documentOf(uri);
      return document && routes.choose(document, name);
    },
    addEndpoint: (params) => saveEndpoint(params, host),
    pickEndpoint: (uri, name) => routes.pick(ownerOf(uri), name ?? undefined),
    trust() {
      trusted = true;
      routes.trust(documents.values());
      catalogs.trust(documents.values());
      contracts.trust(documents.values());
    },
    configure(settings) {
      routes.configure(settings, documents.values());
      hints.configure(settings);
      catalogs.configure(settings, documents.values());
      contracts.changed(documents.values());
    },
  };
}

/** What an editor shows of a document without having run it, after the last pass. Edits stay as they are. */
function maskedFeatures(language: LanguageFeatures, mask: Mask) {
  const said = <One extends { readonly message: string }>(found: readonly One[]): readonly One[] =>
    mask.isEmpty ? found : found.map((one) => ({ ...one, message: mask.text(one.message) }));
  return {
    hover(uri, offset) {
      const found = language.hover(uri, offset);
      return found && (mask.isEmpty ? found : { ...found, markdown: masked(found.markdown, mask) });
    },
    diagnostics: (uri) => said(language.diagnostics(uri)),
    fileDiagnostics: () => said(language.fileDiagnostics()),
    inlayHints(uri, range) {
      const found = language.inlayHints(uri, range);
      return mask.isEmpty ? found : found.map((hint) => ({ ...hint, label: mask.text(hint.label) }));
    },
    async exported(...given) {
      const made = await language.exported(...given);
      return made && { ...made, text: mask.text(made.text) };
    },
  } satisfies Partial<LanguageFeatures>;
}
