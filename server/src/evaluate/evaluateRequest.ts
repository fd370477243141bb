import type { AbiItem } from "../abi/item.ts";
import type { StoragePlace } from "../abi/storagePlace.ts";
import type { AbiParam } from "../abi/type.ts";
import { isArray, isObject, type JsonObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import type { Span } from "../base/span.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { MethodSpec } from "../catalog/spec.ts";
import { filledNodes, type RequestNode, wireMembers } from "../notebook/cell.ts";
import { exactValue, items, type JsonNode, spanOf } from "../notebook/json.ts";
import { readCell } from "../notebook/readCell.ts";
import type { Id } from "../rpc/outcome.ts";
import type { RawRequest } from "../rpc/wire.ts";
import { type AssumeContext, type Assumption, type AssumptionProblem, nothingKnown } from "./assume/assumption.ts";
import { mergeOverrides } from "./assume/mergeOverrides.ts";
import { assumingMethods, readAssumptions } from "./assume/readAssumptions.ts";
import {
  type ConverterContext,
  type Edit,
  edited,
  origin,
  type Readable,
  type ReadableProblem,
  replacing,
  type UnknownHead,
} from "./conversion.ts";
import type { BadEach } from "./each.ts";
import { type Filled, fill, type Unresolved, type Values } from "./fill.ts";
import { returnsOf } from "./namedItems.ts";
import { memberRead } from "./path.ts";
import { readablesAt } from "./readable.ts";
import type { RowFile } from "./rowFile.ts";
import { type BadSave, whyNotName } from "./save.ts";

/** A request as it is sent, and what a report needs. */
export interface EvaluatedRequest extends RawRequest {
  /** The method as the document's catalogue describes it, own OpenRPC documents included. */
  readonly spec?: MethodSpec | undefined;
  /** The parameters as they are sent; `undefined` if the request has none. */
  readonly params: JsonValue | undefined;
  /** The parameters contain no list and no object, so there is nothing to decode. */
  readonly flat?: boolean;
  /** The declared return values of the function that it calls; `undefined` if unknown. */
  readonly returns: readonly AbiParam[] | undefined;
  /** The declarations of the functions that its readable call data names. */
  readonly called?: readonly AbiItem[] | undefined;
  readonly assumed?: readonly Assumption[] | undefined;
  /** The stored values whose slots it names. */
  readonly places?: readonly StoragePlace[] | undefined;
  /** The values that it was made with, if its cell has `each`: by their paths. */
  readonly row?: JsonObject;
  /** The path of the file that its logs go to. */
  readonly save?: string;
}

export type Evaluated =
  | { readonly request: EvaluatedRequest; readonly problems?: undefined }
  | { readonly request?: undefined; readonly problems: readonly EvaluationProblem[] };

export type EvaluationProblem =
  | Unresolved
  | NotARequest
  | RepeatedMember
  | ReadableProblem
  | UnknownHead
  | BadEach
  | BadSave
  | AssumptionProblem;

export interface NotARequest {
  readonly code: "not-a-request";
  readonly span: Span;
  readonly what: "no method" | "broken JSON" | "an id of the wrong type";
}

/** The request has a member twice. Nodes differ in which one they use, so one could read and another write. */
export interface RepeatedMember {
  readonly code: "duplicate-key";
  readonly span: Span;
  readonly name: string;
  readonly sent: true;
}

/** The context for evaluating a request, apart from the values of placeholders. */
export interface EvaluationContext extends ConverterContext {
  readonly catalog: Catalog;
  /** For requests that assume something. If it lacks a fact, the problem contains the question. */
  readonly assume?: AssumeContext | undefined;
  /** The rows that cells take from files, by their paths; absent before a run. */
  readonly rowFiles?: ReadonlyMap<string, RowFile>;
}

/**
 * Makes the exact request of a cell: placeholders are filled, then readable values encoded. A request that is in
 * wire form already is sent byte for byte; otherwise directives are left out, missing members are added in front, and every
 * member that is sent keeps its own text.
 *
 * @param text - The cell's text, which the request's nodes refer to.
 * @param values - The values of placeholders.
 * @param freshId - The id for a request that has none.
 * @param context - If it lacks the block number of a tag, the problem names the tag.
 */
export function evaluateRequest(
  text: string,
  request: RequestNode,
  values: Values,
  freshId: number,
  context: EvaluationContext,
): Evaluated {
  const { node, method, members } = request;
  if (method === undefined) return notARequest(node, "no method");
  const { edits, problems } = mayRefer(text) ? filledMembers(text, request, values) : nothingToFill;
  if (problems.length > 0) return { problems };
  const filled = edits.length === 0 ? { text, request } : filledIn(text, request, edits);
  if (!filled) return notARequest(node, "broken JSON");
  const save = filled.request.members.get("save")?.value;
  const unsaved = save && whyNotName(save.value);
  if (save && unsaved !== undefined)
    return { problems: [{ code: "bad-save", span: spanOf(members.get("save")?.value ?? node), what: unsaved }] };
  const spec = context.catalog.methodNamed(method);
  const encoded = encodedIn(filled.text, filled.request, spec, context);
  const inCell = (found: readonly EvaluationProblem[]): Evaluated => ({
    problems: found.map((one) => ({ ...one, span: origin(one.span, spanOf(node).start, edits) })),
  });
  if (encoded.problems) return inCell(encoded.problems);
  const repeated = repeatedMember(filled.request, encoded.edits);
  if (repeated) return inCell([repeated]);
  const assuming = withAssumptions(filled.text, filled.request, method, encoded.edits, context);
  if (assuming?.problems) return inCell(assuming.problems);
  const sentEdits = assuming?.edits ?? encoded.edits;
  const sent =
    composed(filled.text, filled.request, sentEdits, freshId) ??
    edited(filled.text, spanOf(filled.request.node), sentEdits);
  const value = parseJson(sent);
  if (value === undefined) return notARequest(node, "broken JSON");
  const id = idOf(text, request, freshId);
  if (id === undefined) return notARequest(members.get("id")?.value ?? node, "an id of the wrong type");
  const sentParams = isObject(value) ? value.params : undefined;
  const { readables } = encoded;
  const returns = returnsOf(method, sentParams, readables, context.abi);
  const called = readables.length === 0 ? undefined : readables.flatMap(({ calls, filters }) => calls ?? filters ?? []);
  const places = readables.some(({ place }) => place) ? readables.flatMap(({ place }) => place ?? []) : undefined;
  return {
    request: {
      text: sent,
      id,
      method,
      spec,
      params: sentParams,
      flat: isFlat(sentParams),
      returns,
      called,
      places,
      ...(assuming && { assumed: assuming.list }),
      ...(typeof save?.value === "string" && { save: save.value }),
    },
  };
}

function notARequest(at: JsonNode, what: NotARequest["what"]): Evaluated {
  return { problems: [{ code: "not-a-request", span: spanOf(at), what }] };
}

function filledMembers(text: string, request: RequestNode, values: Values): Filled {
  const filled = filledNodes(request).map((node) => fill(text, node, values));
  return { edits: filled.flatMap(({ edits }) => edits), problems: filled.flatMap(({ problems }) => problems) };
}

type Assuming =
  | { readonly edits: readonly Edit[]; readonly list: readonly Assumption[]; readonly problems?: undefined }
  | { readonly problems: readonly AssumptionProblem[] };

/**
 * Adds what a request assumes to its overrides.
 *
 * @param edits - That bring its parameters into wire form.
 * @returns `undefined` for a request that assumes nothing.
 */
function withAssumptions(
  text: string,
  { members }: RequestNode,
  method: string,
  edits: readonly Edit[],
  { assume = nothingKnown, storage }: EvaluationContext,
): Assuming | undefined {
  const { key, value } = members.get("assume") ?? {};
  if (!key || !value) return undefined;
  const params = members.get("params")?.value;
  const written = params && parseJson(edited(text, spanOf(params), edits));
  if (!assumingMethods.includes(method) || !params || !isArray(written))
    return { problems: [{ code: "bad-assumption", span: spanOf(key), what: cannotAssume(method) }] };
  const block = written[1] ?? "latest";
  const request = { text, method, block, isOpen: () => false, storage: storage?.() };
  const { list, problems } = readAssumptions(value, request, assume);
  if (problems.length > 0) return { problems };
  if (list.length === 0) return { edits, list };
  const merged = mergeOverrides(method, written, list);
  return merged.problems ? merged : { edits: [replacing(params, printJson(merged.params))], list };
}

function cannotAssume(method: string): string {
  return assumingMethods.includes(method)
    ? "`assume` needs a request with parameters. Write the call in `params`."
    : "Only `eth_call`, `eth_estimateGas` and `eth_simulateV1` can assume something.";
}

function isFlat(params: JsonValue | undefined): boolean {
  return isArray(params) && params.every((value) => typeof value !== "object" || value === null);
}

/** Braces may be written as escapes. */
function mayRefer(text: string): boolean {
  return text.includes("{{") || text.includes("\\u");
}

const nothingToFill: Filled = { edits: [], problems: [] };

/** Fills the placeholders of a request, and reads it again. */
function filledIn(
  text: string,
  { node }: RequestNode,
  edits: readonly Edit[],
): { readonly text: string; readonly request: RequestNode } | undefined {
  const filled = edited(text, spanOf(node), edits);
  const { requests, faults } = readCell(filled);
  const [request] = requests;
  return request && faults.length === 0 ? { text: filled, request } : undefined;
}

type EncodedParams =
  | { readonly edits: readonly Edit[]; readonly readables: readonly Readable[]; readonly problems?: undefined }
  | { readonly problems: readonly EvaluationProblem[] };

function encodedIn(
  text: string,
  { members }: RequestNode,
  spec: MethodSpec | undefined,
  context: EvaluationContext,
): EncodedParams {
  const values = items(members.get("params")?.value).flatMap((node, at) => {
    const param = spec?.params[at];
    return param ? readablesAt(text, node, param.type, context, true) : [];
  });
  const readables = values.flatMap((one) => one.found);
  const problems = values.flatMap((one) => one.problems);
  const heads = readables.flatMap(({ head, span }): readonly UnknownHead[] =>
    head === undefined ? [] : [{ code: "unknown-head", span, tag: head }],
  );
  if (problems.length + heads.length > 0) return { problems: [...problems, ...heads] };
  const edits = readables.flatMap((one) => one.edits ?? []).sort((a, b) => a.span.start - b.span.start);
  return { edits, readables };
}

/** Composes the request to send; `undefined` if the text can be sent as it is. */
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

/** Finds the first member that the sent request would have twice, in any spelling. Readable values are replaced first. */
function repeatedMember({ node }: RequestNode, replaced: readonly Edit[]): RepeatedMember | undefined {
  const isReplaced = ({ offset }: JsonNode): boolean =>
    replaced.some(({ span: { start, end } }) => start <= offset && offset < end);
  // deeper inside a parameter, names are chosen by people: the fields of typed data
  const keyOf = (name: string, depth: number): string => (depth <= 2 ? memberRead(name) : name);
  const within = (value: JsonNode, isSent: (name: string) => boolean, depth = 0): RepeatedMember | undefined => {
    const seen = new Set<string>();
    for (const child of value.children ?? []) {
      const key = child.type === "property" ? child.children?.[0] : undefined;
      const name = key && String(key.value);
      if (name !== undefined && !isSent(name)) continue;
      if (key && name !== undefined && seen.has(keyOf(name, depth)))
        return { code: "duplicate-key", span: spanOf(key), name, sent: true };
      if (name !== undefined) seen.add(keyOf(name, depth));
      const item = key ? child.children?.[1] : child;
      const repeated = item && !isReplaced(item) ? within(item, () => true, depth + 1) : undefined;
      if (repeated) return repeated;
    }
    return undefined;
  };
  return within(node, (name) => wireMembers.includes(name));
}

function idOf(text: string, { members }: RequestNode, freshId: number): Id | undefined {
  const written: JsonNode | undefined = members.get("id")?.value;
  if (!members.has("id")) return freshId;
  const id = written && exactValue(text, written);
  return id === null || typeof id === "string" || typeof id === "number" || typeof id === "bigint" ? id : undefined;
}
