import type { AbiItem } from "../abi/item.ts";
import { type Span, span } from "../base/span.ts";
import { nearest } from "../base/text.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { isHarmless } from "../catalog/effects.ts";
import type { MethodSpec, ParamSpec } from "../catalog/spec.ts";
import { isBlock, type Shape, shapesOf } from "../catalog/types.ts";
import { checkEach, whyNotEach } from "../evaluate/each.ts";
import { whyNotSave } from "../evaluate/save.ts";
import { type Cell, directives, isExplainable, type RequestNode, wireMembers } from "../notebook/cell.ts";
import { items, type JsonNode, member, spanOf } from "../notebook/json.ts";
import { outcomeShape } from "./decodedShape.ts";
import { checkMemberValue } from "./directives.ts";
import { checkExpect, checkWithin } from "./expectation.ts";
import { duplicates, duplicatesWithin, membersOf } from "./object.ts";
import { listOfResults, resultOf } from "./placeholders.ts";
import type { Problem } from "./problem.ts";
import { hasPlaceholder } from "./references.ts";
import { asSample } from "./samplePlaceholder.ts";
import { severity } from "./severity.ts";
import { isTypo } from "./typo.ts";
import { checkValue, kindOfNode } from "./value.ts";

/** The context that a request is checked with. */
interface CheckedCell {
  readonly cell: Cell;
  readonly text: string;
  /** It has faults: nothing is said to be missing, since it may be what is being typed. */
  readonly broken: boolean;
  readonly catalog: Catalog;
  /** The project's declarations for the cell. */
  readonly abi: readonly AbiItem[];
}

/** Checks one request by itself: its members, its method, its parameters. */
export function checkRequest(request: RequestNode, known: CheckedCell): readonly Problem[] {
  const { text } = known;
  const members = membersOf(request.node);
  return [
    ...duplicates(members, (name) => wireMembers.includes(name)),
    ...members.flatMap(({ name, key, value }) => checkMember(text, name, key, value, request)),
    ...checkMethod(request, known),
    ...checkParams(request, known),
    ...checkDirectives(request, known),
  ];
}

function checkDirectives(request: RequestNode, { cell, text, catalog, abi }: CheckedCell): readonly Problem[] {
  const expect = request.members.get("expect")?.value;
  const within = request.members.get("within")?.value;
  return [
    ...(expect ? checkExpect(text, expect, () => resultOf(request, catalog), outcomeShape(request, abi, catalog)) : []),
    ...(within && !expect ? checkWithin(within) : []),
    ...checkExplain(request),
    ...checkRows(request, cell, catalog),
    ...checkSave(request, cell),
  ];
}

function checkRows(request: RequestNode, cell: Cell, catalog: Catalog): readonly Problem[] {
  const { key, value } = request.members.get("each") ?? {};
  if (!key || value?.type !== "object") return [];
  const what = whyNotEach(cell, request, catalog);
  return what === undefined ? checkEach(cell.text, value, request) : [{ code: "bad-each", span: spanOf(key), what }];
}

function checkSave(request: RequestNode, cell: Cell): readonly Problem[] {
  const { key, value } = request.members.get("save") ?? {};
  const what = whyNotSave(cell, request);
  return key && what !== undefined ? [{ code: "bad-save", span: spanOf(value ?? key), what }] : [];
}

function checkExplain({ method, members }: RequestNode): readonly Problem[] {
  const { key, value } = members.get("explain") ?? {};
  if (!key || value?.value !== true || method === undefined || isExplainable(method)) return [];
  return [{ code: "misplaced-explain", span: spanOf(key), method }];
}

const memberNames = [...wireMembers, ...directives];

function checkMember(
  text: string,
  name: string,
  key: JsonNode,
  value: JsonNode | undefined,
  { members }: RequestNode,
): readonly Problem[] {
  if (!memberNames.includes(name)) {
    const possible = members.has("method") ? memberNames : [...memberNames, "batch", "markdown", "text"];
    return [{ code: "unknown-member", span: spanOf(key), name, nearest: nearest(name, possible, 1) }];
  }
  return checkMemberValue(text, name, value);
}

function checkMethod(
  { node, method, members }: RequestNode,
  { text, broken, catalog }: CheckedCell,
): readonly Problem[] {
  const value = members.get("method")?.value;
  if (value && hasPlaceholder(text, value)) return []; // said of every member that no placeholder is filled in
  if (method === undefined) {
    if (value)
      return [{ code: "wrong-type", span: spanOf(value), expected: "a method's name", found: kindOfNode(value) }];
    return broken ? [] : [{ code: "missing-method", span: openingOf(node) }];
  }
  if (method.trim() === "") return broken ? [] : [{ code: "missing-method", span: spanOf(value ?? node) }];
  const spec = catalog.methodNamed(method);
  if (spec) {
    return isHarmless(spec.effect) || spec.effect === "unknown"
      ? []
      : [{ code: "signing-method", span: spanOf(value ?? node), method, effect: spec.effect }];
  }
  // Anything farther off is more likely another method than a mistake.
  const known = catalog.methodNamed(`eth_${method}`)?.name;
  const near = known
    ? [known]
    : nearest(method, slipsIn(method, catalog), 1).filter((name) => !isSibling(method, name));
  const slip = near.length > 0;
  return [{ code: "unknown-method", span: spanOf(value ?? node), name: method, nearest: near, slip }];
}

/**
 * Whether two names are more likely two methods than one and a slip: a getter and its setter, one and many. The `eth_`
 * namespace is specified, so that its names are all known.
 */
function isSibling(method: string, name: string): boolean {
  if (/^eth_/i.test(method)) return false;
  const plain = (text: string): string => text.replace(/_set(?=[A-Z])/, "_get").replace(/s$/, "");
  return plain(method) === plain(name);
}

/** The methods that are one slip away. `zks_getLogs` is none of `eth_getLogs`, but a method of one node's own. */
function slipsIn(method: string, catalog: Catalog): readonly string[] {
  const prefix = method.slice(0, method.indexOf("_") + 1).toLowerCase();
  const near = catalog.methods.flatMap(({ name }) => (isTypo(method, name) ? name : []));
  const same = near.filter((name) => name.startsWith(prefix));
  return same.length > 0 || catalog.methods.some(({ name }) => prefix !== "" && name.startsWith(prefix)) ? same : near;
}

function checkParams(request: RequestNode, known: CheckedCell): readonly Problem[] {
  const { text, broken, catalog } = known;
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
  if (!spec) return value ? duplicatesWithin(value) : [];
  if (value?.type === "string") return [];
  const items = value?.children ?? [];
  const found = inOrder(text, items, spec, (item, param) =>
    isUnknownKind(items, param) ? [] : asSample(text, item, checkParam(item, param, known)),
  );
  const at = value ? closingOf(value) : spanOf(members.get("method")?.value ?? node);
  return [...found, ...extra(items, spec), ...leftOver(items, spec), ...(broken ? [] : missing(items, spec, at))];
}

/** Two neighbours, one of them wrong, that are both right in each other's place are one mistake. */
function inOrder(
  text: string,
  items: readonly JsonNode[],
  { name, params }: MethodSpec,
  checkOne: (item: JsonNode, param: ParamSpec | undefined) => readonly Problem[],
): readonly Problem[] {
  const found = items.map((item, at) => checkOne(item, params[at]));
  for (let at = 0; at + 1 < items.length; at++) {
    const [first, second] = [items[at], items[at + 1]];
    const [one, two] = [params[at], params[at + 1]];
    if (!first || !second || !one || !two) continue;
    const wrong = [found[at], found[at + 1]].filter(isWrong).length;
    // what only the run knows would be right anywhere
    if (wrong === 0 || (wrong === 1 && [first, second].some((item) => hasPlaceholder(text, item)))) continue;
    if (checkOne(first, two).length > 0 || checkOne(second, one).length > 0) continue;
    const both = span(first.offset, second.offset + second.length);
    found.splice(at, 2, [{ code: "swapped-params", span: both, method: name, names: [one.name, two.name] }], []);
  }
  return found.flat();
}

function isWrong(problems: readonly Problem[] | undefined): boolean {
  return problems?.some((problem) => severity(problem) === "error") ?? false;
}

/** Whether an earlier parameter names a kind that only its node knows. */
function isUnknownKind(items: readonly JsonNode[], param: ParamSpec | undefined): boolean {
  const kind = param?.after && items[param.after.position];
  return kind?.type === "string" && shapesOf(param?.after?.type ?? "").every((shape) => !isOneOf(shape, kind.value));
}

function isOneOf(shape: Shape, value: unknown): boolean {
  return shape.kind === "one" && shape.type.kind === "oneOf" && shape.type.values.some((one) => one.value === value);
}

function checkParam(
  item: JsonNode,
  param: ParamSpec | undefined,
  { text, abi, broken }: CheckedCell,
): readonly Problem[] {
  if (!param || (item.type === "null" && (param.nullable || !param.required))) return [];
  const found = checkValue(text, item, param.type, abi);
  return broken ? found.filter(({ code }) => code !== "bad-argument") : found; // arguments may be what is being typed
}

/** A parameter of another kind, such as the filter of `logs` after `newHeads`. */
function leftOver(items: readonly JsonNode[], { name, params }: MethodSpec): readonly Problem[] {
  return params.flatMap(({ after }, at) => {
    const item = items[at];
    const kind = after && String(items[after.position]?.value);
    const followed = kind === undefined ? undefined : after?.followed?.[kind];
    if (!item || !followed || (item.type !== "object" && item.type !== "boolean")) return [];
    if (followed.includes(item.type)) return [];
    return [{ code: "extra-param", span: spanOf(item), method: name, takes: at, empty: false, kind: String(kind) }];
  });
}

function extra(items: readonly JsonNode[], { name, params }: MethodSpec): readonly Problem[] {
  const first = items[params.length];
  const last = items.at(-1);
  if (!first || !last) return [];
  const at = span(first.offset, last.offset + last.length);
  const empty = items.slice(params.length).every(({ type }) => type === "null");
  return [{ code: "extra-param", span: at, method: name, takes: params.length, empty }];
}

function missing(items: readonly JsonNode[], spec: MethodSpec, at: Span): readonly Problem[] {
  return spec.params.slice(items.length).flatMap((param, ahead): readonly Problem[] => {
    const position = items.length + ahead;
    const { name, required, advised } = param;
    if (required || (advised !== undefined && !isBlock(param.type)))
      return [{ code: "missing-param", span: at, method: spec.name, name, position, advised }];
    if (advised === undefined) return [];
    const assumed = param.default?.replaceAll('"', "");
    return [{ code: "missing-block", span: at, method: spec.name, assumed, why: advised }];
  });
}

function openingOf(node: JsonNode): Span {
  return span(node.offset, node.offset + 1);
}

/** Returns the closing bracket, which marks what is missing in a list. */
function closingOf(node: JsonNode): Span {
  return span(Math.max(node.offset, node.offset + node.length - 1), node.offset + node.length);
}

const batchMembers = ["batch", ...directives.filter((name) => name !== "each" && name !== "save")];

/** Checks what surrounds the requests of a batch; the requests are checked one by one. */
export function checkBatch(cell: Cell, catalog: Catalog): readonly Problem[] {
  const { text, root, faults } = cell;
  if (!root) return [];
  if (root.type === "array") return checkItems(root, faults.length > 0);
  const members = membersOf(root);
  const [batch, expect, within] = ["batch", "expect", "within"].map((key) => member(root, key));
  const expects = expect !== undefined || cell.requests.some(({ members: own }) => own.has("expect"));
  return [
    ...duplicates(members),
    ...members.flatMap(({ name, key, value }): readonly Problem[] => {
      if (batchMembers.includes(name)) return checkMemberValue(text, name, value);
      return [{ code: "unknown-member", span: spanOf(key), name, nearest: nearest(name, batchMembers, 1) }];
    }),
    ...(batch ? checkItems(batch, faults.length > 0) : []),
    ...(expect ? checkExpect(text, expect, ([item]) => listOfResults(cell, item, catalog)) : []),
    ...(within && !expects ? checkWithin(within) : []),
  ];
}

function checkItems(batch: JsonNode, broken: boolean): readonly Problem[] {
  if (batch.type !== "array") {
    return [{ code: "wrong-type", span: spanOf(batch), expected: "a list of requests", found: kindOfNode(batch) }];
  }
  const requests = items(batch);
  if (requests.length === 0) return broken ? [] : [{ code: "missing-method", span: spanOf(batch) }];
  return requests.flatMap((item): readonly Problem[] =>
    item.type === "object"
      ? []
      : [{ code: "wrong-type", span: spanOf(item), expected: "a request", found: kindOfNode(item) }],
  );
}
