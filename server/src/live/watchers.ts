import type { Clock } from "../base/ports.ts";
import type { Lines } from "../rpc/lines.ts";
import type { Asker } from "./asker.ts";
import { openBeats } from "./beats.ts";
import { openWatcher, type Tick, type Watch, type Watcher } from "./watcher.ts";

/** Everything that is watched, by whomever: one batch a tick and endpoint for all of it. */
export interface Watchers {
  /** @param ticked - After each round at an endpoint where the group watches something, with what is its own. */
  group(ticked: (asker: Asker, tick: Tick) => void): WatchGroup;
}

/** What one face of the program watches. */
export interface WatchGroup {
  /** One with the same id is replaced. */
  add(asker: Asker, watch: Watch): void;
  remove(id: string): void;
}

interface Group {
  /** The endpoint of each watch. */
  readonly askers: Map<string, Asker>;
  readonly ticked: (asker: Asker, tick: Tick) => void;
}

export function openWatchers(clock: Clock, lines: Lines): Watchers {
  const watchers = new Map<Asker, Watcher>();
  const groups: Group[] = [];

  const told = (asker: Asker, tick: Tick): void => {
    for (const [at, { askers, ticked }] of groups.entries()) {
      if (!isAmong(askers, asker)) continue;
      const prefix = `${at} `;
      const changed = tick.changed.flatMap(({ id, reading }) =>
        id.startsWith(prefix) ? [{ id: id.slice(prefix.length), reading }] : [],
      );
      ticked(asker, { ...tick, changed });
    }
  };
  const watcherOf = (asker: Asker): Watcher => {
    const known = watchers.get(asker);
    if (known) return known;
    const { socket } = asker;
    const beats = socket && ((signal: AbortSignal) => openBeats(socket, asker, { lines, clock }, signal));
    const made = openWatcher(asker, clock, (tick) => told(asker, tick), beats);
    watchers.set(asker, made);
    return made;
  };
  return {
    group(ticked) {
      const askers = new Map<string, Asker>();
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

function isAmong(askers: Group["askers"], asker: Asker): boolean {
  for (const one of askers.values()) if (one === asker) return true;
  return false;
}
