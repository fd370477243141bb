import { bundledErrors } from "./errors.ts";
import type { Declarations } from "./events.ts";
import { bundledEvents } from "./events.ts";
import type { AbiEvent, AbiItem } from "./item.ts";
import { isEvent, parseItem, selectorOf } from "./item.ts";

/** Events, errors and functions that decoding may draw on, found by what the chain knows of them. */
export interface AbiScope {
  events(topic: string): readonly AbiEvent[];
  /** Events without a topic of their own. They fit many logs, so they are tried last. */
  readonly anonymous: readonly AbiEvent[];
  errors(selector: string): readonly AbiItem[];
  functions(selector: string): readonly AbiItem[];
}

/**
 * Makes a scope of the project's ABIs.
 *
 * @param items - The more trusted ones first: among equals the first one names the arguments.
 */
export function scopeOf(items: Iterable<AbiItem>): AbiScope {
  const events = new Map<string, AbiEvent[]>();
  const errors = new Map<string, AbiItem[]>();
  const functions = new Map<string, AbiItem[]>();
  const anonymous: AbiEvent[] = [];
  for (const item of items) {
    if (!isEvent(item)) append(item.kind === "error" ? errors : functions, selectorOf(item), item);
    else if (item.anonymous) anonymous.push(item);
    else append(events, item.hash, item);
  }
  return {
    events: (topic) => events.get(topic) ?? [],
    anonymous,
    errors: (selector) => errors.get(selector) ?? [],
    functions: (selector) => functions.get(selector) ?? [],
  };
}

function append<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** What is decoded without an ABI of the project. */
export const bundledScope: AbiScope = {
  events: lookUp(bundledEvents, isEvent),
  anonymous: [],
  errors: lookUp(bundledErrors, (item): item is AbiItem => item.kind === "error"),
  functions: () => [],
};

/** Declarations are parsed when they are first asked for: hashing all of them at the start would take milliseconds. */
function lookUp<T extends AbiItem>(
  tables: readonly Declarations[],
  wanted: (item: AbiItem) => item is T,
): (hash: string) => readonly T[] {
  const texts = new Map<string, { readonly text: string; readonly source: string }[]>();
  for (const { source, items } of tables) {
    for (const [hash, text] of Object.entries(items)) append(texts, hash, { text, source });
  }
  const parsed = new Map<string, readonly T[]>();
  return (hash) => {
    const known = parsed.get(hash);
    if (known) return known;
    const items = (texts.get(hash) ?? [])
      .map(({ text, source }) => parseItem(text, source))
      .filter((item): item is T => item !== undefined && wanted(item));
    if (items.length > 0) parsed.set(hash, items);
    return items;
  };
}
