import type { Clock } from "../base/ports.ts";
import type { BackgroundClient } from "../gate/backgroundClient.ts";
import { HeadTicker, headFrom } from "../gate/heads.ts";
import { measureAhead } from "../inspect/measureAhead.ts";
import { fastMs, recordHead } from "../rpc/cadence.ts";
import { changedIn, type PollRound, roundPlanner, type WatchState } from "./rounds.ts";
import type { Watch, WatchValue } from "./watch.ts";

/** Polls all watches: one batch for each round and endpoint. */
export interface PollScheduler {
  /** @param ticked - Called after each round at an endpoint where the group has watches, with those of the group. */
  group(ticked: Ticked): WatchGroup;
}

type Ticked = (client: BackgroundClient, tick: Tick) => void;

/** The watches of one feature. */
export interface WatchGroup {
  /** Replaces a watch with the same id. */
  add(client: BackgroundClient, watch: Watch): void;
  remove(id: string): void;
}

/** The result of one round. */
export interface Tick {
  /** Milliseconds since 1970, when the answers had arrived. */
  readonly at: number;
  /** Number of the latest block; `undefined` if the endpoint did not answer it. */
  readonly head: bigint | undefined;
  /** Milliseconds between this round and the one before. */
  readonly sinceLast: number | undefined;
  /** The kind of subscription that stayed silent while blocks came, so that a timer replaced it. */
  readonly silent: string | undefined;
  /** Watches whose reading differs from the last one. */
  readonly changed: readonly { readonly id: string; readonly reading: WatchValue }[];
}

/** A watch of a group. */
interface ScheduledWatch extends WatchState {
  readonly ticked: Ticked;
}

export function openPollScheduler(clock: Clock): PollScheduler {
  const pollers = new Map<BackgroundClient, EndpointPoller>();
  return {
    group(ticked) {
      const watches = new Map<string, { readonly client: BackgroundClient; readonly watch: ScheduledWatch }>();
      const remove = (id: string): void => {
        const { client, watch } = watches.get(id) ?? {};
        watches.delete(id);
        if (client && watch && pollers.get(client)?.remove(watch)) pollers.delete(client);
      };
      return {
        remove,
        add(client, given) {
          remove(given.id);
          const watch = { watch: given, ticked, results: [], lastText: undefined };
          watches.set(given.id, { client, watch });
          const poller = pollers.get(client) ?? new EndpointPoller(client, clock);
          pollers.set(client, poller);
          poller.add(watch);
        },
      };
    },
  };
}

/** Milliseconds between the end of a round and the next one, at least. */
const minPauseMs = 20;
/** Milliseconds between two rounds, however fast a subscription is. */
const minTickMs = 100;

/** Polls the watches at one endpoint while there are any. */
class EndpointPoller {
  readonly #client: BackgroundClient;
  readonly #clock: Clock;
  readonly #planRound: (all: readonly ScheduledWatch[]) => PollRound<ScheduledWatch>;
  readonly #checkAhead: (silent: string | undefined, signal: AbortSignal) => void;
  /** The same list while the watches are the same. */
  #all: readonly ScheduledWatch[] = [];
  #polling: AbortController | undefined;
  #lastAt: number | undefined;

  constructor(client: BackgroundClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
    this.#planRound = roundPlanner(client);
    this.#checkAhead = aheadChecks(client, clock);
  }

  add(watch: ScheduledWatch): void {
    this.#all = [...this.#all, watch];
    if (this.#polling) return;
    this.#polling = new AbortController();
    void this.#poll(this.#polling.signal);
  }
  /** @returns Whether it was the last one. */
  remove(watch: ScheduledWatch): boolean {
    this.#all = this.#all.filter((one) => one !== watch);
    if (this.#all.length > 0) return false;
    this.#polling?.abort();
    return true;
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const [client, clock] = [this.#client, this.#clock];
    const ticker = client.subscribe && new HeadTicker(client, clock, signal);
    while (!signal.aborted) {
      const startedAt = clock.now();
      const round = this.#planRound(this.#all);
      await this.#ask(round, ticker, signal);
      if (signal.aborted) return;
      this.#checkAhead(ticker?.silent, signal);
      // an endpoint that is slower than the cadence is asked again after it has answered, and not twice at once
      const left = (ms: number): number => ms - (clock.now() - startedAt);
      const pauseMs = Math.max(ticker?.isComplete ? minTickMs : client.cadence().periodMs, round.costMs);
      await clock.sleep(Math.max(minPauseMs, left(pauseMs)), signal);
      if (ticker?.isComplete) await ticker.next(left(pauseMs + ticker.maxSilenceMs), signal);
    }
  }
  async #ask(round: PollRound<ScheduledWatch>, ticker: HeadTicker | undefined, signal: AbortSignal): Promise<void> {
    const client = this.#client;
    const [headOutcome, ...outcomes] = await client.ask(round.questions, signal);
    if (signal.aborted) return;
    const [at, now] = [this.#clock.date(), this.#clock.now()];
    // without those that were removed or replaced meanwhile
    const all = changedIn(round, outcomes).filter(({ state }) => this.#all.includes(state));
    const head = await headFrom(headOutcome, client, signal);
    if (signal.aborted) return;
    if (head !== undefined) recordHead(client.memory, head, now);
    ticker?.onHead(head);
    const sinceLast = this.#lastAt === undefined ? undefined : now - this.#lastAt;
    this.#lastAt = now;
    for (const ticked of new Set(this.#all.map((one) => one.ticked))) {
      const changed = all.flatMap(({ state, reading }) =>
        state.ticked === ticked ? [{ id: state.watch.id, reading }] : [],
      );
      ticked(client, { at, head, sinceLast, silent: ticker?.silent, changed });
    }
  }
}

/** Milliseconds between two measurements. */
const checkEveryMs = 5000;

/** Requests a second. An endpoint that allows fewer is not measured. */
const minRate = 10;

/**
 * Returns a function to call in each round. It measures whether `pending` is ahead: the first time, when a subscription
 * falls silent, when blocks come too fast for pre-confirmed state, and every few seconds. It measures nothing if an
 * endpoint file says it.
 */
function aheadChecks(
  client: BackgroundClient,
  clock: Clock,
): (silent: string | undefined, signal: AbortSignal) => void {
  const { preconfirmed, rate } = client.endpoint;
  if (preconfirmed !== undefined || (rate !== undefined && rate < minRate)) return () => {};
  let checkedAt: number | undefined;
  let lastReason: string | undefined;
  let isBusy = false;
  return (silent, signal) => {
    const { kind, blockMs } = client.cadence();
    const isDoubtful = kind === "pre-confirmed" && blockMs !== undefined && blockMs <= fastMs;
    const reason = `${silent} ${isDoubtful}`;
    const isNeeded = checkedAt === undefined || reason !== lastReason || clock.now() - checkedAt >= checkEveryMs;
    if (isBusy || !isNeeded) return;
    [checkedAt, lastReason, isBusy] = [clock.now(), reason, true];
    void measureAhead(client, clock, signal).finally(() => {
      isBusy = false;
    });
  };
}
