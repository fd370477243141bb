import type { Span } from "../base/span.ts";
import { items, type JsonNode, member } from "./json.ts";

/**
 * One cell, read from its text. Reading never fails: broken text gives a cell with faults, and as much of its
 * structure as could be made out. Spans count from the start of `text`.
 */
export interface Cell {
  readonly kind: CellKind;
  /** The text of the cell: the slice of the file, or the notebook document's text. */
  readonly text: string;
  /** `undefined` where the text holds no JSON value at all, and in opaque cells. */
  readonly root: JsonNode | undefined;
  /** The requests in it: one for a request cell, its items for a batch, none otherwise. */
  readonly requests: readonly RequestNode[];
  /** Faults of the JSON, in order. */
  readonly faults: readonly SyntaxFault[];
  /** Which {@link directives} are in it or in one of its requests. Cells with the same ones share the set. */
  readonly directives: ReadonlySet<string>;
  /** Whether it is sent as written: it has no braces, no `$` and no escapes that could represent something else. */
  readonly literal: boolean;
}

/**
 * Goes by the shape that could be made out, also where the JSON has faults: a request being typed is a `request`.
 *
 * - `request`: an object with `method`, or any object that is none of the others.
 * - `batch`: `{ "batch": […] }` or a bare array. Items that are not objects are not among `requests`.
 * - `header`: everything of the root object but `cells`.
 * - `markdown`: its `text` is the Markdown itself, and `root` undefined; in a file that is shown as text, `text` is
 *   the slice of the file and `root` its tree.
 * - `unfinished`: text that is not an object or array yet, and `{ "text": […] }`, the form in which it is saved.
 * - `opaque`: JSON nested deeper than 512; shown and saved, not read.
 */
export type CellKind = "request" | "batch" | "header" | "markdown" | "unfinished" | "opaque";

/** The members of a request that have a meaning, as nodes of the cell's tree. The last of equal keys wins. */
export interface RequestNode {
  /** The request object itself. */
  readonly node: JsonNode;
  /** The method; `undefined` if it is missing or not a string. */
  readonly method: string | undefined;
  readonly name: string | undefined;
  /** Members by key, wire members and directives alike. */
  readonly members: ReadonlyMap<string, MemberNode>;
}

export interface MemberNode {
  readonly key: JsonNode;
  /** `undefined` while it is still being typed. */
  readonly value: JsonNode | undefined;
}

/** Returns the request that the answer at this place is to: a request with `each` has one for every row. */
export function requestAt({ requests }: Cell, at: number): RequestNode | undefined {
  const [first] = requests;
  return first?.members.has("each") ? first : requests[at];
}

/** Members of a request that are sent. */
export const wireMembers: readonly string[] = ["jsonrpc", "id", "method", "params"];
/** Members of a request in whose values placeholders are filled. */
const filledMembers: readonly string[] = ["params", "assume", "save"];

/** Returns the values in which the placeholders of a request are filled, in the order of the text. */
export function filledNodes({ members }: RequestNode): readonly JsonNode[] {
  return filledMembers.flatMap((name) => members.get(name)?.value ?? []).sort((a, b) => a.offset - b.offset);
}

/** Returns the values of a request that can refer to other cells: those that are filled, and those of its rows. */
export function referringNodes(request: RequestNode): readonly JsonNode[] {
  const rows = request.members.get("each")?.value;
  return rows ? [rows, ...filledNodes(request)].sort((a, b) => a.offset - b.offset) : filledNodes(request);
}
/** Members of a request that only this tool reads. */
export const directives: readonly string[] = [
  "name",
  "endpoint",
  "abi",
  "assume",
  "each",
  "expect",
  "within",
  "snapshot",
  "explain",
  "save",
];

/** A fault of the text as JSON. */
export interface SyntaxFault {
  readonly code: "json-syntax";
  readonly span: Span;
  /** The text is JSON, and not a request. */
  readonly isJson?: true;
  /** The problem or the expected value, in one clause without a full stop. */
  readonly what: string;
}

/** A cell, by its document in a notebook or by its ordinal among the cells of a text (a header is not counted). */
export type CellRef = { readonly uri: string } | { readonly index: number };

/** Returns the place of an item in a batch, from 1, that is not a request, so that it cannot be sent with the others. */
export function strayItem({ kind, root }: Cell): number | undefined {
  if (kind !== "batch") return undefined;
  const at = items(root?.type === "array" ? root : member(root, "batch")).findIndex(({ type }) => type !== "object");
  return at < 0 ? undefined : at + 1;
}

/** Methods whose answer is one transaction, or its receipt. */
const methods: ReadonlySet<string> = new Set(["eth_getTransactionByHash", "eth_getTransactionReceipt"]);

/** Whether `explain` has a meaning beside this method. */
export function isExplainable(method: string): boolean {
  return methods.has(method);
}

/** Whether a request asks for the case of its transaction. */
export function isExplained({ method, members }: RequestNode): boolean {
  return method !== undefined && isExplainable(method) && members.get("explain")?.value?.value === true;
}
