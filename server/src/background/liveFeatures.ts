import { withFunctions } from "../abi/abiScope.ts";
import type { AbiItem } from "../abi/item.ts";
import { abiScope } from "../analysis/abi.ts";
import type { Scope } from "../analysis/scope.ts";
import { sentAlong } from "../analysis/sentAlong.ts";
import { isAddress } from "../base/hex.ts";
import { type Markdown, masked } from "../base/markdown.ts";
import type { Mask } from "../base/mask.ts";
import { span } from "../base/span.ts";
import { brief } from "../base/text.ts";
import type { AnalysisContexts } from "../editor/analysisContexts.ts";
import type { CellQueries } from "../editor/cellQueries.ts";
import { statedTokens } from "../execution/runCells.ts";
import { addressAt } from "../features/addressAt.ts";
import { addressNames } from "../features/addressNames.ts";
import type { InlayHint } from "../features/inlayHints.ts";
import { backgroundRequest, requestAt } from "../features/requestAt.ts";
import { newLabel } from "../features/variables.ts";
import { requestsOf } from "../features/wireForm.ts";
import { addressIn } from "../live/addressIn.ts";
import { openPollSchedulers } from "../live/pollSchedulers.ts";
import type { Cell } from "../notebook/cell.ts";
import { headerValues } from "../notebook/header.ts";
import type { AddressParams, AddressResult, LabelParams, WatchParams, WatchResult } from "../protocol/background.ts";
import type { SocketPool } from "../rpc/socketPool.ts";
import { type CellPlace, type Document, type TextEdit, textEdits } from "../workspace/documents.ts";
import type { Host } from "../workspace/host.ts";
import type { Routes } from "../workspace/routes.ts";
import type { SignatureTable } from "../workspace/signatures.ts";
import { type LiveHints, openLiveHints } from "./liveHints.ts";
import { type HoverContext, openLiveHovers } from "./liveHovers.ts";
import { openWatchList } from "./watchList.ts";

/** What is asked of the chain for an editor without a run. */
export interface LiveFeatures {
  /** Looks at an address or a cell again and again, and tells the host of it. */
  watch(params: WatchParams): Promise<WatchResult>;
  unwatch(id: string): void;
  /** What gives an address a name in the header of a notebook; that of the last one opened for any other file. */
  label(
    params: LabelParams,
  ): { readonly notebook: string; readonly edits: readonly TextEdit[] } | { readonly refused: string };
  /** Nothing is asked while nobody looks. */
  showWatches(visible: boolean): void;
  /** What the chain says now of the address under the cursor, `undefined` where nothing may be asked. */
  liveHover(uri: string, offset: number, signal: AbortSignal): Promise<Markdown | undefined>;
  /** The same for a file that is no notebook. */
  addressHover(params: AddressParams, signal: AbortSignal): Promise<AddressResult>;
}

/** The same as the rest of the service sees it. */
interface OpenLiveFeatures extends LiveFeatures {
  /** What stands behind a cell for what its request would give now. */
  hintOf(place: CellPlace, scope: Scope, document: Document): readonly InlayHint[];
  readonly hints: Pick<LiveHints, "wake" | "forget" | "configure">;
}

interface LiveHost {
  readonly host: Host;
  readonly routes: Routes;
  readonly scopes: AnalysisContexts;
  readonly signatures: SignatureTable;
  readonly lines: SocketPool;
  readonly mask: Mask;
  readonly looks: Pick<CellQueries, "at">;
  documentOf(uri: string): Document | undefined;
  /** Of several notebooks, the one that a file beside them goes by. */
  lastOpened(): Document | undefined;
}

export function openLiveFeatures({
  host,
  routes,
  scopes,
  signatures,
  lines,
  mask,
  looks: { at },
  documentOf,
  lastOpened,
}: LiveHost): OpenLiveFeatures {
  const liveHovers = openLiveHovers(host.clock, routes, signatures);
  const watchers = openPollSchedulers(host.clock, lines);
  const watching = openWatchList(watchers, routes, mask, (event) => host.ticked?.(mask.value(event)));
  const hinting = { clock: host.clock, routes, watchers, hinted: () => host.hinted?.() };
  const liveHints = openLiveHints(hinting, host.settings);
  return {
    async watch({ id, uri, address, index }) {
      const document = documentOf(uri);
      const scope = document && scopes.of(document).scope;
      const beside = document ?? lastOpened();
      const names = beside ? addressNames(scopes.of(beside).scope) : new Map<string, string>();
      const around = { document, uri: document?.uri ?? uri, names };
      if (address !== undefined) {
        const watched = await watching.address(id, address, around);
        const name = names.get(address.toLowerCase());
        const result =
          "refused" in watched && beside && !document
            ? await watching.address(id, address, { document: beside, uri: beside.uri, names })
            : watched;
        return "refused" in result || name === undefined ? result : { ...result, name };
      }
      const cell = document?.cells[index ?? document.placesIn(uri)[0]?.index ?? -1];
      if (!cell || !scope) return { refused: "There is no request here." };
      if (sentAlong([cell], scope.cells).length > 0)
        return { refused: "A request that sends a secret or a value of the environment cannot be watched." };
      const requests = requestsOf(cell, scope);
      if ("unsent" in requests) return { refused: requests.unsent };
      const [request, ...more] = requests;
      if (!request || more.length > 0) return { refused: "One request can be watched, not a batch." };
      return watching.request(id, request, scope.catalog, aroundOf(cell, scope, document));
    },
    unwatch: (id) => watching.remove(id),
    label({ uri, address, name }) {
      const document = documentOf(uri) ?? lastOpened();
      if (!document) return { refused: "Open a notebook first: names of addresses stand in its header." };
      const wanted = name.trim();
      if (!isAddress(address)) return { refused: "That is no address." };
      if (wanted === "") return { refused: "A label needs a name." };
      const edit = newLabel(address, wanted, scopes.of(document).scope);
      const edits = edit && textEdits(document, [edit]);
      return edits
        ? { notebook: document.uri, edits }
        : { refused: "The label has no place: the notebook has no header, or there is a mistake in it." };
    },
    showWatches: (visible) => watching.show(visible),
    async liveHover(uri, offset, signal) {
      const found = at(uri, offset, ({ cell }, inCell, scope, document) => {
        const request = requestAt(cell, inCell, scope);
        const around = aroundOf(cell, scope, document, request?.called);
        return { around, address: addressAt(cell, inCell, scope)?.address, request };
      });
      if (!found) return undefined;
      const { address, request, around } = found;
      const shown = await (address === undefined
        ? request && liveHovers.simulation(request, around, signal)
        : liveHovers.address(address, around, signal));
      return shown && masked(shown, mask);
    },
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
        : { address, span, markdown: masked(markdown, mask), ...(name !== undefined && { name }) };
    },
    hintOf({ cell, index }, scope, document) {
      const request = index === undefined || !liveHints.isOn(document.uri) ? undefined : backgroundRequest(cell, scope);
      if (!request || index === undefined || !cell.root) return [];
      const said = liveHints.of(request, index, scope.catalog, aroundOf(cell, scope, document, request.called));
      const end = cell.root.offset + cell.root.length;
      return said === undefined ? [] : [{ span: span(end, end), label: brief(mask.text(said), 60), kind: "live" }];
    },
    hints: liveHints,
  };
}

/** @param called - Functions that a request calls: what comes back is read by them first. */
function aroundOf(cell: Cell, scope: Scope, document: Document, called: readonly AbiItem[] = []): HoverContext {
  return {
    document,
    uri: document.uri,
    cell,
    names: addressNames(scope),
    scope: withFunctions(abiScope(cell, scope), called),
    tokens: statedTokens(headerValues(document.header)),
  };
}
