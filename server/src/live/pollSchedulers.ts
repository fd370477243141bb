import type { Clock } from "../base/ports.ts";
import type { SocketPool } from "../rpc/socketPool.ts";
import type { BackgroundClient } from "./backgroundClient.ts";
import { openHeadTicker } from "./headTicker.ts";
import { openPollScheduler, type PollScheduler, type Tick, type Watch } from "./pollScheduler.ts";

/** Everything that is watched, by whomever: one batch a tick and endpoint for all of it. */
export interface PollSchedulers {
  /** @param ticked - After each round at an endpoint where the group watches something, with what is its own. */
  group(ticked: (asker: BackgroundClient, tick: Tick) => void): WatchGroup;
}

/** What one face of the program watches. */
export interface WatchGroup {
  /** One with the same id is replaced. */
  add(asker: BackgroundClient, watch: Watch): void;
  remove(id: string): void;
}

interface ScheduledGroup {
  /** The endpoint of each watch. */
  readonly askers: Map<string, BackgroundClient>;
  readonly ticked: (asker: BackgroundClient, tick: Tick) => void;
}

export function openPollSchedulers(clock: Clock, lines: SocketPool): PollSchedulers {
  const watchers = new Map<BackgroundClient, PollScheduler>();
  const groups: ScheduledGroup[] = [];

  const told = (asker: BackgroundClient, tick: Tick): void => {
    for (const [at, { askers, ticked }] of groups.entries()) {
      if (!isAmong(askers, asker)) continue;
      const prefix = `${at} `;
      const changed = tick.changed.flatMap(({ id, reading }) =>
        id.startsWith(prefix) ? [{ id: id.slice(prefix.length), reading }] : [],
      );
      ticked(asker, { ...tick, changed });
    }
  };
  const watcherOf = (asker: BackgroundClient): PollScheduler => {
    const known = watchers.get(asker);
    if (known) return known;
    const { socket } = asker;
    const beats = socket && ((signal: AbortSignal) => openHeadTicker(socket, asker, { lines, clock }, signal));
    const made = openPollScheduler(asker, clock, (tick) => told(asker, tick), beats);
    watchers.set(asker, made);
    return made;
  };
  return {
    group(ticked) {
      const askers = new Map<string, BackgroundClient>();
      const prefix = `${groups.push({ askers, ticked }) - 1} `;
      const remove = (id: string): void => {
        const asker = askers.get(id);
        askers.delete(id);
        const watcher = asker && watchers.get(asker);
        watcher?.remove(prefix + id);
        if (asker && watcher?.size === 0) watchers.delete(asker);
      };
      return {
        remove,
        add(asker, watch) {
          remove(watch.id);
          askers.set(watch.id, asker);
          watcherOf(asker).add({ ...watch, id: prefix + watch.id });
        },
      };
    },
  };
}

function isAmong(askers: ScheduledGroup["askers"], asker: BackgroundClient): boolean {
  for (const one of askers.values()) if (one === asker) return true;
  return false;
}
