import { membersOf } from "../analysis/object.ts";
import { stringsIn } from "../analysis/references.ts";
import type { Scope } from "../analysis/scope.ts";
import { type TypedValue, typedNodes } from "../analysis/typedTokens.ts";
import { isHex } from "../base/hex.ts";
import { memoByPair } from "../base/memo.ts";
import { type Span, shift, span } from "../base/span.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { shapesOf } from "../catalog/types.ts";
import { isOperator } from "../evaluate/operators.ts";
import { type Cell, directives, type RequestNode } from "../notebook/cell.ts";
import { headerKeys } from "../notebook/header.ts";
import { inQuotes, type JsonNode, member, spanOf } from "../notebook/json.ts";
import { type Part, partsOf } from "../notebook/placeholder.ts";
import type { tokenModifiers, tokenTypes } from "./tokenLegend.ts";

export interface SemanticToken {
  /** On one line. */
  readonly span: Span;
  readonly type: (typeof tokenTypes)[number];
  readonly modifiers: readonly (typeof tokenModifiers)[number][];
}

/** Tokens of a cell, in the order of the text and without overlap. Text without a meaning has no token. */
export function semanticTokens(cell: Cell, { catalog }: Scope): readonly SemanticToken[] {
  return tokensBy(cell, catalog);
}

const tokensBy = memoByPair((cell: Cell, catalog: Catalog) =>
  inOrder(cell.text, cell.kind === "header" ? inHeader(cell) : inRequests(cell, catalog)),
);

/** Broken text can bring two readings of one place, and strings over a line's end. */
function inOrder(text: string, tokens: readonly SemanticToken[]): readonly SemanticToken[] {
  const sorted = tokens.filter(({ span: { start, end } }) => start < end && !/[\r\n]/.test(text.slice(start, end)));
  sorted.sort((a, b) => a.span.start - b.span.start);
  let end = 0;
  return sorted.filter(({ span }) => {
    if (span.start < end) return false;
    end = span.end;
    return true;
  });
}

function token(
  at: Span,
  type: SemanticToken["type"],
  ...modifiers: readonly SemanticToken["modifiers"][number][]
): SemanticToken {
  return { span: at, type, modifiers };
}

/** A token for a node; for a string, the text between its quotes. */
function whole(
  text: string,
  node: JsonNode,
  type: SemanticToken["type"],
  ...modifiers: SemanticToken["modifiers"]
): SemanticToken {
  return token(inQuotes(text, spanOf(node)), type, ...modifiers);
}

function inHeader({ text, root }: Cell): readonly SemanticToken[] {
  const entries = (key: string): ReturnType<typeof membersOf> => {
    const node = member(root, key);
    return node?.type === "object" ? membersOf(node) : [];
  };
  const hex = [
    member(root, "chainId"),
    ...entries("variables").map(({ value }) => value),
    ...entries("labels").map(({ key }) => key),
  ];
  return [
    ...keywords(text, root, headerKeys),
    ...entries("variables").map(({ key }) => whole(text, key, "variable", "declaration")),
    ...hex.flatMap((node) => (node && isHex(node.value) ? [whole(text, node, "number")] : [])),
  ];
}

const batchKeys = ["batch", ...directives];

function inRequests(cell: Cell, catalog: Catalog): readonly SemanticToken[] {
  const { kind, text, root, requests } = cell;
  const name = kind === "batch" ? member(root, "name") : undefined;
  return [
    ...(kind === "batch" ? keywords(text, root, batchKeys) : []),
    ...(name?.type === "string" ? [whole(text, name, "variable", "declaration")] : []),
    ...requests.flatMap((request) => inRequest(text, request, catalog)),
    ...typedNodes(cell, catalog).flatMap((one) =>
      one.kind === "field" ? [whole(text, one.node, "property")] : inValue(text, one),
    ),
  ];
}

function keywords(text: string, node: JsonNode | undefined, keys: readonly string[]): readonly SemanticToken[] {
  if (node?.type !== "object") return [];
  return membersOf(node).flatMap(({ name, key }) => (keys.includes(name) ? [whole(text, key, "keyword")] : []));
}

function inRequest(text: string, { node, method, members }: RequestNode, catalog: Catalog): readonly SemanticToken[] {
  const value = (key: string): JsonNode | undefined => members.get(key)?.value;
  const [called, name, params, expect] = ["method", "name", "params", "expect"].map(value);
  const isKnown = method !== undefined && catalog.methodNamed(method) !== undefined;
  return [
    ...keywords(text, node, directives),
    ...(called && isKnown ? [whole(text, called, "method")] : []),
    ...(name?.type === "string" ? [whole(text, name, "variable", "declaration")] : []),
    ...(params ? [...stringsIn(params)].flatMap((string) => placeholders(text, string)) : []),
    ...(expect ? operatorsIn(text, expect) : []),
  ];
}

/** The keys of `expect` are paths; of what is behind one, the keys are operators. */
function operatorsIn(text: string, expect: JsonNode): readonly SemanticToken[] {
  return membersOf(expect).flatMap(({ value }) => {
    const keys = value?.type === "object" ? membersOf(value) : [];
    return keys.every(({ name }) => isOperator(name)) ? keys.map(({ key }) => whole(text, key, "operator")) : [];
  });
}

/** A string with placeholders falls apart into them and the text between them. */
function placeholders(text: string, string: JsonNode): readonly SemanticToken[] {
  if (!String(string.value).includes("{{")) return [];
  const parts = partsOf(text.slice(string.offset, string.offset + string.length));
  if (parts.every(({ kind }) => kind === "text")) return [];
  return parts.flatMap(inPart).map((one) => ({ ...one, span: shift(one.span, string.offset) }));
}

function inPart(part: Part): readonly SemanticToken[] {
  if (part.kind === "text") return [token(part.span, "string")];
  const ofHost = String(part.path[0]).startsWith("$");
  return part.segments.map((at, depth) => {
    if (depth === 0) return ofHost ? token(at, "variable", "defaultLibrary") : token(at, "variable");
    return token(at, typeof part.path[depth] === "number" ? "number" : ofHost ? "variable" : "property");
  });
}

function inValue(text: string, { node, type }: TypedValue): readonly SemanticToken[] {
  if (node.type !== "string") return [];
  const value = String(node.value);
  const shapes = shapesOf(type).flatMap((shape) => (shape.kind === "one" ? [shape.type] : []));
  const isOne = shapes.some((shape) => shape.kind === "oneOf" && shape.values.some((one) => one.value === value));
  const kinds = new Set(shapes.map(({ kind }) => kind));
  if (isHex(value)) return isOne || kinds.has("quantity") || kinds.has("bytes") ? [whole(text, node, "number")] : [];
  if (isOne) return [whole(text, node, "enumMember")];
  return kinds.has("quantity") ? inWords(inQuotes(text, spanOf(node)), text) : [];
}

/** `latest - 100`, `1.5 ether`, `21000` */
function inWords(at: Span, text: string): readonly SemanticToken[] {
  const found =
    /^(?<tag>latest|pending|safe|finalized|earliest)\s*(?<sign>[-+])\s*(?<offset>\d+)$|^(?<amount>\d+(?:\.\d+)?)(?:\s*(?<unit>wei|gwei|ether))?$/d.exec(
      text.slice(at.start, at.end),
    );
  return Object.entries(found?.indices?.groups ?? {}).flatMap(([name, place]) => {
    const type = wordTypes[name];
    return place && type ? [token(span(at.start + place[0], at.start + place[1]), type)] : [];
  });
}

const wordTypes: Readonly<Record<string, SemanticToken["type"]>> = {
  tag: "enumMember",
  sign: "operator",
  offset: "number",
  amount: "number",
  unit: "keyword",
};
