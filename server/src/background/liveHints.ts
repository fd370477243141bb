import { signedTransaction } from "../abi/signedTransaction.ts";
import { isArray, printJson } from "../base/json.ts";
import type { Clock } from "../base/ports.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { TypeRef } from "../catalog/spec.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { BackgroundClient } from "../live/backgroundClient.ts";
import type { Tick, Watch } from "../live/pollScheduler.ts";
import type { PollSchedulers } from "../live/pollSchedulers.ts";
import { tokensCalled } from "../live/simulateWithFallback.ts";
import { simulated, simulationOf, whyLacking } from "../live/simulation.ts";
import { simulationHint } from "../live/simulationHint.ts";
import { requestWatch } from "../live/watchItems.ts";
import type { Settings } from "../protocol/settings.ts";
import { blockAsked } from "../report/facts.ts";
import { endpointDirective } from "../run/dispatcher.ts";
import type { Routes } from "../workspace/routes.ts";
import type { HoverContext } from "./liveHovers.ts";

/** What requests would give now, behind their cells, for those who have asked for it. */
export interface LiveHints {
  /** Cells of this document have been run: from now on it may ask by itself. */
  wake(uri: string): void;
  /** Whether hints of this document may say anything. */
  isOn(uri: string): boolean;
  /**
   * What is known now, in plain text of any length, not masked; asked for again and again from then on, until nobody wants to see it any more.
   *
   * @param index - Of the cell.
   */
  of(request: EvaluatedRequest, index: number, catalog: Catalog, around: HoverContext): string | undefined;
  /** Does away with all of a document. */
  forget(uri: string): void;
  configure(settings: Settings): void;
}

export interface LiveHintHost {
  readonly clock: Clock;
  readonly routes: Pick<Routes, "asker" | "known">;
  readonly watchers: PollSchedulers;
  /** What hints say has changed, or is to be asked for again. */
  hinted(): void;
}

/** The request of a cell for which a hint stands. */
interface Hint {
  readonly uri: string;
  readonly question: string;
  readonly gone: AbortController;
  /** When an editor wanted it last. */
  wantedAt: number;
  said: string | undefined;
}

/** Milliseconds without a change, after which a request is asked. */
const debounceMs = 400;
/** Milliseconds after which editors are asked whether they still show a hint, and after which one is given up. */
const renewMs = 4000;
const leaseMs = 10_000;
/** Hints at once. */
const mostHints = 100;

export function openLiveHints({ clock, routes, watchers, hinted }: LiveHintHost, given: Settings): LiveHints {
  let mode = given.rpcNotebook?.liveHints ?? "off";
  const awake = new Set<string>();
  const hints = new Map<string, Hint>();
  /** Endpoints without `eth_simulateV1`. */
  const plain = new WeakSet<BackgroundClient>();
  let renewedAt = 0;

  const isOn = (uri: string): boolean => mode !== "off" && awake.has(uri);
  const drop = (id: string): void => {
    hints.get(id)?.gone.abort();
    hints.delete(id);
    group.remove(id);
  };
  const group = watchers.group((_: BackgroundClient, { changed }: Tick) => {
    const now = clock.now();
    for (const [id, { wantedAt }] of hints) if (now - wantedAt > leaseMs) drop(id);
    for (const { id, reading } of changed) {
      const hint = hints.get(id);
      if (hint) hint.said = reading.value;
    }
    if (changed.length === 0 && now - renewedAt < renewMs) return;
    renewedAt = now;
    hinted();
  });
  const begin = async (id: string, hint: Hint, request: EvaluatedRequest, around: HoverContext): Promise<void> => {
    const { signal } = hint.gone;
    await clock.sleep(debounceMs, signal);
    const asker = signal.aborted ? undefined : await routes.asker(around.document, around.uri, around.cell);
    if (!asker || signal.aborted) return;
    // the next look tries again
    if ("silent" in asker || (asker.endpoint.rate !== undefined && mode !== "always")) return drop(id);
    const add = async (): Promise<void> => {
      const lacks = (): void => {
        plain.add(asker);
        void add();
      };
      const watch = await watchOf(id, request, around, asker, plain.has(asker), lacks, signal);
      if (signal.aborted) return;
      if (watch) group.add(asker, watch);
      else drop(id);
    };
    await add();
  };
  return {
    isOn,
    wake: (uri) => void awake.add(uri),
    of(request, index, catalog, around) {
      const { uri } = around.document;
      if (!isOn(uri) || !isLive(request, catalog)) return undefined;
      const id = `${uri}\n${index}`;
      const question = questionOf(request, around, routes);
      const known = hints.get(id);
      if (known?.question === question) {
        known.wantedAt = clock.now();
        return known.said;
      }
      drop(id);
      if (hints.size >= mostHints) return undefined;
      const hint: Hint = { uri, question, gone: new AbortController(), wantedAt: clock.now(), said: undefined };
      hints.set(id, hint);
      void begin(id, hint, request, around);
      return undefined;
    },
    forget(uri) {
      awake.delete(uri);
      for (const [id, hint] of hints) if (hint.uri === uri) drop(id);
    },
    configure(settings) {
      mode = settings.rpcNotebook?.liveHints ?? "off";
      for (const id of [...hints.keys()]) drop(id);
    },
  };
}

/** What is asked, and whom: where either is another, what was said before says nothing any more. */
function questionOf(
  { method, params }: EvaluatedRequest,
  { document, cell }: HoverContext,
  routes: LiveHintHost["routes"],
): string {
  const directive = endpointDirective(cell);
  const current = directive === undefined ? routes.known(document).endpoint : undefined;
  return printJson([directive ?? null, current?.name ?? null, current?.host ?? null, method, params ?? null]);
}

/** Whether it can be tried, or reads something small that moves with the chain. */
function isLive({ method, params }: EvaluatedRequest, catalog: Catalog): boolean {
  if (simulated.has(method)) return true;
  const spec = catalog.methodNamed(method);
  if (spec?.effect !== "reads" || !small.has(spec.result)) return false;
  const block = blockAsked(spec, params ?? []);
  return block === undefined ? spec.params.length === 0 : /^(pending|latest|safe|finalized)$/.test(block);
}

/** Results of one value. */
const small: ReadonlySet<TypeRef> = new Set(["wei", "count", "nonce", "gas", "blockNumber", "bytes", "word"]);

/** @param lacks - Told when the endpoint turns out not to simulate. */
async function watchOf(
  id: string,
  request: EvaluatedRequest,
  { names, scope, tokens: stated }: HoverContext,
  asker: BackgroundClient,
  isPlain: boolean,
  lacks: () => void,
  signal: AbortSignal,
): Promise<Watch | undefined> {
  const { method, params } = request;
  const list = isArray(params) ? params : [];
  if (!simulated.has(method)) {
    const watch = requestWatch(id, request, { names, scope, tokens: stated });
    return { ...watch, read: (outcomes) => labelled("now", watch.read(outcomes)) };
  }
  const signed = method === "eth_sendRawTransaction" ? await signedTransaction(list[0]) : undefined;
  const simulation = simulationOf({ method, params }, signed);
  const tokens = await tokensCalled(list, { scope, tokens: stated }, asker, signal);
  const question = isPlain ? simulation?.plain?.[0] : simulation?.full;
  return (
    question && {
      id,
      questions: [question],
      read([outcome]) {
        if (!outcome) return { value: "", ok: false };
        if (!isPlain && simulation?.plain && whyLacking(outcome, simulation) !== undefined) lacks();
        const value = simulationHint(question, outcome, { names, scope, tokens });
        return labelled("simulated", { value, ok: outcome.kind === "answered" });
      },
    }
  );
}

function labelled<Said extends { readonly value: string }>(label: string, said: Said): Said {
  return { ...said, value: `${label}: ${said.value}` };
}
