import type { ProblemWith } from "../analysis/problem.ts";
import { servesAhead } from "../analysis/scope.ts";
import { wireObjectsOf } from "../analysis/types.ts";
import type { Span } from "../base/span.ts";
import { nearest, plural } from "../base/text.ts";
import type { MethodSpec, ParamSpec } from "../catalog/spec.ts";
import { isBlock, shapesOf } from "../catalog/types.ts";
import type { RequestNode } from "../notebook/cell.ts";
import { items, type JsonNode } from "../notebook/json.ts";
import { addItem, addMember, containerAt, gapBefore, removal, replace, textOf } from "./edits.ts";
import { type Fix, fix, inTitle, type Site } from "./fix.ts";

/** The request whose `params` or `method` a problem is in. */
function requestAt({ cell }: Site, at: Span): RequestNode | undefined {
  return cell.requests.findLast(({ node }) => node.offset <= at.start && at.end <= node.offset + node.length);
}

export function fixMissingParam(
  site: Site,
  { span: at, method, position }: ProblemWith<"missing-param">,
): readonly Fix[] {
  const param = site.scope.catalog.methodNamed(method)?.params[position];
  const json = param && onlyValue(param, site);
  return json === undefined ? [] : addParam(site, at, position, json);
}

export function fixMissingBlock(site: Site, { span: at, method }: ProblemWith<"missing-block">): readonly Fix[] {
  const params = site.scope.catalog.methodNamed(method)?.params ?? [];
  const position = params.findIndex(({ type, advised }) => advised !== undefined && isBlock(type));
  return addParam(site, at, position, usualBlock(site));
}

/** The default value of a parameter, if there is no choice to make. */
function onlyValue(param: ParamSpec, site: Site): string | undefined {
  if (isBlock(param.type)) return usualBlock(site);
  if (param.default !== undefined) return param.default;
  const booleans = shapesOf(param.type).some((shape) => shape.kind === "one" && shape.type.kind === "boolean");
  return booleans ? "false" : undefined;
}

function usualBlock({ scope }: Site): string {
  return servesAhead(scope) ? '"pending"' : '"latest"';
}

/** Only behind the parameters that are there: in front of it none may be missing. */
function addParam(site: Site, at: Span, position: number, json: string): readonly Fix[] {
  const request = requestAt(site, at);
  const params = request?.members.get("params");
  if (!request || items(params?.value).length !== position) return [];
  const { text } = site.cell;
  const title = `Add ${inTitle(json)}`;
  if (!params) return fix(site, title, true, addParams(text, request, json));
  if (!params.value || params.value.type === "null") {
    return params.value ? fix(site, title, true, replace(params.value, `[${json}]`)) : [];
  }
  return params.value.type === "array" ? fix(site, title, true, addItem(text, params.value, json)) : [];
}

/** `params` is behind `method`. */
function addParams(text: string, { node, members }: RequestNode, json: string): ReturnType<typeof addMember> {
  const method = members.get("method")?.value;
  if (!method?.parent) return addMember(text, node, "params", `[${json}]`);
  const end = method.offset + method.length;
  const insert = `,${method.parent === node.children?.[0] ? gapOfSecond(text, node) : gapBefore(text, method.parent)}"params": [${json}]`;
  return { span: { start: end, end }, insert };
}

function gapOfSecond(text: string, { children = [] }: JsonNode): string {
  const next = children[1] ?? children[0];
  return next ? gapBefore(text, next) : " ";
}

export function fixExtra(site: Site, { span: at, takes }: ProblemWith<"extra-param">): readonly Fix[] {
  const params = requestAt(site, at)?.members.get("params")?.value;
  const extra = items(params).slice(takes);
  const [first, last] = [extra[0], extra.at(-1)];
  if (!first || !last) return [];
  const { span: cut } = removal(first);
  const end = last.offset + last.length;
  return fix(site, `Delete ${plural(extra.length, "parameter")}`, true, replace({ start: cut.start, end }, ""));
}

export function fixSwapped(site: Site, { span: at }: ProblemWith<"swapped-params">): readonly Fix[] {
  const params = items(requestAt(site, at)?.members.get("params")?.value);
  const first = params.find(({ offset }) => offset === at.start);
  const second = first && params[params.indexOf(first) + 1];
  if (!first || !second) return [];
  const { text } = site.cell;
  const edits = [replace(first, textOf(text, second)), replace(second, textOf(text, first))];
  return fix(site, "Swap the two", true, ...edits);
}

/** Named parameters become positional ones; an object that is the first parameter itself is put into the list. */
export function fixNamed(site: Site, { span: at, method }: ProblemWith<"named-params">): readonly Fix[] {
  const spec = site.scope.catalog.methodNamed(method);
  const object = containerAt(site.cell.root, at.start);
  if (!spec || object?.type !== "object") return [];
  const keys = (object.children ?? []).map(({ children }) => String(children?.[0]?.value));
  const [first] = spec.params;
  const fields = first ? wireObjectsOf(first.type).flatMap(({ fields }) => fields.map(({ name }) => name)) : [];
  if (keys.length > 0 && keys.every((key) => fields.includes(key) && key !== first?.name)) {
    const edits = [replace({ start: object.offset, end: object.offset }, "["), replace(behind(object), "]")];
    return fix(site, "Put it in a list", true, ...edits);
  }
  const values = inOrder(site.cell.text, object, spec);
  return values
    ? fix(site, "Write the parameters by position", true, replace(object, listed(site.cell.text, object, values)))
    : [];
}

function behind({ offset, length }: JsonNode): Span {
  return { start: offset + length, end: offset + length };
}

/** @returns `undefined` where a key is of no parameter, or a parameter in between has no value. */
function inOrder(text: string, object: JsonNode, { params }: MethodSpec): readonly string[] | undefined {
  const names = params.map(({ name }) => name);
  const given = new Map<string, string>();
  for (const { children } of object.children ?? []) {
    const [key, value] = children ?? [];
    const name = nearest(String(key?.value), names, 1)[0];
    if (name === undefined || !value || given.has(name)) return undefined;
    given.set(name, textOf(text, value));
  }
  const last = params.findLastIndex(({ name, required }) => given.has(name) || required);
  const values = params.slice(0, last + 1).map(({ name, default: assumed }) => given.get(name) ?? assumed);
  return values.every((value) => value !== undefined) ? values : undefined;
}

function listed(text: string, object: JsonNode, values: readonly string[]): string {
  const first = object.children?.[0];
  const gap = first ? gapBefore(text, first) : " ";
  if (!/[\r\n]/.test(gap)) return `[${values.join(", ")}]`;
  const end = /\s*$/.exec(textOf(text, object).slice(0, -1))?.[0] ?? "";
  return `[${gap}${values.join(`,${gap}`)}${end}]`;
}
