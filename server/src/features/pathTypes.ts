import { abiItems } from "../analysis/abi.ts";
import { outcomeShape } from "../analysis/decodedShape.ts";
import type { Scope } from "../analysis/scope.ts";
import { summaryOf } from "../analysis/types.ts";
import { isArray, isObject, type JsonValue, printJson } from "../base/json.ts";
import { brief, plural } from "../base/text.ts";
import type { TypeRef } from "../catalog/spec.ts";
import { shapesOf, textOfRef } from "../catalog/types.ts";
import { printPath } from "../evaluate/path.ts";
import type { Cell, RequestNode } from "../notebook/cell.ts";
import { parsePath, type Segment } from "../notebook/placeholder.ts";

/** The target of a path: a value of the last result, a type from the catalogue, or a part of a decoded answer. */
export type PathTypes =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "type"; readonly type: TypeRef }
  | {
      readonly kind: "parts";
      readonly about: string;
      readonly parts: ReadonlyMap<Segment, PathTypes>;
      readonly each?: PathTypes;
    }
  | { readonly kind: "leaf"; readonly about: string };

/** Resolves the name of a cell: `result`, `decoded` and `error`, from the last run if there was one. */
export function outcomePathTypes(cell: Cell, name: string | undefined, scope: Scope): PathTypes {
  const came = scope.lastResult(cell)?.values();
  const value = name === undefined ? [...(came?.values() ?? [])][0] : came?.get(name);
  if (value !== undefined) return { kind: "value", value };
  const request = cell.requests.find((one) => one.name === name) ?? cell.requests[0];
  const isList = cell.kind === "batch" && request?.name !== name;
  return isList ? list(cell, scope) : expected(cell, request, scope);
}

/** The part of it that is called `result`, found without a look at the rest. */
export function resultPathTypes(cell: Cell, name: string, scope: Scope): PathTypes {
  const last = scope.lastResult(cell);
  const request = cell.requests.find((one) => one.name === name) ?? cell.requests[0];
  const isWhole = cell.kind === "batch" && request?.name !== name;
  if (!last && !isWhole) return resultOf(request, scope);
  return (
    follow(outcomePathTypes(cell, name, scope), ["result"]) ?? { kind: "leaf", about: last?.summary ?? "no result" }
  );
}

function resultOf(request: RequestNode | undefined, { catalog }: Scope): PathTypes {
  if (request?.members.has("each")) return { kind: "leaf", about: "a list of results" };
  const spec = request?.method === undefined ? undefined : catalog.methodNamed(request.method);
  return spec ? { kind: "type", type: spec.result } : { kind: "leaf", about: "any value" };
}

/** A batch under its own name has the results of its requests in a list. */
function list(cell: Cell, scope: Scope): PathTypes {
  const each = cell.requests.map((request) => inside(expected(cell, request, scope)));
  const column = (name: string): PathTypes => ({
    kind: "parts",
    about: plural(each.length, "item"),
    parts: new Map(
      each.flatMap((parts, at) => {
        const found = parts.find(({ segment }) => segment === name);
        return found ? [[at, found.reach] as const] : [];
      }),
    ),
  });
  return { kind: "parts", about: "", parts: new Map(["result", "decoded"].map((name) => [name, column(name)])) };
}

function expected(cell: Cell, request: RequestNode | undefined, scope: Scope): PathTypes {
  const spec = request?.method === undefined ? undefined : scope.catalog.methodNamed(request.method);
  const shape = request && outcomeShape(request, abiItems(cell, scope), scope.catalog);
  return {
    kind: "parts",
    about: spec?.name ?? "",
    parts: new Map<Segment, PathTypes>([
      ["result", resultOf(request, scope)],
      ...(shape?.decoded ? [["decoded", shape.decoded] as const] : []),
      ...(shape ? [["error", shape.error] as const] : []),
    ]),
  };
}

/** Items of a list that are offered by themselves. */
const maxListed = 10;

/** The next segments of a path. Leaves out names that a path cannot contain. */
export function inside(reach: PathTypes): readonly { readonly segment: Segment; readonly reach: PathTypes }[] {
  return entriesOf(reach)
    .filter(([segment]) => typeof segment === "number" || parsePath(`a.${segment}`) !== undefined)
    .map(([segment, found]) => ({ segment, reach: found }));
}

function entriesOf(reach: PathTypes): readonly (readonly [Segment, PathTypes])[] {
  switch (reach.kind) {
    case "parts":
      return [...reach.parts];
    case "leaf":
      return [];
    case "value":
      return valueEntries(reach.value);
    case "type":
      return shapesOf(reach.type).flatMap((shape): readonly (readonly [Segment, PathTypes])[] => {
        if (shape.kind === "list") return [[0, { kind: "type", type: shape.items }]];
        if (shape.type.kind !== "object") return [];
        return shape.type.fields.map(({ name, type }) => [name, { kind: "type", type }]);
      });
  }
}

function valueEntries(value: JsonValue): readonly (readonly [Segment, PathTypes])[] {
  if (isArray(value)) return value.slice(0, maxListed).map((item, at) => [at, { kind: "value", value: item }]);
  if (!isObject(value)) return [];
  return Object.entries(value)
    .filter(([key, inner]) => key !== "decoded" || inner !== null)
    .map(([key, inner]) => [key, { kind: "value", value: inner }]);
}

/** Follows a path, in lists of unknown length to any item. */
export function follow(reach: PathTypes, path: readonly Segment[]): PathTypes | undefined {
  return path.reduce<PathTypes | undefined>((here, segment) => {
    const parts = here ? entriesOf(here) : [];
    const exact = parts.find(([name]) => name === segment)?.[1];
    if (exact || here?.kind === "value") return exact ?? (here?.kind === "value" ? at(here.value, segment) : undefined);
    return typeof segment === "number" ? parts.find(([name]) => name === 0)?.[1] : undefined;
  }, reach);
}

function at(value: JsonValue, segment: Segment): PathTypes | undefined {
  const found = isArray(value) && typeof segment === "number" ? value[segment] : undefined;
  return found === undefined ? undefined : { kind: "value", value: found };
}

/** A path that goes on from here leads into it. */
export function hasInside(reach: PathTypes): boolean {
  return inside(reach).length > 0;
}

/** In a few words: the value itself, or its type. */
export function shortly(reach: PathTypes): string {
  switch (reach.kind) {
    case "value":
      if (isArray(reach.value)) return plural(reach.value.length, "item");
      if (isObject(reach.value)) return brief(`{ ${Object.keys(reach.value).join(", ")} }`, 60);
      return brief(printJson(reach.value), 60);
    case "type":
      return textOfRef(reach.type);
    case "parts":
    case "leaf":
      return reach.about;
  }
}

/** Documents a target: more of the value, or the meaning of the type. */
export function atLength(reach: PathTypes): string {
  if (reach.kind === "type") return summaryOf(reach.type) ?? textOfRef(reach.type);
  return shortly(reach);
}

/** A path that is being typed: what is before its last separator, whole, and what may follow there. */
interface TypedPath {
  readonly text: string;
  readonly segments: readonly Segment[];
}

/** @returns `undefined` where not even a first name is finished. */
export function typedPath(text: string): TypedPath | undefined {
  const base = text.replace(/(?:\.[\p{L}\p{N}_$-]*|\[\d*\]?)$/u, "");
  const segments = base === text ? undefined : parsePath(base);
  return segments && { text: base, segments };
}

/** @example joined("logs.result", 0); //=> "logs.result[0]" */
export function joined(path: string, segment: Segment): string {
  return path === "" ? String(segment) : `${path}${printPath(["", segment])}`;
}
