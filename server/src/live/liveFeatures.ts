import { withWritten } from "../abi/abiScope.ts";
import { type AbiItem, selectorOf } from "../abi/item.ts";
import { abiScope } from "../analysis/abi.ts";
import { sentAlong } from "../analysis/order.ts";
import type { Scope } from "../analysis/scope.ts";
import { isAddress, passesForAddress } from "../base/hex.ts";
import { joined, type Markdown, masked, markdown as md } from "../base/markdown.ts";
import type { Mask } from "../base/mask.ts";
import { memoByObject } from "../base/memo.ts";
import { span } from "../base/span.ts";
import { brief } from "../base/text.ts";
import type { AnalysisContexts } from "../editor/analysisContexts.ts";
import type { CellQueries } from "../editor/cellQueries.ts";
import { labelEdits } from "../editor/labelEdits.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import { addressAt } from "../features/addressAt.ts";
import { addressNames } from "../features/addressNames.ts";
import { backgroundRequest, isCallData, isHandle } from "../features/backgroundRequest.ts";
import type { InlayHint } from "../features/inlayHints.ts";
import { requestsOf } from "../features/wireForm.ts";
import type { Cell } from "../notebook/cell.ts";
import { headerValues } from "../notebook/header.ts";
import type { AddressParams, AddressResult, LabelParams, WatchParams, WatchResult } from "../protocol/background.ts";
import type { RunSupport } from "../run/documentRun.ts";
import { statedTokens } from "../run/observe/runTokens.ts";
import type { CellPlace, Document, TextEdit } from "../workspace/documents.ts";
import type { WorkspaceHost } from "../workspace/host.ts";
import { withContractNames } from "../workspace/labelFiles.ts";
import type { OpenDocuments } from "../workspace/openDocuments.ts";
import { addressIn } from "./address.ts";
import { assumedRequest } from "./assumedRequest.ts";
import { LiveHints } from "./liveHints.ts";
import { LiveHovers, type RequestContext } from "./liveHovers.ts";
import { openPollScheduler } from "./pollScheduler.ts";
import { WatchList } from "./watchList.ts";

/** Features of an editor that ask the chain without a run. */
export interface LiveFeatures {
  /** Polls an address or a cell, and reports changes to the host. */
  watch(params: WatchParams): Promise<WatchResult>;
  unwatch(id: string): void;
  /** Returns the edits that name an address in the header of a notebook: the last opened one for any other file. */
  label(params: LabelParams): LabelEdits;
  /** Polls watches only while they are visible. */
  showWatches(visible: boolean): void;
  /**
   * Returns what the chain says now about the address or the request at an offset.
   *
   * @returns `undefined` if there is neither, or no request may be sent.
   */
  liveHover(uri: string, offset: number, signal: AbortSignal): Promise<Markdown | undefined>;
  /** Whether the call at a place, or what it signs, has no words of a descriptor. Sends nothing. */
  lacksWords(uri: string, offset: number): Promise<boolean>;
  /** Returns the same for an address in a file that is not a notebook. */
  addressHover(params: AddressParams, signal: AbortSignal): Promise<AddressResult>;
}

type LabelEdits =
  | { readonly notebook: string; readonly edits: readonly TextEdit[] }
  | { readonly notebook: string; readonly header: string }
  | { readonly refused: string };

/** Live features for the rest of the service. */
interface OpenLiveFeatures extends LiveFeatures {
  /** Returns the hint behind a cell with what its request would give now. */
  hintOf(place: CellPlace, scope: Scope, document: Document): readonly InlayHint[];
  readonly hints: LiveHints;
}

/** The parts of the service that live features need. */
interface LiveHost {
  readonly host: WorkspaceHost;
  readonly support: RunSupport;
  readonly documents: OpenDocuments;
  readonly contexts: AnalysisContexts;
  readonly queries: CellQueries;
}

export function openLiveFeatures(live: LiveHost): OpenLiveFeatures {
  const { host } = live;
  const { clock, routes, mask } = live.support;
  const hovers = new LiveHovers({ ...live.support, readCode: host.readCode });
  const scheduler = openPollScheduler(clock);
  const watchList = new WatchList(scheduler, routes, mask, (event) => host.watchesChanged?.(mask.value(event)));
  const hints = new LiveHints({ clock, routes, scheduler, hinted: () => host.hinted?.() }, host.settings);
  return {
    watch: (params) => watch(params, watchList, live),
    unwatch: (id) => watchList.remove(id),
    label: (params) => label(params, live),
    showWatches: (visible) => watchList.show(visible),
    liveHover: (uri, offset, signal) => liveHover(uri, offset, signal, hovers, live),
    lacksWords: (uri, offset) => lacksWords(uri, offset, hovers, live),
    addressHover: (params, signal) => addressHover(params, signal, hovers, live),
    hintOf: (place, scope, document) => hintOf(place, scope, document, hints, mask),
    hints,
  };
}

async function watch(
  { id, uri, address, index }: WatchParams,
  watchList: WatchList,
  live: LiveHost,
): Promise<WatchResult> {
  const { documents, contexts } = live;
  const document = documents.of(uri);
  if (address !== undefined) return watchAddress({ id, uri, address }, watchList, live);
  const cell = document?.cells[index ?? document.placesIn(uri)[0]?.index ?? -1];
  if (!document || !cell) return { refused: "There is no request here." };
  const { scope } = contexts.of(document);
  if (sentAlong([cell], scope.cells).length > 0)
    return { refused: "A request that sends a secret or a value of the environment cannot be watched." };
  const requests = requestsOf(cell, scope);
  if ("unsent" in requests) return { refused: requests.unsent };
  const [request, ...more] = requests;
  if (!request || more.length > 0) return { refused: "One request can be watched, not a batch." };
  return watchList.addRequest(id, request, scope.catalog, contextOf(cell, scope, document));
}

/** Watches an address by the endpoint of its file. For a file that is not a notebook, tries the last opened one too. */
async function watchAddress(
  { id, uri, address }: { readonly id: string; readonly uri: string; readonly address: string },
  watchList: WatchList,
  live: LiveHost,
): Promise<WatchResult> {
  const document = live.documents.of(uri);
  const notebook = document ?? live.documents.lastOpened();
  const first = await watchList.addAddress(id, address, { document, uri: document?.uri ?? uri, names: noNames });
  const result =
    "refused" in first && notebook && !document
      ? await watchList.addAddress(id, address, { document: notebook, uri: notebook.uri, names: noNames })
      : first;
  const names = document ? addressNames(live.contexts.of(document).scope) : await namesFor(uri, live);
  const name = names.get(address.toLowerCase());
  return "refused" in result || name === undefined ? result : { ...result, name };
}

const noNames: ReadonlyMap<string, string> = new Map();

function label({ uri, address, name }: LabelParams, { documents, contexts }: LiveHost): LabelEdits {
  const document = documents.of(uri) ?? documents.lastOpened();
  if (!document) return { refused: "Open a notebook first: its header keeps the names of addresses." };
  const trimmed = name.trim();
  if (!isAddress(address)) return { refused: "Not an address." };
  if (trimmed === "") return { refused: "A label needs a name." };
  if (passesForAddress(trimmed)) return { refused: "A label cannot look like an address." };
  const made = labelEdits(document, contexts.of(document).scope, address, trimmed);
  if (!made) return { refused: "The label cannot be added: the header has a mistake." };
  return "header" in made ? { notebook: document.uri, ...made } : { notebook: document.uri, edits: made };
}

async function liveHover(
  uri: string,
  offset: number,
  signal: AbortSignal,
  hovers: LiveHovers,
  live: LiveHost,
): Promise<Markdown | undefined> {
  const { mask } = live.support;
  const target = targetAt(uri, offset, live);
  if (!target) return undefined;
  const { cell, scope, document, address } = target;
  const request =
    target.isHandle && address === undefined ? await requestOf(cell, scope, document, live, signal) : undefined;
  const readyOrLive = request ?? (target.isHandle || target.isCallData ? readyRequest(cell, scope) : undefined);
  const context = contextOf(cell, scope, document, readyOrLive?.called);
  const asked =
    address === undefined
      ? request && hovers.simulation(request, context, signal)
      : hovers.address(address, context, signal);
  const parts = await Promise.all([readyOrLive && hovers.words(readyOrLive, context), asked]);
  const shown = parts.filter((part) => part !== undefined);
  return shown.length === 0 ? undefined : masked(joined(shown, "\n\n"), mask);
}

function targetAt(uri: string, offset: number, { queries }: LiveHost) {
  return queries.at(uri, offset, ({ cell }, inCell, scope, document) => {
    const address = addressAt(cell, inCell, scope)?.address;
    const place = { isHandle: isHandle(cell, inCell, scope), isCallData: isCallData(cell, inCell, scope) };
    return { cell, scope, document, address, ...place };
  });
}

async function lacksWords(uri: string, offset: number, hovers: LiveHovers, live: LiveHost): Promise<boolean> {
  const target = targetAt(uri, offset, live);
  if (!target || !(target.isHandle || target.isCallData)) return false;
  const { cell, scope, document } = target;
  const request = readyRequest(cell, scope);
  return request !== undefined && hovers.lacksWords(request, contextOf(cell, scope, document, request.called));
}

/** Returns the request of a cell; `undefined` if it cannot be sent without a run. */
async function requestOf(
  cell: Cell,
  scope: Scope,
  document: Document,
  { support }: LiveHost,
  signal: AbortSignal,
): Promise<EvaluatedRequest | undefined> {
  if (cell.directives.has("assume")) return assumedRequest(cell, scope, document, support, signal);
  return readyRequest(cell, scope);
}

/** Returns the request of a cell if nothing has to be asked before it. */
function readyRequest(cell: Cell, scope: Scope): EvaluatedRequest | undefined {
  const request = backgroundRequest(cell, scope);
  return request && "text" in request ? request : undefined;
}

async function addressHover(
  { uri, text, offset }: AddressParams,
  signal: AbortSignal,
  hovers: LiveHovers,
  live: LiveHost,
): Promise<AddressResult> {
  const target = addressIn(text, offset);
  if (!target) return null;
  const notebook = live.documents.lastOpened();
  const names = await namesFor(uri, live);
  const { address, span } = target;
  const name = names.get(address.toLowerCase());
  const declared = notebook && selectorsIn(live.support.contracts.of(notebook).contracts);
  const known = { names, name, declares: declared && ((selector: string) => declared.has(selector)) };
  const markdown =
    (await hovers.address(address, { document: undefined, uri, ...known }, signal)) ??
    (notebook && (await hovers.address(address, { document: notebook, uri: notebook.uri, ...known }, signal)));
  const found = { address, span, ...(name !== undefined && { name }) };
  if (markdown !== undefined) return { ...found, markdown: masked(markdown, live.support.mask) };
  const client = await live.support.routes.backgroundClient(undefined, uri);
  const isUnchosen = "silent" in client && client.silent === "no-endpoint" && !signal.aborted;
  return isUnchosen ? { ...found, markdown: noMarkdown, needsEndpoint: true } : null;
}

/**
 * Returns the names of addresses for a file that is not a notebook: those of the notebook that was open last, and of
 * label files around either of the two.
 */
async function namesFor(uri: string, { host, support, documents }: LiveHost): Promise<ReadonlyMap<string, string>> {
  if (!host.trusted) return noNames;
  const notebook = await documents.lastNotebook(host.lastNotebook);
  const around = await Promise.all([uri, notebook?.uri ?? uri].map((each) => support.labelFiles.ready(each)));
  const fromFiles = new Map(around.flatMap((each) => [...each]));
  const labels = notebook ? withContractNames(fromFiles, support.contracts.of(notebook)) : fromFiles;
  return addressNames({ header: notebook?.header, variables: headerValues(notebook?.header).variables, labels });
}

const noMarkdown = md``;

const selectorsIn = memoByObject(
  (items: readonly AbiItem[]): ReadonlySet<string> =>
    new Set(items.filter(({ kind }) => kind === "function").map(selectorOf)),
);

function hintOf(
  { cell, index }: CellPlace,
  scope: Scope,
  document: Document,
  hints: LiveHints,
  mask: Mask,
): readonly InlayHint[] {
  const request = index === undefined || !hints.isOn(document.uri) ? undefined : readyRequest(cell, scope);
  if (!request || index === undefined || !cell.root) return [];
  const text = hints.of(request, index, scope.catalog, contextOf(cell, scope, document, request.called));
  const end = cell.root.offset + cell.root.length;
  return text === undefined ? [] : [{ span: span(end, end), label: brief(mask.text(text), 60), kind: "live" }];
}

/** @param called - Functions that the request calls, which decode its result first. */
function contextOf(cell: Cell, scope: Scope, document: Document, called: readonly AbiItem[] = []): RequestContext {
  const header = headerValues(document.header);
  const abis = abiScope(cell, scope);
  return {
    document,
    uri: document.uri,
    cell,
    names: addressNames(scope),
    declares: (selector) => abis.functions(selector).length > 0,
    scope: withWritten(abis, called),
    tokens: statedTokens(header),
    chainId: scope.endpoint?.chainId ?? header.chainId,
  };
}
