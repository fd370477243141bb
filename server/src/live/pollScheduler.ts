import type { Clock } from "../base/ports.ts";
import type { BackgroundClient } from "../gate/backgroundClient.ts";
import { headFrom } from "../gate/headFrom.ts";
import { HeadTicker } from "../gate/headTicker.ts";
import { recordHead } from "../rpc/cadence.ts";
import { aheadChecks } from "./aheadChecks.ts";
import { changedIn, type PollRound, roundPlanner, type WatchState } from "./rounds.ts";
import type { Watch, WatchValue } from "./watch.ts";

/** Polls all watches: one batch for each round and endpoint. */
export interface PollScheduler {
  /** @param ticked - Called after each round at an endpoint where the group has watches, with those of the group. */
  group(ticked: (client: BackgroundClient, tick: Tick) => void): WatchGroup;
}

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

interface ScheduledGroup {
  /** The client of each watch. */
  readonly clients: Map<string, BackgroundClient>;
  readonly ticked: (client: BackgroundClient, tick: Tick) => void;
}

export function openPollScheduler(clock: Clock): PollScheduler {
  const pollers = new Map<BackgroundClient, EndpointPoller>();
  const groups: ScheduledGroup[] = [];

  /** Passes a tick on to the groups, each with its own watches: their ids begin with the number of the group. */
  const distribute = (client: BackgroundClient, tick: Tick): void => {
    for (const [at, { clients, ticked }] of groups.entries()) {
      if (![...clients.values()].includes(client)) continue;
      const prefix = `${at} `;
      const changed = tick.changed.flatMap(({ id, reading }) =>
        id.startsWith(prefix) ? [{ id: id.slice(prefix.length), reading }] : [],
      );
      ticked(client, { ...tick, changed });
    }
  };
  const pollerOf = (client: BackgroundClient): EndpointPoller => {
    const poller = pollers.get(client) ?? new EndpointPoller(client, clock, (tick) => distribute(client, tick));
    pollers.set(client, poller);
    return poller;
  };
  return {
    group(ticked) {
      const clients = new Map<string, BackgroundClient>();
      const prefix = `${groups.push({ clients, ticked }) - 1} `;
      const remove = (id: string): void => {
        const client = clients.get(id);
        clients.delete(id);
        const poller = client && pollers.get(client);
        poller?.remove(prefix + id);
        if (client && poller?.isEmpty) pollers.delete(client);
      };
      return {
        remove,
        add(client, watch) {
          remove(watch.id);
          clients.set(watch.id, client);
          pollerOf(client).add({ ...watch, id: prefix + watch.id });
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
  readonly #ticked: (tick: Tick) => void;
  readonly #planRound: (all: readonly WatchState[]) => PollRound;
  readonly #checkAhead: (silent: string | undefined, signal: AbortSignal) => void;
  readonly #states = new Map<string, WatchState>();
  /** The values of the map, in a list that stays the same while the watches do. */
  #all: readonly WatchState[] = [];
  #polling: AbortController | undefined;
  #lastAt: number | undefined;

  constructor(client: BackgroundClient, clock: Clock, ticked: (tick: Tick) => void) {
    this.#client = client;
    this.#clock = clock;
    this.#ticked = ticked;
    this.#planRound = roundPlanner(client);
    this.#checkAhead = aheadChecks(client, clock);
  }

  get isEmpty(): boolean {
    return this.#states.size === 0;
  }

  add(watch: Watch): void {
    this.#states.set(watch.id, { watch, results: [], lastText: undefined });
    this.#all = [...this.#states.values()];
    if (this.#polling) return;
    this.#polling = new AbortController();
    void this.#poll(this.#polling.signal);
  }

  remove(id: string): void {
    this.#states.delete(id);
    this.#all = [...this.#states.values()];
    if (!this.isEmpty) return;
    this.#polling?.abort();
    this.#polling = undefined;
    this.#lastAt = undefined;
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const client = this.#client;
    const clock = this.#clock;
    const ticker = client.subscribe && new HeadTicker(client, clock, signal);
    while (!signal.aborted) {
      const startedAt = clock.now();
      const round = this.#planRound(this.#all);
      await this.#ask(round, ticker, signal);
      if (signal.aborted) return;
      this.#checkAhead(ticker?.silent, signal);
      // an endpoint that is slower than the cadence is asked again after it has answered, and not twice at once
      const left = (ms: number): number => ms - (clock.now() - startedAt);
      const { periodMs } = client.cadence();
      const pauseMs = Math.max(ticker?.isComplete ? minTickMs : periodMs, round.costMs);
      await clock.sleep(Math.max(minPauseMs, left(pauseMs)), signal);
      if (ticker?.isComplete) await ticker.next(left(pauseMs + ticker.maxSilenceMs), signal);
    }
  }

  async #ask(round: PollRound, ticker: HeadTicker | undefined, signal: AbortSignal): Promise<void> {
    const [headOutcome, ...outcomes] = await this.#client.ask(round.questions, signal);
    if (signal.aborted) return;
    const [at, now] = [this.#clock.date(), this.#clock.now()];
    const changed = changedIn(round, outcomes).flatMap(({ state, reading }) => {
      const { id } = state.watch;
      return this.#states.get(id) === state ? [{ id, reading }] : []; // else it was removed or replaced meanwhile
    });
    const head = await headFrom(headOutcome, this.#client, signal);
    if (signal.aborted) return;
    if (head !== undefined) recordHead(this.#client.memory, head, now);
    ticker?.onHead(head);
    const sinceLast = this.#lastAt === undefined ? undefined : now - this.#lastAt;
    this.#ticked({ at, head, sinceLast, silent: ticker?.silent, changed });
    this.#lastAt = now;
  }
}
