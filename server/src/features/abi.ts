import { type AbiScope, bundledScope } from "../abi/abiScope.ts";
import { bundledEvents } from "../abi/events.ts";
import { itemsCalled } from "../abi/find.ts";
import { bundledFunctions } from "../abi/functions.ts";
import { type AbiEvent, type AbiItem, declaration, isEvent } from "../abi/item.ts";
import { abiItems, abiScope } from "../analysis/abi.ts";
import type { Scope } from "../analysis/scope.ts";
import { escaped, link, type Markdown } from "../base/markdown.ts";
import type { Cell } from "../notebook/cell.ts";

/** What is known by topic and selector, the notebook's declarations first. */
interface ScopeItems {
  readonly own: AbiScope;
  readonly events: Map<string, readonly AbiEvent[]>;
  readonly functions: Map<string, readonly AbiItem[]>;
}

const knownTo = new WeakMap<readonly AbiItem[], ScopeItems>();

function scopeItems(cell: Cell, scope: Scope): ScopeItems {
  const items = abiItems(cell, scope);
  const known = knownTo.get(items) ?? { own: abiScope(cell, scope), events: new Map(), functions: new Map() };
  knownTo.set(items, known);
  return known;
}

/** Every event with that topic 0, the notebook's first. */
export function eventsAt(topic: string, cell: Cell, scope: Scope): readonly AbiEvent[] {
  const hash = topic.toLowerCase();
  const { own, events } = scopeItems(cell, scope);
  const found = events.get(hash) ?? together(own.events(hash), bundledScope.events(hash)).filter(isEvent);
  if (found.length > 0) events.set(hash, found);
  return found;
}

/** Every function with that selector, the notebook's first. */
export function functionsAt(selector: string, cell: Cell, scope: Scope): readonly AbiItem[] {
  const four = selector.toLowerCase();
  const { own, functions } = scopeItems(cell, scope);
  const found = functions.get(four) ?? together(own.functions(four), bundledScope.functions(four));
  if (found.length > 0) functions.set(four, found);
  return found;
}

/** What a text names: a signature, or functions or events of that name. */
export function itemsNamed(kind: "event" | "function", text: string, cell: Cell, scope: Scope): readonly AbiItem[] {
  return itemsCalled(kind, text, abiItems(cell, scope));
}

/** Declarations of the notebook win over bundled ones of the same signature; each way of writing stands once. */
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

/** As it is written in Solidity, with what a function returns. */
export function declared(item: AbiItem): string {
  if (item.outputs.length === 0) return declaration(item);
  const outputs = item.outputs.map(({ type, name }) => [type.text, name].filter(Boolean).join(" "));
  return `${declaration(item)} returns (${outputs.join(", ")})`;
}

const links: ReadonlyMap<string, string> = new Map(
  [...bundledEvents, ...bundledFunctions].map(({ source, link }) => [source, link]),
);

/** Who declares it, as Markdown; what is bundled links to where it is written. */
export function sourceText(source: string): Markdown {
  const url = links.get(source);
  return (url === undefined ? undefined : link(source, url)) ?? escaped(source);
}
