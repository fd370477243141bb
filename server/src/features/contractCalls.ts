import type { AbiItem } from "../abi/item.ts";
import type { AbiParam } from "../abi/type.ts";
import { wellKnownItems } from "../abi/wellKnownAbis.ts";
import { abiItems } from "../analysis/abi.ts";
import type { ValueContext } from "../analysis/cursorContext.ts";
import type { Scope } from "../analysis/scope.ts";
import type { Markdown } from "../base/markdown.ts";
import { memoByObject } from "../base/memo.ts";
import { brief } from "../base/text.ts";
import type { Cell } from "../notebook/cell.ts";
import { addresses } from "./addresses.ts";
import { argsOf, argumentAt, itemDocs, type Readable } from "./readable.ts";
import { type Snippet, stop, string } from "./snippet.ts";
import { remembering, SnippetBuilder } from "./snippetBuilder.ts";
import type { Choice, Suggestion } from "./suggestion.ts";

type Kind = "function" | "event";

const none: readonly AbiItem[] = [];

/** Those of the table of signatures that are suggested: more than a list shows, so that it counts as not complete. */
const maxSignatures = 300;

/**
 * Functions or events, each signature once: the project's own first, then the best known, then those of the table of
 * signatures that begin with the word at a place.
 */
export function itemsAt(place: ValueContext, cell: Cell, kind: Kind, scope: Scope): readonly AbiItem[] {
  const known = itemsInScope(cell, kind, scope);
  const written = cell.text.slice(place.span.start, place.span.end);
  const [, word = ""] = /^"?\s*(?:(?:function|event)\s+)?([\w$]*)/.exec(written) ?? [];
  const more = scope.abis.signatures?.beginningWith(kind, word, maxSignatures) ?? [];
  if (more.length === 0) return known;
  const has = signaturesOf(known);
  const seen = new Set<string>();
  return [
    ...known,
    ...more.filter(({ signature }) => !has.has(signature) && !seen.has(signature) && seen.add(signature)),
  ];
}

const signaturesOf = memoByObject(
  (items: readonly AbiItem[]): ReadonlySet<string> => new Set(items.map(({ signature }) => signature)),
);

/** Functions or events, each signature once: the project's own first, then the best known. */
export function itemsInScope(cell: Cell, kind: Kind, scope: Scope): readonly AbiItem[] {
  const own = abiItems(cell, scope);
  const items = own.length === 0 ? none : own;
  return kind === "event" ? eventsWith(items) : functionsWith(items);
}

const eventsWith = memoByObject((own: readonly AbiItem[]) => collect(own, "event"));
const functionsWith = memoByObject((own: readonly AbiItem[]) => collect(own, "function"));

function collect(own: readonly AbiItem[], kind: Kind): readonly AbiItem[] {
  const { events, functions } = wellKnownItems;
  const seen = new Set<string>();
  return [...own.filter((item) => item.kind === kind), ...(kind === "event" ? events : functions)].filter(
    ({ signature }) => !seen.has(signature) && seen.add(signature),
  );
}

/** Suggests functions where call data is expected; accepting one writes it as a function with its arguments. */
export function calls(cell: Cell, place: ValueContext, scope: Scope): readonly Suggestion[] {
  const insert = (item: AbiItem): Snippet => callSnippet(item, scope);
  return itemsAt(place, cell, "function", scope).map((item) => new ItemSuggestion(item, scope, insert));
}

const callSnippet = remembering(
  (item: AbiItem, scope) =>
    `{ "function": ${string(declarationOf(item))}, "args": ${argsSnippet(item, scope).text} \\}`,
);

/** Suggests what is behind `function` or `event`, with `args` where they are missing. */
export function callables(cell: Cell, kind: Kind, place: ValueContext, scope: Scope): readonly Suggestion[] {
  const complete = place.siblings.includes("args");
  const insert = (item: AbiItem): Snippet => {
    const rest = complete || item.inputs.length === 0 ? "" : `, "args": ${argsSnippet(item, scope).text}`;
    return `${string(declarationOf(item))}${rest}`;
  };
  return itemsAt(place, cell, kind, scope).map((item) => new ItemSuggestion(item, scope, insert));
}

/** Formats a function in Solidity, without the names that do not matter to a call. */
export function declarationOf({ kind, name, inputs, outputs }: AbiItem): string {
  if (kind === "event") return `${name}(${inputs.map(withName).join(", ")})`;
  const returned = outputs.length === 0 ? "" : ` returns (${outputs.map(({ type }) => type.text).join(", ")})`;
  return `${name}(${inputs.map(({ type }) => type.text).join(",")})${returned}`;
}

function withName({ name, type, indexed }: AbiParam): string {
  return [type.text, indexed && "indexed", name].filter(Boolean).join(" ");
}

/**
 * A function or event to choose. A project has thousands of them and a list shows a few, so all but the label is made
 * when it is asked for; members of a class, since objects with getters of their own take ten times as long to make.
 */
export class ItemSuggestion implements Suggestion {
  readonly label: string;
  readonly kind: "event" | "function";
  protected readonly item: AbiItem;
  readonly #scope: Scope;
  readonly #insert: (item: AbiItem) => Snippet;

  constructor(item: AbiItem, scope: Scope, insert: (item: AbiItem) => Snippet) {
    this.label = item.name;
    this.kind = item.kind === "event" ? "event" : "function";
    this.item = item;
    this.#scope = scope;
    this.#insert = insert;
  }

  get insert(): Snippet {
    return this.#insert(this.item);
  }

  get detail(): string {
    return detailOf(this.item);
  }

  get signature(): string {
    return brief(signatureOf(this.item), 120);
  }

  get source(): string {
    return this.item.source;
  }

  get documentation(): () => Markdown {
    return () => itemDocs(this.item, this.#scope);
  }

  get typed(): string {
    return `${this.label} ${this.item.signature}`;
  }
}

/** Suggests an event by its topic 0, which it is found by as well. */
export class TopicSuggestion extends ItemSuggestion {
  readonly #event: AbiItem;

  constructor(event: AbiItem, scope: Scope) {
    super(event, scope, ({ hash }) => string(hash));
    this.#event = event;
  }

  override get typed(): string {
    return `${this.#event.signature} ${this.#event.hash}`;
  }
}

const detailOf = memoByObject((item: AbiItem): string => brief(`${signatureOf(item)} · ${item.source}`, 160));

/** Without its name, which is the label. */
function signatureOf({ inputs, outputs }: AbiItem): string {
  const returned = outputs.length === 0 ? "" : ` returns (${outputs.map(withName).join(", ")})`;
  return `(${inputs.map(withName).join(", ")})${returned}`;
}

/** The arguments of an item, with stops from a number on, and the number after the last of them. */
export function argsSnippet(
  { kind, inputs }: AbiItem,
  scope: Scope,
  first = 1,
): { readonly text: Snippet; readonly next: number } {
  if (kind === "event") return { text: `{ ${stop(first)} \\}`, next: first + 1 };
  const draft = new SnippetBuilder(scope, first);
  const args = inputs.map((input) => draft.argument(input.type));
  return { text: `[${args.join(", ")}]`, next: draft.next() };
}

/** Suggests values among the arguments of a readable call or filter, by their types. */
export function argumentValues(readable: Readable, place: ValueContext, scope: Scope): readonly Suggestion[] {
  const [item] = readable.items;
  if (readable.at.length === 0 && item)
    return [{ ...whole, detail: signatureOf(item), insert: argsSnippet(item, scope).text }];
  const argument = argumentAt(readable);
  switch (argument?.type.kind) {
    case "address":
      return addresses(scope, place);
    case "bool":
      return ["true", "false"].map((label) => ({ label, kind: "value", insert: label }));
    case "array":
    case "tuple":
      return [{ ...whole, detail: argument.type.text, insert: new SnippetBuilder(scope).argument(argument.type) }];
    default:
      return [];
  }
}

const whole = { label: "[…]", kind: "value" } as const;

/** A key and the value that it begins with. */
interface ArgumentKey extends Choice {
  readonly value: Snippet;
}

/** The indexed arguments of an event, by which a filter names its topics. */
export function argumentKeys({ items }: Readable, scope: Scope): readonly ArgumentKey[] {
  const [item] = items;
  if (item?.kind !== "event") return [];
  return argsOf(item)
    .filter(({ name }) => name !== "")
    .map((param) => ({
      label: param.name,
      kind: "key",
      detail: param.type.text,
      value: new SnippetBuilder(scope).argument(param.type),
    }));
}
