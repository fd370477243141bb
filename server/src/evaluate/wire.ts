import { isObject, type JsonValue, parseJson } from "../base/json.ts";
import type { Span } from "../base/span.ts";
import { type RequestNode, wireMembers } from "../notebook/cell.ts";
import { exactValue, type JsonNode, spanOf } from "../notebook/json.ts";
import type { Id } from "../rpc/outcome.ts";
import type { WireRequest as Sendable } from "../rpc/wire.ts";
import { fill, type Unresolved, type Values } from "./fill.ts";

/** A request as it will go over the wire, and what a report wants to know of it. */
export interface WireRequest extends Sendable {
  /** The parameters after all placeholders are filled; `undefined` where the request has none. */
  readonly params: JsonValue | undefined;
}

export type Evaluated =
  | { readonly request: WireRequest; readonly problems?: undefined }
  | { readonly request?: undefined; readonly problems: readonly EvaluationProblem[] };

export type EvaluationProblem = Unresolved | NotARequest;

/** What stands there cannot be sent as a request at all. */
export interface NotARequest {
  readonly code: "not-a-request";
  readonly span: Span;
  readonly what: "no method" | "broken JSON" | "an id of the wrong type";
}

/** A replacement in the text of a cell. */
export interface Edit {
  readonly span: Span;
  readonly text: string;
}

/**
 * Makes the exact wire request of a cell. A request that is already one is sent byte for byte; else directives are
 * left out, what is missing is added in front, and every member that goes out keeps its own text.
 *
 * @param text - The cell's text, in which the request's nodes count.
 * @param values - What placeholders stand for.
 * @param freshId - The id for a request that has none.
 */
export function wireRequest(text: string, request: RequestNode, values: Values, freshId: number): Evaluated {
  const { node, method, members } = request;
  if (method === undefined) return { problems: [{ code: "not-a-request", span: spanOf(node), what: "no method" }] };
  const params = members.get("params")?.value;
  const { edits, problems } = params ? fill(text, params, values) : { edits: [], problems: [] };
  if (problems.length > 0) return { problems };

  const sent = composed(text, request, edits, freshId) ?? edited(text, spanOf(node), edits);
  const value = parseJson(sent);
  const id = idOf(text, request, freshId);
  if (value === undefined) return { problems: [{ code: "not-a-request", span: spanOf(node), what: "broken JSON" }] };
  if (id === undefined) {
    const at = members.get("id")?.value ?? node;
    return { problems: [{ code: "not-a-request", span: spanOf(at), what: "an id of the wrong type" }] };
  }
  return { request: { text: sent, id, method, params: isObject(value) ? value.params : undefined } };
}

/** `undefined` where the text can go out as it is. */
function composed(
  text: string,
  { node, members }: RequestNode,
  edits: readonly Edit[],
  freshId: number,
): string | undefined {
  const properties = node.children ?? [];
  const sendable = properties.filter((property) => wireMembers.includes(String(property.children?.[0]?.value)));
  if (sendable.length === properties.length && members.has("jsonrpc") && members.has("id")) return undefined;
  const added = [
    ...(members.has("jsonrpc") ? [] : [`"jsonrpc":"2.0"`]),
    ...(members.has("id") ? [] : [`"id":${freshId}`]),
  ];
  return `{${[...added, ...sendable.map((property) => edited(text, spanOf(property), edits))].join(",")}}`;
}

/** The text in `span` with the edits that lie in it made. */
function edited(text: string, span: Span, edits: readonly Edit[]): string {
  let result = "";
  let from = span.start;
  for (const edit of edits) {
    if (edit.span.start < span.start || edit.span.end > span.end) continue;
    result += text.slice(from, edit.span.start) + edit.text;
    from = edit.span.end;
  }
  return result + text.slice(from, span.end);
}

function idOf(text: string, { members }: RequestNode, freshId: number): Id | undefined {
  const written: JsonNode | undefined = members.get("id")?.value;
  if (!members.has("id")) return freshId;
  const id = written && exactValue(text, written);
  return id === null || typeof id === "string" || typeof id === "number" || typeof id === "bigint" ? id : undefined;
}
