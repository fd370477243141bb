import type { AbiItem } from "../abi/item.ts";
import type { StoragePlace } from "../abi/storagePlace.ts";
import type { StorageScope } from "../abi/storageScope.ts";
import type { Span } from "../base/span.ts";
import { type JsonNode, spanOf } from "../notebook/json.ts";

/** The context for encoding readable values. */
export interface ConverterContext {
  /** The project's ABIs in scope, the nearest first. */
  readonly abi: readonly AbiItem[];
  /** Block numbers by tag. */
  readonly heads: ReadonlyMap<string, bigint>;
  /** Returns the project's storage layouts; without it, places by the name of a variable stay open. */
  readonly storage?: () => StorageScope;
}

/** A value that is not in wire form but can be brought into it. */
export interface Readable extends Converted {
  /** The value; of an event filter, its `event`. */
  readonly span: Span;
}

/** How a value is brought into wire form. */
interface Converted {
  /** The edits that bring it into wire form; `undefined` if parts of it are unknown yet. */
  readonly edits: readonly Edit[] | undefined;
  readonly form: "decimal" | "amount" | "block" | "call" | "event" | "topic" | "slot";
  /** The tag that it counts from, if its number is unknown yet. */
  readonly head?: string;
  readonly calls?: AbiItem;
  /** The event that it filters for. */
  readonly filters?: AbiItem;
  /** The stored value whose slot it is. */
  readonly place?: StoragePlace;
}

/** A readable value at a node, or the problem with it. */
export type Conversion = Converted | { readonly problems: readonly ReadableProblem[] };

/** The text in which readable values are searched for. */
export interface Context extends ConverterContext {
  readonly text: string;
  /** Returns whether a string contains a value that only the run knows. */
  isOpen(text: string): boolean;
}

/** A conversion that fails because of one value. */
export function wrong(span: Span, path: string, what: string): Conversion {
  return { problems: [{ code: "bad-argument", span, path, declared: undefined, what }] };
}

/** Returns the first key of an object that is none of those that it may have. */
export function strayKey(node: JsonNode, keys: readonly string[], { isOpen }: Context): JsonNode | undefined {
  return (node.children ?? [])
    .flatMap(({ children }) => children?.[0] ?? [])
    .find(({ value }) => !keys.includes(String(value)) && !isOpen(String(value)));
}

/** A block is counted from one whose number is unknown: `"latest - 100"` needs that of `latest`. */
export interface UnknownHead {
  readonly code: "unknown-head";
  readonly span: Span;
  readonly tag: string;
}

export interface Edit {
  readonly span: Span;
  readonly text: string;
}

export function replacing(node: JsonNode, json: string): Edit {
  return { span: spanOf(node), text: json };
}

/** Returns the text in `span` after the edits inside it. */
export function edited(text: string, span: Span, edits: readonly Edit[]): string {
  let result = "";
  let from = span.start;
  for (const edit of edits) {
    if (edit.span.start < span.start || edit.span.end > span.end) continue;
    result += text.slice(from, edit.span.start) + edit.text;
    from = edit.span.end;
  }
  return result + text.slice(from, span.end);
}

/** Converts a span of the filled text to one of the cell; a placeholder's value maps to the placeholder. */
export function origin({ start, end }: Span, from: number, edits: readonly Edit[]): Span {
  let shift = from;
  const span = { start: start + shift, end: end + shift };
  for (const edit of edits) {
    const filledStart = edit.span.start - shift;
    const filledEnd = filledStart + edit.text.length;
    const next = edit.span.end - filledEnd;
    if (start >= filledEnd) span.start = start + next;
    else if (start >= filledStart) span.start = edit.span.start;
    if (end > filledEnd) span.end = end + next;
    else if (end > filledStart) span.end = edit.span.end;
    shift = next;
  }
  return edits.length === 0 ? { start, end } : span;
}

/** A problem of a value that is to be encoded before it is sent. */
export type ReadableProblem = { readonly span: Span } & Readonly<
  | { code: "unknown-function" | "unknown-event"; name: string; nearest: readonly string[] }
  /** Several functions or events of this name accept these arguments. */
  | { code: "ambiguous-function" | "ambiguous-event"; name: string; declarations: readonly string[] }
  /** @remarks `path` is that of the value, `args[1]`; `declared` is `address to`; `what` is a clause. */
  | { code: "bad-argument"; path: string; declared: string | undefined; what: string }
  | { code: "bad-amount"; text: string; why: "unit" | "precision" | "negative" | "too-large" }
  /** `"latest - 100"` on a chain with fewer blocks. */
  | { code: "before-first-block"; text: string; head: bigint }
  /** A readable member beside the wire member that it replaces. */
  | { code: "exclusive-fields"; names: readonly string[]; why: string; advice: false }
>;
