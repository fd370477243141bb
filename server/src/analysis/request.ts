import { type Span, span } from "../base/span.ts";
import { nearest } from "../base/text.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { effectByName, isHarmless } from "../catalog/effects.ts";
import type { MethodSpec, ParamSpec } from "../catalog/spec.ts";
import { directives, type RequestNode, wireMembers } from "../notebook/cell.ts";
import { type JsonNode, spanOf } from "../notebook/json.ts";
import { duplicates, membersOf } from "./object.ts";
import type { Problem } from "./problem.ts";
import { hasPlaceholder } from "./references.ts";
import { isSlip } from "./slip.ts";
import { isBlock } from "./types.ts";
import { checkValue, kindOfNode } from "./value.ts";

/** Checks one request by itself: its members, its method, its parameters. */
export function checkRequest(
  text: string,
  request: RequestNode,
  broken: boolean,
  catalog: Catalog,
): readonly Problem[] {
  const members = membersOf(request.node);
  return [
    ...duplicates(members),
    ...members.flatMap(({ name, key, value }) => checkMember(text, name, key, value)),
    ...checkMethod(request, broken, catalog),
    ...checkParams(text, request, broken, catalog),
  ];
}

const memberNames = [...wireMembers, ...directives];

function checkMember(text: string, name: string, key: JsonNode, value: JsonNode | undefined): readonly Problem[] {
  if (!memberNames.includes(name)) {
    return [{ code: "unknown-member", span: spanOf(key), name, nearest: nearest(name, memberNames, 1) }];
  }
  const due = value && expected[name];
  if (!due || due.isRight(value)) return [];
  return [{ code: "wrong-type", span: spanOf(value), expected: due.name, found: written(text, value) }];
}

interface Expected {
  readonly name: string;
  isRight(value: JsonNode): boolean;
}

function oneOfTypes(name: string, types: readonly JsonNode["type"][]): Expected {
  return { name, isRight: (value) => types.includes(value.type) };
}

/** What members hold; `method` and `params` are looked at by themselves. */
const expected: Readonly<Record<string, Expected>> = {
  jsonrpc: { name: '`"2.0"`', isRight: ({ value }) => value === "2.0" },
  id: oneOfTypes("a number, a string or `null`", ["number", "string", "null"]),
  name: oneOfTypes("a string", ["string"]),
  endpoint: oneOfTypes("the name of an endpoint", ["string"]),
  abi: oneOfTypes("a list of signatures and files", ["string", "array"]),
  expect: oneOfTypes("an object of paths", ["object"]),
  within: oneOfTypes('a time such as `"10 s"`', ["string"]),
  snapshot: oneOfTypes("`true` or `false`", ["boolean"]),
};

function written(text: string, node: JsonNode): string {
  const raw = text.slice(node.offset, node.offset + node.length);
  return node.type === "string" || node.type === "number"
    ? `\`${raw.slice(0, 40).replaceAll("`", "'")}\``
    : kindOfNode(node);
}

function checkMethod({ node, method, members }: RequestNode, broken: boolean, catalog: Catalog): readonly Problem[] {
  const value = members.get("method")?.value;
  if (method === undefined) {
    if (value)
      return [{ code: "wrong-type", span: spanOf(value), expected: "a method's name", found: kindOfNode(value) }];
    return broken ? [] : [{ code: "missing-method", span: openingOf(node) }];
  }
  if (catalog.methodNamed(method)) return [];
  // Anything farther off is more likely another method than a mistake.
  const near = nearest(method, sameNamespace(method, catalog), 1).filter((name) => isSlip(method, name));
  const slip = near.length > 0;
  const writes = !isHarmless(effectByName(method));
  return [{ code: "unknown-method", span: spanOf(value ?? node), name: method, nearest: near, slip, writes }];
}

/** `zks_getLogs` is no slip for `eth_getLogs`, but a method of one node's own. */
function sameNamespace(method: string, catalog: Catalog): readonly string[] {
  const names = catalog.methods.map(({ name }) => name);
  const prefix = method.slice(0, method.indexOf("_") + 1).toLowerCase();
  const same = names.filter((name) => prefix !== "" && name.startsWith(prefix));
  return same.length > 0 ? same : prefix === "" ? names : names.filter((name) => isSlip(method, name));
}

function checkParams(text: string, request: RequestNode, broken: boolean, catalog: Catalog): readonly Problem[] {
  const { method, members, node } = request;
  const spec = method === undefined ? undefined : catalog.methodNamed(method);
  const params = members.get("params");
  if (params && !params.value) return [];
  const value = params?.value?.type === "null" ? undefined : params?.value; // nodes take `null` for no parameters
  if (value && value.type !== "array" && !hasPlaceholder(text, value)) {
    if (value.type === "object")
      return spec ? [{ code: "named-params", span: openingOf(value), method: spec.name }] : [];
    return [{ code: "wrong-type", span: spanOf(value), expected: "an array", found: kindOfNode(value) }];
  }
  if (!spec || value?.type === "string") return [];
  const items = value?.children ?? [];
  const found = items.flatMap((item, at) => checkParam(text, item, spec.params[at]));
  const at = value ? closingOf(value) : spanOf(members.get("method")?.value ?? node);
  return [...found, ...extra(items, spec), ...(broken ? [] : missing(items, spec, at))];
}

function checkParam(text: string, item: JsonNode, param: ParamSpec | undefined): readonly Problem[] {
  if (!param || (item.type === "null" && (param.nullable || !param.required))) return [];
  return checkValue(text, item, param.type);
}

function extra(items: readonly JsonNode[], { name, params }: MethodSpec): readonly Problem[] {
  const first = items[params.length];
  const last = items.at(-1);
  if (!first || !last) return [];
  const at = span(first.offset, last.offset + last.length);
  return [{ code: "extra-param", span: at, method: name, takes: params.length }];
}

function missing(items: readonly JsonNode[], spec: MethodSpec, at: Span): readonly Problem[] {
  return spec.params.slice(items.length).flatMap((param, ahead): readonly Problem[] => {
    const position = items.length + ahead;
    if (param.required) return [{ code: "missing-param", span: at, method: spec.name, name: param.name, position }];
    if (param.advised === undefined || !isBlock(param.type)) return [];
    const assumed = param.default?.replaceAll('"', "");
    return [{ code: "missing-block", span: at, method: spec.name, assumed, why: param.advised }];
  });
}

function openingOf(node: JsonNode): Span {
  return span(node.offset, node.offset + 1);
}

/** The closing bracket stands for what is missing in a list. */
function closingOf(node: JsonNode): Span {
  return span(Math.max(node.offset, node.offset + node.length - 1), node.offset + node.length);
}
