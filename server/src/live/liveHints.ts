import { endpointDirective } from "../analysis/cellEndpoint.ts";
import { isArray, printJson } from "../base/json.ts";
import type { Clock } from "../base/ports.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { TypeRef } from "../catalog/spec.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { BackgroundClient } from "../gate/backgroundClient.ts";
import type { Settings } from "../protocol/settings.ts";
import { requestedBlock } from "../report/facts.ts";
import type { Routes } from "../workspace/routes.ts";
import type { RequestContext } from "./liveHovers.ts";
import type { PollScheduler, Tick, WatchGroup } from "./pollScheduler.ts";
import { simulated, simulationOf, tokensCalled, whyUnsupported } from "./simulation.ts";
import { simulationHint } from "./simulationMarkdown.ts";
import { requestWatch, type Watch } from "./watch.ts";

interface LiveHintHost {
  readonly clock: Clock;
  readonly routes: Routes;
  readonly scheduler: PollScheduler;
  /** Called when hints have changed, and to find out which ones editors still show. */
  hinted(): void;
}

/** The hint of a cell. */
interface Hint {
  readonly uri: string;
  readonly key: string;
  readonly removed: AbortController;
  /** When an editor last asked for it. */
  wantedAt: number;
  text: string | undefined;
}

/** Milliseconds without a change after which a request is sent. */
const debounceMs = 400;
/** Milliseconds after which editors are told to ask for their hints again. */
const renewMs = 4000;
/** Milliseconds without a question for a hint after which it is removed. */
const leaseMs = 10_000;
const maxHints = 100;

/** Hints behind cells with what their requests would give now, if the settings ask for them. */
export class LiveHints {
  readonly #host: LiveHintHost;
  readonly #group: WatchGroup;
  #mode: NonNullable<NonNullable<Settings["rpcNotebook"]>["liveHints"]>;
  /** Documents of which cells have been run. */
  readonly #awake = new Set<string>();
  readonly #hints = new Map<string, Hint>();
  /** Endpoints without `eth_simulateV1`. */
  readonly #withoutSimulation = new WeakSet<BackgroundClient>();
  #renewedAt = 0;

  constructor(host: LiveHintHost, settings: Settings) {
    this.#host = host;
    this.#mode = settings.rpcNotebook?.liveHints ?? "off";
    this.#group = host.scheduler.group((_, tick) => this.#update(tick));
  }

  /** Allows hints of a document: its cells have been run. */
  wake(uri: string): void {
    this.#awake.add(uri);
  }

  /** Whether a document may have hints. */
  isOn(uri: string): boolean {
    return this.#mode !== "off" && this.#awake.has(uri);
  }

  /**
   * Returns the last text of a hint, plain and not masked, of any length. The request is polled from then on, until no
   * editor asks for the hint any more.
   *
   * @param index - Of the cell.
   */
  of(request: EvaluatedRequest, index: number, catalog: Catalog, context: RequestContext): string | undefined {
    const { uri } = context.document;
    if (!this.isOn(uri) || !isLive(request, catalog)) return undefined;
    const { clock, routes } = this.#host;
    const id = `${uri}\n${index}`;
    const key = hintKey(request, context, routes);
    const last = this.#hints.get(id);
    if (last?.key === key) {
      last.wantedAt = clock.now();
      return last.text;
    }
    this.#remove(id);
    if (this.#hints.size >= maxHints) return undefined;
    const hint: Hint = { uri, key, removed: new AbortController(), wantedAt: clock.now(), text: undefined };
    this.#hints.set(id, hint);
    void this.#start(id, request, context, hint.removed.signal);
    return undefined;
  }

  /** Removes the hints of a document. */
  forget(uri: string): void {
    this.#awake.delete(uri);
    for (const [id, hint] of this.#hints) if (hint.uri === uri) this.#remove(id);
  }

  configure(settings: Settings): void {
    this.#mode = settings.rpcNotebook?.liveHints ?? "off";
    for (const id of [...this.#hints.keys()]) this.#remove(id);
  }

  #remove(id: string): void {
    this.#hints.get(id)?.removed.abort();
    this.#hints.delete(id);
    this.#group.remove(id);
  }

  #update({ changed }: Tick): void {
    const now = this.#host.clock.now();
    for (const [id, { wantedAt }] of this.#hints) if (now - wantedAt > leaseMs) this.#remove(id);
    for (const { id, reading } of changed) {
      const hint = this.#hints.get(id);
      if (hint) hint.text = reading.value;
    }
    if (changed.length === 0 && now - this.#renewedAt < renewMs) return;
    this.#renewedAt = now;
    this.#host.hinted();
  }

  async #start(id: string, request: EvaluatedRequest, context: RequestContext, signal: AbortSignal): Promise<void> {
    const { clock, routes } = this.#host;
    await clock.sleep(debounceMs, signal);
    if (signal.aborted) return;
    const client = await routes.backgroundClient(context.document, context.uri, context.cell);
    if (signal.aborted) return;
    const isRefused = "silent" in client || (client.endpoint.rate !== undefined && this.#mode !== "always");
    if (isRefused)
      this.#remove(id); // the next question for the hint tries again
    else await this.#poll(id, request, context, client, signal);
  }

  async #poll(
    id: string,
    request: EvaluatedRequest,
    context: RequestContext,
    client: BackgroundClient,
    signal: AbortSignal,
  ): Promise<void> {
    const canSimulate = !this.#withoutSimulation.has(client);
    const retry = (): void => {
      this.#withoutSimulation.add(client);
      void this.#poll(id, request, context, client, signal);
    };
    const watch = simulated.has(request.method)
      ? await simulationWatch(id, request, context, client, canSimulate ? retry : undefined, signal)
      : resultWatch(id, request, context);
    if (signal.aborted) return;
    if (watch) this.#group.add(client, watch);
    else this.#remove(id);
  }
}

/** Returns the request and its endpoint as text. A hint is removed when the text changes. */
function hintKey(
  { method, params }: EvaluatedRequest,
  { document, cell }: RequestContext,
  routes: LiveHintHost["routes"],
): string {
  const directive = endpointDirective(cell);
  const current = directive === undefined ? routes.of(document).endpoint : undefined;
  return printJson([directive ?? null, current?.name ?? null, current?.host ?? null, method, params ?? null]);
}

/** Whether a request can be simulated, or reads a single value that changes with the chain. */
function isLive({ method, params }: EvaluatedRequest, catalog: Catalog): boolean {
  if (simulated.has(method)) return true;
  const spec = catalog.methodNamed(method);
  if (spec?.effect !== "reads" || !singleValues.has(spec.result)) return false;
  const block = requestedBlock(spec, params ?? []);
  return block === undefined ? spec.params.length === 0 : /^(pending|latest|safe|finalized)$/.test(block);
}

/** Types of results that are one value. */
const singleValues: ReadonlySet<TypeRef> = new Set(["wei", "count", "nonce", "gas", "blockNumber", "bytes", "word"]);

function resultWatch(id: string, request: EvaluatedRequest, { names, scope, tokens }: RequestContext): Watch {
  const watch = requestWatch(id, request, { names, scope, tokens });
  return { ...watch, read: (outcomes) => labelled("now", watch.read(outcomes)) };
}

/** @param retry - Called if the endpoint does not support simulations; absent if that is known already. */
async function simulationWatch(
  id: string,
  { method, params }: EvaluatedRequest,
  { names, scope, tokens: stated }: RequestContext,
  client: BackgroundClient,
  retry: (() => void) | undefined,
  signal: AbortSignal,
): Promise<Watch | undefined> {
  const simulation = await simulationOf({ method, params });
  const tokens = await tokensCalled(isArray(params) ? params : [], { scope, tokens: stated }, client, signal);
  const question = retry ? simulation?.full : simulation?.plain?.[0];
  if (!simulation || !question) return undefined;
  return {
    id,
    questions: [question],
    read([outcome]) {
      if (!outcome) return { value: "", ok: false };
      if (retry && simulation.plain && whyUnsupported(outcome, simulation) !== undefined) retry();
      const value = simulationHint(question, outcome, { names, scope, tokens });
      return labelled("simulated", { value, ok: outcome.kind === "answered" });
    },
  };
}

function labelled<Reading extends { readonly value: string }>(label: string, reading: Reading): Reading {
  return { ...reading, value: `${label}: ${reading.value}` };
}
