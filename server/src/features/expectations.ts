import type { CursorContext, ValueContext } from "../analysis/cursorContext.ts";
import type { Scope } from "../analysis/scope.ts";
import { isArray, isObject, type JsonValue, printJson } from "../base/json.ts";
import { code, markdown } from "../base/markdown.ts";
import { brief } from "../base/text.ts";
import { shapesOf } from "../catalog/types.ts";
import { type Operator, operators, types } from "../evaluate/operators.ts";
import type { Cell } from "../notebook/cell.ts";
import { parsePath } from "../notebook/placeholder.ts";
import { atLength, follow, inside, joined, outcomePathTypes, type PathTypes, shortly, typedPath } from "./pathTypes.ts";
import { type Snippet, skeleton, stop, string } from "./snippet.ts";
import type { Choice, Suggestion } from "./suggestion.ts";

/** A key of `expect`, and the value that it begins with. */
interface PathSuggestion extends Choice {
  readonly value: Snippet;
}

/** Suggests paths into what came, or will come: two steps at a time. */
export function expectedPaths(
  cell: Cell,
  place: CursorContext,
  offset: number,
  scope: Scope,
): readonly PathSuggestion[] {
  const outcome = ownOutcome(cell, place, scope);
  const before = cell.text.slice(place.span.start + (place.quoted ? 1 : 0), Math.max(offset, place.span.start));
  const path = typedPath(before);
  const start = path ? follow(outcome, path.segments) : outcome;
  return (start ? inside(start) : []).flatMap(({ segment, reach }) => {
    const here = joined(path?.text ?? "", segment);
    const deeper = inside(reach).map((one) => pathSuggestion(joined(here, one.segment), one.reach));
    return [pathSuggestion(here, reach), ...deeper];
  });
}

function pathSuggestion(path: string, reach: PathTypes): PathSuggestion {
  return {
    label: path,
    kind: "key",
    detail: shortly(reach),
    documentation: () => markdown`${code(path)}: ${code(atLength(reach), 400)}`,
    value: exactly(reach) ?? stop(1, '""'),
  };
}

/** The outcome of the request around a place. */
function ownOutcome(cell: Cell, { path }: CursorContext, scope: Scope): PathTypes {
  const at = path[0]?.key === "batch" ? path[1]?.index : undefined;
  const bare = path[0]?.container.kind === "array" ? path[0].index : undefined;
  const request = cell.requests[at ?? bare ?? 0];
  if (cell.kind !== "batch") return outcomePathTypes(cell, request?.name, scope);
  return outcomePathTypes({ ...cell, kind: "request", requests: request ? [request] : [] }, request?.name, scope);
}

/** The value of the last result, as a tab stop, if it is a single value of ordinary length. */
function exactly(reach: PathTypes): Snippet | undefined {
  if (reach.kind !== "value" || isArray(reach.value) || isObject(reach.value)) return undefined;
  const json = printJson(reach.value);
  return json.length > 1000 ? undefined : stop(1, json);
}

/** Suggests what a path of `expect` must be: the last answer, what its type allows, an operator. */
export function expectedValues(cell: Cell, place: ValueContext, scope: Scope): readonly Suggestion[] {
  const found = reachOf(cell, place, scope);
  const comparisons = Object.entries(operators).map(([operator, meaning]): Suggestion => {
    const insert = `{ ${string(operator)}: ${operand(operator as Operator)} \\}`; // its keys are the operators
    return { label: `{ ${operator} }`, kind: "value", detail: meaning, insert, typed: `{ ${operator} } ${operator}` };
  });
  return [...alike(found), ...comparisons];
}

/** Suggests operators as keys. */
export function operatorKeys(): readonly PathSuggestion[] {
  return Object.entries(operators).map(([label, detail]) => ({
    label,
    kind: "key",
    detail,
    value: operand(label as Operator), // its keys are the operators
  }));
}

function operand(operator: Operator): Snippet {
  switch (operator) {
    case "==":
    case "!=":
      return stop(1, '""');
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "length":
      return stop(1, "0");
    case "in":
      return `[${stop(1)}]`;
    case "matches":
      return `"${stop(1)}"`;
    case "type":
      return `"${stop(1, types[0])}"`;
  }
}

/** Suggests what is behind an operator. */
export function operands(cell: Cell, place: ValueContext, scope: Scope): readonly Suggestion[] {
  if (place.key === "type") return types.map((type) => ({ label: type, kind: "value", insert: string(type) }));
  if (place.key === "in") return [{ label: "[]", kind: "value", detail: "one of these", insert: `[${stop(1)}]` }];
  if (place.key === "matches" || place.key === "length") return [];
  return alike(reachOf(cell, place, scope));
}

/** Resolves the path that a value or an operator belongs to. */
function reachOf(cell: Cell, place: ValueContext, scope: Scope): PathTypes | undefined {
  const at = place.path.findLastIndex(({ key }) => key === "expect");
  const path = parsePath(place.path[at + 1]?.key ?? "");
  return path && follow(ownOutcome(cell, place, scope), path);
}

/** Values of the kind: the one that came, or those that the type allows. */
function alike(reach: PathTypes | undefined): readonly Suggestion[] {
  if (reach?.kind === "value") return [came(reach.value)];
  if (reach?.kind !== "type") return [];
  return shapesOf(reach.type).flatMap((shape): readonly Suggestion[] => {
    if (shape.kind === "list") return [];
    if (shape.type.kind === "boolean")
      return ["true", "false"].map((label) => ({ label, kind: "value", insert: label }));
    if (shape.type.kind !== "oneOf") return [];
    return shape.type.values.map(({ value, summary }) => ({
      label: value,
      kind: "value",
      detail: brief(summary, 60),
      insert: string(value),
    }));
  });
}

/** Longer values are for a person to pick from. */
const maxTextLength = 4000;

function came(value: JsonValue): Suggestion {
  const reach: PathTypes = { kind: "value", value };
  const insert = printJson(value).length > maxTextLength ? stop(1, '""') : skeleton(value);
  return { label: shortly(reach), kind: "value", detail: "the last answer", insert };
}
