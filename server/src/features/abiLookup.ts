import type { AbiScope } from "../abi/abiScope.ts";
import { bundledEvents } from "../abi/events.ts";
import { bundledFunctions } from "../abi/functions.ts";
import { type AbiEvent, type AbiItem, declaration, isEvent } from "../abi/item.ts";
import { itemsCalled } from "../abi/wellKnownAbis.ts";
import { abiItems, abiScope } from "../analysis/abi.ts";
import type { Scope } from "../analysis/scope.ts";
import { escaped, link, type Markdown } from "../base/markdown.ts";
import { memoByObject } from "../base/memo.ts";
import type { Cell } from "../notebook/cell.ts";

/**
 * Every event with that topic 0, the notebook's first.
 *
 * @param address - The contract, if known: what was looked up counts for its own contract only.
 */
export function eventsAt(topic: string, cell: Cell, scope: Scope, address?: string): readonly AbiEvent[] {
  return mergedItems(abiScope(cell, scope)).events(topic.toLowerCase(), address);
}

/** Every function with that selector, the notebook's first. Of contracts that were looked up, those of `address`. */
export function functionsAt(selector: string, cell: Cell, scope: Scope, address?: string): readonly AbiItem[] {
  return mergedItems(abiScope(cell, scope)).functions(selector.toLowerCase(), address);
}

/** The declarations of the notebook with those that are known without it, by topic and selector. */
const mergedItems = memoByObject(({ events, functions, bundled }: AbiScope) => ({
  events: memoByText((topic, address) => together(events(topic, address), bundled.events(topic)).filter(isEvent)),
  functions: memoByText((selector, address) => together(functions(selector, address), bundled.functions(selector))),
}));

/** Remembers lists that are not empty: people may type any number of unknown hashes. */
function memoByText<Item>(make: Find<Item>): Find<Item> {
  const lists = new Map<string, readonly Item[]>();
  return (text, address) => {
    const key = address === undefined ? text : `${text} ${address}`;
    const list = lists.get(key) ?? make(text, address);
    if (list.length > 0) lists.set(key, list);
    return list;
  };
}

type Find<Item> = (text: string, address?: string) => readonly Item[];

/** Items that a text names: the one with that signature, or all functions or events of that name. */
export function itemsNamed(kind: "event" | "function", text: string, cell: Cell, scope: Scope): readonly AbiItem[] {
  return itemsCalled(kind, text, abiItems(cell, scope));
}

/** Declarations of the notebook win over bundled ones of the same signature; each spelling appears once. */
function together(own: readonly AbiItem[], bundled: readonly AbiItem[]): readonly AbiItem[] {
  const shapes = new Set(own.map(shape));
  const byText = new Map<string, AbiItem>();
  for (const item of [...own, ...bundled.filter((one) => !shapes.has(shape(one)))]) {
    if (!byText.has(declared(item))) byText.set(declared(item), item);
  }
  return [...byText.values()];
}

function shape(item: AbiItem): string {
  return `${item.signature} ${item.inputs.map(({ indexed }) => Number(indexed)).join("")}`;
}

/** Formats a declaration in Solidity, with the return types of a function. */
export function declared(item: AbiItem): string {
  if (item.outputs.length === 0) return declaration(item);
  const outputs = item.outputs.map(({ type, name }) => [type.text, name].filter(Boolean).join(" "));
  return `${declaration(item)} returns (${outputs.join(", ")})`;
}

const links: ReadonlyMap<string, string> = new Map(
  [...bundledEvents, ...bundledFunctions].map(({ source, link }) => [source, link]),
);

/** The source of a declaration, as Markdown; a bundled one links to its definition. */
export function sourceText(source: string): Markdown {
  const url = links.get(source);
  return (url === undefined ? undefined : link(source, url)) ?? escaped(source);
}
