import { brief, nearest } from "../base/text.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { TypeRef } from "../catalog/spec.ts";
import { itemsOf, listOf } from "../catalog/types.ts";
import { namesOf, whereSet } from "../endpoints/hostValue.ts";
import { type Cell, type RequestNode, referringNodes } from "../notebook/cell.ts";
import { type JsonNode, member, spanOf, textsIn } from "../notebook/json.ts";
import { partsOf } from "../notebook/placeholder.ts";
import { abiEntries, abiItems } from "./abi.ts";
import { checkPath, firstSteps, type KnownOutcome } from "./checkPath.ts";
import { outcomeShape } from "./decodedShape.ts";
import { names } from "./order.ts";
import type { Problem } from "./problem.ts";
import { type Dependency, dependencies, expectedValues, hostDependencies, stringsIn } from "./references.ts";
import type { Scope } from "./scope.ts";

/** Finds placeholders in places where they are not filled: outside `params`, `assume`, `each` and expected values, and in a header. */
export function unfilled(cell: Cell): readonly Problem[] {
  const { text, kind, root, requests } = cell;
  if (!root || !text.includes("{{")) return [];
  const filled = new Set(requests.flatMap(referringNodes));
  const ownUse = new Set([
    ...abiEntries(cell).map(({ address }) => address),
    ...expectedValues(cell).flatMap((node) => [...stringsIn(node)]),
  ]);
  const whole = kind === "header" || (kind === "batch" && root.type === "object");
  const objects = [...(whole ? [root] : []), ...requests.map(({ node }) => node)];
  return objects.flatMap((object) =>
    (object.children ?? []).flatMap(({ children }) => {
      const [key, value] = children ?? [];
      if (!key || key.value === "batch") return [];
      const inValue = value && !filled.has(value) ? [...textsIn(value)].filter(({ node }) => !ownUse.has(node)) : [];
      return [{ node: key }, ...inValue].flatMap(({ node }) => unfilledIn(text, node, String(key.value)));
    }),
  );
}

function unfilledIn(text: string, node: JsonNode, member: string): readonly Problem[] {
  if (!String(node.value).includes("{{")) return [];
  const { start, end } = spanOf(node);
  return partsOf(text.slice(start, end)).flatMap((part): readonly Problem[] => {
    if (part.kind !== "reference") return [];
    const at = { start: start + part.span.start, end: start + part.span.end };
    return [{ code: "unfilled-placeholder", span: at, text: text.slice(at.start, at.end), member: brief(member, 60) }];
  });
}

/** Checks where placeholders look: their names, and the steps behind them. */
export function checkPlaceholders(cell: Cell, scope: Scope): readonly Problem[] {
  return [...dependencies(cell).flatMap((dependency) => checkOne(dependency, scope)), ...unsetValues(cell, scope)];
}

function unsetValues(cell: Cell, { hostNames }: Scope): readonly Problem[] {
  if (!hostNames) return [];
  return hostDependencies(cell).flatMap(({ source, name, span }): readonly Problem[] =>
    whereSet({ source, name }, hostNames) === undefined
      ? [{ code: "unset-value", span, source, name, nearest: nearest(name, namesOf(source, hostNames), 1) }]
      : [],
  );
}

function checkOne(dependency: Dependency, scope: Scope): readonly Problem[] {
  const { name, span, path, steps, stepSpans } = dependency;
  const value = scope.variables.get(name);
  if (value !== undefined) {
    return checkPath({ steps, spans: stepSpans, prefix: "" }, { result: undefined, last: { [name]: value } });
  }
  const target = names(scope.cells).get(name)?.cell;
  if (!target) return [{ code: "unresolved-placeholder", span, path, name, nearest: nearestName(name, scope) }];
  const [, first] = steps;
  if (first === undefined) return [{ code: "bad-path", span, why: "no-step", path, meant: `${path}.result` }];
  if (!firstSteps.includes(String(first))) {
    const near = nearest(String(first), firstSteps, 1)[0];
    const at = stepSpans[1] ?? span;
    return [{ code: "bad-path", span: at, why: "first-step", path: String(first), meant: near }];
  }
  const outcome = outcomeOf(target, name, scope);
  return checkPath({ steps: steps.slice(1), spans: stepSpans.slice(1), prefix: `${name}.` }, outcome(steps));
}

function nearestName(name: string, scope: Scope): readonly string[] {
  return nearest(name, namesIn(scope), 1);
}

function* namesIn({ variables, cells }: Scope): Generator<string> {
  yield* variables.keys();
  yield* names(cells).keys();
}

/** Returns the outcome that a cell's name refers to: that of a request, or those of a batch or of rows as lists. */
function outcomeOf(target: Cell, name: string, scope: Scope): (steps: Dependency["steps"]) => KnownOutcome {
  const last = scope.lastResult(target)?.values().get(name);
  const request = target.requests.find((one) => one.name === name);
  if (request?.members.has("each")) return () => ({ result: asList(resultOf(request, scope.catalog)), last });
  if (request) {
    const shape = outcomeShape(request, abiItems(target, scope), scope.catalog);
    return () => ({ result: resultOf(request, scope.catalog), shape, last });
  }
  const isBatch = target.kind === "batch" && member(target.root, "name")?.value === name;
  return isBatch
    ? (steps) => ({ result: listOfResults(target, steps[2], scope.catalog), last })
    : () => ({ result: undefined, last });
}

/** The type of what a request gives, where the catalogue has its method. */
export function resultOf({ method }: RequestNode, catalog: Catalog): TypeRef | undefined {
  return method === undefined ? undefined : catalog.methodNamed(method)?.result;
}

/** The type of a batch's results as the item looked into has it; types with lists of lists have no name. */
export function listOfResults(
  { requests }: Cell,
  item: string | number | undefined,
  catalog: Catalog,
): TypeRef | undefined {
  const request = typeof item === "number" ? requests[item] : requests[0];
  return asList(request && resultOf(request, catalog));
}

function asList(type: TypeRef | undefined): TypeRef | undefined {
  return type === undefined || itemsOf(type) !== undefined ? undefined : listOf(type);
}
