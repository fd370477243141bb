import { isAddress } from "../base/hex.ts";
import type { Mask } from "../base/mask.ts";
import { brief } from "../base/text.ts";
import { formatDuration } from "../base/units.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { isHarmless } from "../catalog/effects.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { BackgroundClient } from "../gate/backgroundClient.ts";
import type { WatchesChanged, WatchResult } from "../protocol/background.ts";
import type { Cadence } from "../rpc/cadence.ts";
import type { Routes } from "../workspace/routes.ts";
import type { BackgroundContext } from "./liveHovers.ts";
import type { PollScheduler, Tick, WatchGroup } from "./pollScheduler.ts";
import { tokensCalled } from "./simulation.ts";
import { balanceWatch, requestWatch, type Watch, type WatchNaming } from "./watch.ts";

/** Values that a sparkline shows. */
const maxValues = 24;

interface ActiveWatch {
  readonly client: BackgroundClient;
  readonly watch: Watch;
}

/** The addresses and requests that a person watches, at all endpoints. */
export class WatchList {
  readonly #routes: Routes;
  readonly #mask: Mask;
  readonly #changed: (event: WatchesChanged) => void;
  readonly #group: WatchGroup;
  readonly #watches = new Map<string, ActiveWatch>();
  /** The last values of each watch. */
  readonly #values = new Map<string, bigint[]>();
  /** Watches whose endpoint is not known yet. The latest one of each id counts. */
  readonly #starting = new Map<string, AbortController>();
  #isVisible = true;

  constructor(scheduler: PollScheduler, routes: Routes, mask: Mask, changed: (event: WatchesChanged) => void) {
    this.#routes = routes;
    this.#mask = mask;
    this.#changed = changed;
    this.#group = scheduler.group((client, tick) => this.#report(client, tick));
  }

  async addAddress(id: string, address: string, context: BackgroundContext): Promise<WatchResult> {
    if (!isAddress(address)) return { refused: "Not an address." };
    return this.#add(id, context, () => balanceWatch(id, address));
  }

  async addRequest(
    id: string,
    request: EvaluatedRequest,
    catalog: Catalog,
    context: BackgroundContext & WatchNaming,
  ): Promise<WatchResult> {
    const effect = catalog.methodNamed(request.method)?.effect;
    if (effect === undefined || !isHarmless(effect))
      return { refused: "Only requests that read or simulate can be watched." };
    return this.#add(id, context, async (client, signal) => {
      const isCall = request.method === "eth_call";
      const tokens = isCall ? await tokensCalled(request.params, context, client, signal) : context.tokens;
      return requestWatch(id, request, { ...context, tokens });
    });
  }

  remove(id: string): void {
    this.#starting.get(id)?.abort();
    this.#starting.delete(id);
    this.#watches.delete(id);
    this.#values.delete(id);
    this.#group.remove(id);
  }

  /** Polls only while the list is visible. */
  show(isVisible: boolean): void {
    if (this.#isVisible === isVisible) return;
    this.#isVisible = isVisible;
    for (const [id, { client, watch }] of this.#watches) {
      if (isVisible) this.#group.add(client, watch);
      else this.#group.remove(id);
    }
  }

  async #add(
    id: string,
    { document, uri, cell }: BackgroundContext,
    watchAt: (client: BackgroundClient, signal: AbortSignal) => Watch | Promise<Watch>,
  ): Promise<WatchResult> {
    const start = new AbortController();
    this.#starting.get(id)?.abort();
    this.#starting.set(id, start);
    const { signal } = start;
    const client = await this.#routes.backgroundClient(document, uri, cell);
    const watch = "silent" in client || signal.aborted ? undefined : await watchAt(client, signal);
    if (this.#starting.get(id) === start) this.#starting.delete(id);
    if ("silent" in client)
      return { refused: refusals[client.silent], ...(client.silent === "no-endpoint" && { needsEndpoint: true }) };
    if (!watch || signal.aborted) return { endpoint: client.endpoint.name };
    this.#values.delete(id);
    this.#watches.set(id, { client, watch });
    if (this.#isVisible) this.#group.add(client, watch);
    return { endpoint: client.endpoint.name };
  }

  #report({ endpoint, cadence }: BackgroundClient, { at, head, sinceLast, silent, changed }: Tick): void {
    this.#changed({
      at,
      endpoint: endpoint.name,
      ...(head !== undefined && { head: head.toString() }),
      ...(sinceLast !== undefined && { sinceLast }),
      cadence: cadenceText(cadence()),
      ...(silent !== undefined && { silent }),
      changed: changed.map((one) => this.#changedValue(one)),
    });
  }

  #changedValue({
    id,
    reading: { value, exact, detail, ok, amount },
  }: Tick["changed"][number]): WatchesChanged["changed"][number] {
    const values = this.#values.get(id) ?? [];
    if (amount !== undefined) values.push(amount);
    if (values.length > maxValues) values.shift();
    this.#values.set(id, values);
    const shown = (text: string): string => brief(this.#mask.text(text), 120); // masked first: the mask does not find a part of a value
    return {
      id,
      value: shown(value),
      ok,
      spark: sparkline(values),
      ...(exact !== undefined && { exact: shown(exact) }),
      ...(detail !== undefined && { detail }),
    };
  }
}

/** Says in a few words how new state comes. */
function cadenceText({ kind, periodMs, blockMs }: Cadence): string {
  if (kind === "pre-confirmed") return `pre-confirmed, every ${formatDuration(Math.round(periodMs))}`;
  if (blockMs === undefined) return "";
  const rounded = blockMs < 1000 ? Math.round(blockMs / 50) * 50 : Math.round(blockMs / 1000) * 1000;
  return `a block every ${formatDuration(rounded)}`;
}

const refusals = {
  untrusted: "Nothing is watched in a workspace that is not trusted.",
  "no-endpoint": "Choose an endpoint to watch this.",
  "not-approved": "Run a cell first: requests to this host are not approved yet.",
} as const;

const bars = "▁▂▃▄▅▆▇█";

/** Draws values as a line of bars; empty if all are the same. */
export function sparkline(values: readonly bigint[]): string {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : 1));
  const [least = 0n, greatest = 0n] = [sorted[0], sorted.at(-1)];
  if (greatest === least) return "";
  return values.map((value) => bars[Number(((value - least) * 7n) / (greatest - least))]).join("");
}
