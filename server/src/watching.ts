import { isAddress } from "./base/hex.ts";
import { isArray } from "./base/json.ts";
import type { Clock } from "./base/ports.ts";
import { brief } from "./base/text.ts";
import type { Catalog } from "./catalog/catalog.ts";
import { isHarmless } from "./catalog/effects.ts";
import type { Document } from "./documents.ts";
import type { WireRequest } from "./evaluate/wire.ts";
import type { Asker } from "./live/asker.ts";
import { openBeats } from "./live/beats.ts";
import { openWatcher, type Tick, type Watch, type Watcher } from "./live/watcher.ts";
import { balanceWatch, requestWatch, sparkline } from "./live/watches.ts";
import type { Cell } from "./notebook/cell.ts";
import type { Ticked, WatchResult } from "./protocol.ts";
import type { Routes } from "./routes.ts";
import type { Lines } from "./rpc/lines.ts";

/** What is watched, at whatever endpoints. */
export interface Watching {
  address(id: string, address: string, around: WatchAround): Promise<WatchResult>;
  request(id: string, request: WireRequest, catalog: Catalog, around: WatchAround): Promise<WatchResult>;
  remove(id: string): void;
  /** @param visible - Whether anybody looks. */
  show(visible: boolean): void;
}

export interface WatchAround {
  readonly document: Document | undefined;
  readonly uri: string;
  readonly cell?: Cell;
  readonly labels: ReadonlyMap<string, string>;
}

/** Values of which the course is shown. */
const mostValues = 24;

export function openWatching(clock: Clock, lines: Lines, routes: Routes, ticked: (event: Ticked) => void): Watching {
  const watchers = new Map<Asker, Watcher>();
  const askerOf = new Map<string, Asker>();
  const courses = new Map<string, bigint[]>();
  let visible = true;

  const tell = ({ endpoint }: Asker, { at, head, sinceLast, changed }: Tick): void =>
    ticked({
      at,
      endpoint: endpoint.name,
      ...(head !== undefined && { head: head.toString() }),
      ...(sinceLast !== undefined && { sinceLast }),
      changed: changed.map(({ id, reading: { value, detail, ok, amount } }) => {
        const course = courses.get(id) ?? [];
        if (amount !== undefined) course.push(amount);
        if (course.length > mostValues) course.shift();
        courses.set(id, course);
        return { id, value: brief(value, 120), ok, spark: sparkline(course), ...(detail !== undefined && { detail }) };
      }),
    });
  const watcherFor = (asker: Asker): Watcher => {
    const { socket } = asker;
    const beats = socket && ((signal: AbortSignal) => openBeats(socket, asker, { lines, clock }, signal));
    return openWatcher(asker, clock, (tick) => tell(asker, tick), beats);
  };
  const remove = (id: string): void => {
    const asker = askerOf.get(id);
    askerOf.delete(id);
    courses.delete(id);
    const watcher = asker && watchers.get(asker);
    watcher?.remove(id);
    if (asker && watcher?.size === 0) watchers.delete(asker);
  };
  const add = async (watch: Watch, { document, uri, cell }: WatchAround): Promise<WatchResult> => {
    const asker = await routes.asker(document, uri, cell);
    if ("silent" in asker) return { refused: refusals[asker.silent] };
    remove(watch.id);
    const watcher = watchers.get(asker) ?? watcherFor(asker);
    watchers.set(asker, watcher);
    askerOf.set(watch.id, asker);
    watcher.show(visible);
    watcher.add(watch);
    return { endpoint: asker.endpoint.name };
  };
  return {
    address: async (id, address, around) =>
      isAddress(address) ? add(balanceWatch(id, address), around) : { refused: "That is no address." },
    request: async (id, { method, params }, catalog, around) => {
      const effect = catalog.methodNamed(method)?.effect;
      if (effect === undefined || !isHarmless(effect))
        return { refused: "Only requests that read or simulate can be watched." };
      return add(requestWatch(id, method, isArray(params) ? params : [], around.labels), around);
    },
    remove,
    show(now) {
      visible = now;
      for (const watcher of watchers.values()) watcher.show(now);
    },
  };
}

const refusals = {
  untrusted: "Nothing is watched in a workspace that is not trusted.",
  "no-endpoint": "Choose an endpoint first.",
  "not-approved": "Run a cell first: nobody has allowed requests to this host yet.",
} as const;
