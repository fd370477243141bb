import { isAddress } from "../base/hex.ts";
import type { Mask } from "../base/mask.ts";
import { brief } from "../base/text.ts";
import { formatDuration } from "../base/units.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { isHarmless } from "../catalog/effects.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { BackgroundClient } from "../live/backgroundClient.ts";
import type { Tick, Watch } from "../live/pollScheduler.ts";
import type { PollSchedulers } from "../live/pollSchedulers.ts";
import { tokensCalled } from "../live/simulateWithFallback.ts";
import { balanceWatch, requestWatch, sparkline, type WatchNaming } from "../live/watchItems.ts";
import type { Ticked, WatchResult } from "../protocol/background.ts";
import type { Cadence } from "../rpc/cadence.ts";
import type { Routes } from "../workspace/routes.ts";
import type { SimulatedBeside } from "./liveHovers.ts";

/** What is watched, at whatever endpoints. */
export interface WatchList {
  address(id: string, address: string, around: SimulatedBeside): Promise<WatchResult>;
  request(
    id: string,
    request: EvaluatedRequest,
    catalog: Catalog,
    around: SimulatedBeside & WatchNaming,
  ): Promise<WatchResult>;
  remove(id: string): void;
  /** @param visible - Whether anybody looks. */
  show(visible: boolean): void;
}

/** Values of which the course is shown. */
const mostValues = 24;

export function openWatchList(
  watchers: PollSchedulers,
  routes: Pick<Routes, "asker">,
  mask: Mask,
  ticked: (event: Ticked) => void,
): WatchList {
  const watched = new Map<string, { readonly asker: BackgroundClient; readonly watch: Watch }>();
  const courses = new Map<string, bigint[]>();
  /** Those that wait to be told where to ask; the latest of each id counts. */
  const beginning = new Map<string, AbortController>();
  let visible = true;

  const tell = ({ endpoint, cadence }: BackgroundClient, { at, head, sinceLast, silent, changed }: Tick): void =>
    ticked({
      at,
      endpoint: endpoint.name,
      ...(head !== undefined && { head: head.toString() }),
      ...(sinceLast !== undefined && { sinceLast }),
      cadence: cadenceText(cadence()),
      ...(silent !== undefined && { silent }),
      changed: changed.map(({ id, reading: { value, detail, ok, amount } }) => {
        const course = courses.get(id) ?? [];
        if (amount !== undefined) course.push(amount);
        if (course.length > mostValues) course.shift();
        courses.set(id, course);
        const shown = brief(mask.text(value), 120); // in this order: a part of what is masked is not known as such
        return { id, value: shown, ok, spark: sparkline(course), ...(detail !== undefined && { detail }) };
      }),
    });
  const group = watchers.group(tell);
  const add = async (
    id: string,
    { document, uri, cell }: SimulatedBeside,
    watchAt: (asker: BackgroundClient, signal: AbortSignal) => Watch | Promise<Watch>,
  ): Promise<WatchResult> => {
    const beginsNow = new AbortController();
    beginning.get(id)?.abort();
    beginning.set(id, beginsNow);
    const { signal } = beginsNow;
    const asker = await routes.asker(document, uri, cell);
    const watch = "silent" in asker || signal.aborted ? undefined : await watchAt(asker, signal);
    if (beginning.get(id) === beginsNow) beginning.delete(id);
    if ("silent" in asker) return { refused: refusals[asker.silent] };
    if (!watch || signal.aborted) return { endpoint: asker.endpoint.name };
    courses.delete(id);
    watched.set(id, { asker, watch });
    if (visible) group.add(asker, watch);
    return { endpoint: asker.endpoint.name };
  };
  return {
    address: async (id, address, around) =>
      isAddress(address) ? add(id, around, () => balanceWatch(id, address)) : { refused: "Not an address." },
    request: async (id, request, catalog, around) => {
      const effect = catalog.methodNamed(request.method)?.effect;
      if (effect === undefined || !isHarmless(effect))
        return { refused: "Only requests that read or simulate can be watched." };
      return add(id, around, async (asker, signal) => {
        const isCall = request.method === "eth_call";
        const tokens = isCall ? await tokensCalled(request.params, around, asker, signal) : around.tokens;
        return requestWatch(id, request, { ...around, tokens });
      });
    },
    remove(id) {
      beginning.get(id)?.abort();
      beginning.delete(id);
      watched.delete(id);
      courses.delete(id);
      group.remove(id);
    },
    show(now) {
      if (visible === now) return;
      visible = now;
      for (const [id, { asker, watch }] of watched) {
        if (now) group.add(asker, watch);
        else group.remove(id);
      }
    },
  };
}

/** In a few words: how new state comes. */
function cadenceText({ kind, periodMs, blockMs }: Cadence): string {
  if (kind === "pre-confirmed") return `pre-confirmed, every ${formatDuration(Math.round(periodMs))}`;
  if (blockMs === undefined) return "";
  const rounded = blockMs < 1000 ? Math.round(blockMs / 50) * 50 : Math.round(blockMs / 1000) * 1000;
  return `a block every ${formatDuration(rounded)}`;
}

const refusals = {
  untrusted: "Nothing is watched in a workspace that is not trusted.",
  "no-endpoint": "Choose an endpoint first.",
  "not-approved": "Run a cell first: nobody has allowed requests to this host yet.",
} as const;
